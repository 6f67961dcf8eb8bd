import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de, es, fr, ja, type Translation } from './index.ts';
import { ENGLISH_STRINGS } from './testing/english.ts';

/**
 * A term in English. `pattern` matches the term in English strings. If `pattern` is omitted, only the words to avoid
 * are checked.
 */
interface EnglishTerm {
  readonly term: string;
  readonly definition: string;
  readonly pattern?: string;
}

/** A term in another language. */
interface Term {
  readonly term: string;
  /** Parts of the term's inflected forms. Every translation must contain at least one of them. Default: the term. */
  readonly forms?: readonly string[];
  /** Patterns that match other words for the term. Translations must not match any of these patterns. */
  readonly avoid?: readonly string[];
  /** Whether sentences can imply the term without containing it. */
  readonly implied?: boolean;
}

const ROOT = join(import.meta.dirname, '../../..');
const APP = join(ROOT, 'shopify-app/app/i18n/locales');
const ALERTS = join(ROOT, 'shopify-app/src/alerts/locales');
const CERTIFICATES = join(ROOT, 'packages/core/src/entry/translations');

const json = <Value>(path: string): Value => JSON.parse(readFileSync(path, 'utf8'));
const glossaryOf = <Entry>(language: string): Record<string, Entry> =>
  json(join(import.meta.dirname, language, 'glossary.json'));
const textsOf = (value: unknown, path = ''): [path: string, text: string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, each]) => textsOf(each, `${path}/${key}`));

const ENGLISH = glossaryOf<EnglishTerm>('en');
/** Returns the path, English text, and translation of every string. */
function pairs({ locale, ...own }: Translation): [path: string, english: string, text: string][] {
  const sources = [
    ['translations', ENGLISH_STRINGS, own],
    ...globSync('*.json', { cwd: join(APP, 'en') }).map(
      file => [file, json(join(APP, 'en', file)), json(join(APP, locale, file))] as const,
    ),
    ['alerts', json(join(ALERTS, 'en.json')), json(join(ALERTS, `${locale}.json`))],
  ] as const;
  const certificates = Object.entries(json<Record<string, string>>(join(CERTIFICATES, `${locale}.json`)));
  return [
    ...sources.flatMap(([name, from, to]) => {
      const originals = new Map(textsOf(from));
      // For a plural form that English doesn't have, use the English plural as the original.
      const originalOf = (path: string) => originals.get(path) ?? originals.get(path.replace(/_many$/, '_other'));
      return textsOf(to).map(([path, text]) => [name + path, originalOf(path) ?? '', text] as [string, string, string]);
    }),
    ...certificates.map(([original, text]) => [`certificates/${original}`, original, text] as [string, string, string]),
  ];
}

/** Names of products and features that contain a term. */
const NAMES =
  /Tag Manager|tag gateway|tag Pinterest|Pinterest tag|tag UET Microsoft|(?:Microsoft )?UET tag|Insight Tag/gi;

/** Returns a string without code, values, URLs, quotations, or names. */
const wordsIn = (text: string): string =>
  text.replace(/`[^`]*`|\{+[^}]*\}+|https?:\S+|“[^”]*”|«[^»]*»|"[^"]*"/g, ' ').replace(NAMES, ' ');

it('generates docs/glossary.md from the glossaries', async () => {
  const names = { German: 'de', Spanish: 'es', French: 'fr', Japanese: 'ja' };
  const locals = Object.entries(names).map(([name, tag]) => ({ name, glossary: glossaryOf<Term>(tag) }));
  const sections = Object.entries(ENGLISH).map(([id, { term, definition }]) => {
    const items = locals.map(({ name, glossary }) => `- ${name}: \`${glossary[id]!.term}\``);
    return `## ${term.charAt(0).toUpperCase()}${term.slice(1)}\n\n${definition}\n\n${items.join('\n')}\n`;
  });
  const page = `# Translation glossary

Each term has exactly one translation per language. If Shopify translates the term, we use Shopify's translation. To change a
translation, edit \`packages/translations/src/<language>/glossary.json\`, run \`pnpm exec vitest run packages/translations -u\`, and
then change the strings that the test lists. In \`glossary.json\`, \`forms\` lists inflected forms that count as the term, and
\`avoid\` lists words that translations must not use for the term.

${sections.join('\n')}`;
  await expect(page).toMatchFileSnapshot(join(ROOT, 'docs/glossary.md'));
});

describe.each([de, es, fr, ja])('the $locale glossary', translation => {
  const glossary = glossaryOf<Term>(translation.locale);
  const strings = pairs(translation);

  it('contains every term', () => {
    expect(Object.keys(glossary)).toEqual(Object.keys(ENGLISH));
  });

  it('is followed in the translation of every string that contains a term', () => {
    const wrong = Object.entries(glossary).flatMap(([id, { term, forms = [term], implied = false }]) => {
      const { pattern } = ENGLISH[id]!;
      if (pattern === undefined || implied) return [];
      const inEnglish = new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'i');
      return strings
        .filter(([, original]) => inEnglish.test(wordsIn(original)))
        .filter(([, , text]) => !forms.some(form => text.toLowerCase().includes(form.toLowerCase())))
        .map(([path, original, text]) => `${id} (${term}) in ${path}: ${original} → ${text}`);
    });
    expect(wrong).toEqual([]);
  });

  it('lists words to avoid, none of which appear in a string', () => {
    const wrong = Object.entries(glossary).flatMap(([id, { term, avoid = [] }]) =>
      strings.flatMap(([path, , text]) => {
        const found = avoid.find(pattern => new RegExp(pattern, 'iu').test(wordsIn(text)));
        return found === undefined ? [] : [`${id} (${term}, not ${found}) in ${path}: ${text}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
