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

/** Flattens nested messages into pairs, each with a dotted key and its text. */
const flat = (messages: Messages, prefix = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1]!).sort();
/** Removes a key's plural suffix, because `_one`, `_many`, and `_other` are forms of the same message. */
const base = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '');

/** Product names, official terms, and abbreviations, which can be the same in every language. */
const NAMES = [
  'Portfolio Compliance',
  'Section 232',
  'General Certificate of Conformity (GCC)',
  'Children’s Product Certificate (CPC)',
  'Certifier ID',
  'Product ID',
  'Version ID',
  'Citation codes',
  'eFiling',
  'SKU',
  'SKU: {{sku}}',
  'GTIN',
  'UPC',
  'PDF',
  '203 dpi',
  '300 dpi',
  'SHA-256: {{hash}}',
];

/** Messages that are the same in English and in another language. */
const SAME_IN_ENGLISH: Readonly<Record<string, readonly string[]>> = {
  de: ['Code', 'IDs: {{ids}}', 'Name', 'Score', 'Status'],
  es: ['General', 'No', 'Plan', '{{count, number}} script', '{{count, number}} scripts'],
  fr: [
    'Attestation',
    'Automobiles',
    'Code',
    'Collection',
    'Date',
    'Exclusion {{number}}',
    'SVG (image)',
    'Score',
    'Sources',
    'Urgent',
    '{{count, number}} script',
    '{{count, number}} scripts',
  ],
  ja: [],
};

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

  it('has no untranslated messages, except names and messages that are the same in both languages', () => {
    const allowed = new Set([...NAMES, ...SAME_IN_ENGLISH[language]!]);
    const same = [...screens, ALERTS].flatMap(screen => {
      const english = new Map(flat(read('en', screen)));
      return flat(read(language, screen)).filter(([key, text]) => english.get(key) === text);
    });
    const words = (text: string) => text.replace(/\{\{.*?\}\}/g, '');
    expect(same.filter(([, text]) => /\p{L}{2}/u.test(words(text)) && !allowed.has(text))).toEqual([]);
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
