import { expect, it } from 'vitest';
import { requestedLanguage } from './requested-language.ts';

const languageOf = (query: string, header?: string) =>
  requestedLanguage(
    new Request(
      `https://app.example/app${query}`,
      header === undefined ? {} : { headers: { 'Accept-Language': header } },
    ),
  );

it('prefers the language in the URL, and otherwise uses the first language that the browser accepts', () => {
  expect(languageOf('?locale=de', 'fr')).toBe('de');
  expect(languageOf('', 'fr-CA,fr;q=0.9,en;q=0.8')).toBe('fr-CA');
  for (const header of [undefined, '', '*', '<script>']) expect(languageOf('', header)).toBeNull();
});
