import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '..');
const LANGUAGES = ['de', 'fr', 'es', 'ja'];
const screens = globSync('*.json', { cwd: join(APP, 'i18n/locales/en') });

/** Messages for emails and for pages outside the Shopify admin, with one file per language. */
const ALERTS = 'alerts';

type Messages = { [key: string]: string | Messages };
const read = (language: string, screen: string): Messages =>
  JSON.parse(
    readFileSync(
      screen === ALERTS
        ? join(APP, '../src/alerts/locales', `${language}.json`)
        : join(APP, 'i18n/locales', language, screen),
      'utf8',
    ),
  );

/** Returns messages with their full keys. */
const flat = (messages: Messages, prefix = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1]!).sort();
/** Removes plural suffixes, because `_one`, `_many`, and `_other` are forms of the same message. */
const base = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');

describe.each(LANGUAGES)('the locale %s', language => {
  it.each([...screens, ALERTS])('translates every message in %s and keeps all placeholders', screen => {
    const english = new Map(flat(read('en', screen)).map(([key, text]) => [base(key), placeholders(text)]));
    const own = flat(read(language, screen));
    expect([...new Set(own.map(([key]) => base(key)))].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of own) {
      const missing = english.get(base(key))!.filter(name => name !== 'count' && !placeholders(text).includes(name));
      expect([key, missing]).toEqual([key, []]);
    }
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plural = Map.groupBy(
      own.filter(([key]) => base(key) !== key),
      ([key]) => base(key),
    );
    for (const [key, messages] of plural)
      expect([key, messages.map(([key]) => key.split('_').at(-1)).sort()]).toEqual([key, [...forms].sort()]);
  });
});

describe('every screen', () => {
  const keys = new Set(
    screens.flatMap(screen => flat(read('en', screen), `${screen.slice(0, -5)}.`).map(([key]) => base(key))),
  );
  const sources = globSync('**/*.tsx', { cwd: APP }).filter(file => !file.endsWith('.test.tsx'));

  it('uses only message keys that exist', () => {
    const used = sources.flatMap(file =>
      [...readFileSync(join(APP, file), 'utf8').matchAll(/\bt\(\s*'([\w.]+)'/g)].map(match => [file, match[1]!]),
    );
    expect(used.filter(([, key]) => !keys.has(key!))).toEqual([]);
    expect(used.length).toBeGreaterThan(50);
  });
});
