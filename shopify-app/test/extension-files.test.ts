import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFlowTriggers } from '@compliance/fake-shopify';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { AlertEvent } from '../src/alerts/alert.ts';
import { flowTriggerOf } from '../src/alerts/flow-trigger.ts';

const APP = join(import.meta.dirname, '..');
const HOME = join(APP, 'extensions/product-compliance');
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'];

type Messages = { readonly [key: string]: string | Messages };
const readJson = (file: string): Messages => JSON.parse(readFileSync(file, 'utf8'));
const messagesOf = (language: string): Messages =>
  readJson(join(HOME, 'locales', `${language === 'en' ? 'en.default' : language}.json`));

const PLURALS = ['zero', 'one', 'two', 'few', 'many', 'other'];
const isPlural = (messages: Messages): boolean => Object.keys(messages).every(form => PLURALS.includes(form));

/** Returns messages with their full keys. A message's plural forms have the same key. */
const flat = (messages: Messages, prefix = ''): [key: string, text: string][] =>
  Object.entries(messages).flatMap(([key, value]) => {
    if (typeof value === 'string') return [[`${prefix}${key}`, value] as [string, string]];
    if (isPlural(value)) return Object.values(value).map(text => [`${prefix}${key}`, String(text)] as [string, string]);
    return flat(value, `${prefix}${key}.`);
  });
const placeholders = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!).sort();
const english = new Map(flat(messagesOf('en')));

describe('the product extensions’ shopify.extension.toml file', () => {
  const declared = parse(readFileSync(join(HOME, 'shopify.extension.toml'), 'utf8')) as unknown as {
    api_version: string;
    extensions: readonly {
      name: string;
      description: string;
      handle: string;
      type: string;
      targeting: readonly { module: string; target: string }[];
    }[];
  };

  it('declares the same API version as the package that contains the extensions’ type definitions', () => {
    const require = createRequire(import.meta.url);
    const home = require.resolve('@shopify/ui-extensions').replace(/(ui-extensions)\/.*$/, '$1');
    const { version } = readJson(join(home, 'package.json')) as { version: string };
    const [year, month] = version.split('.') as [string, string];
    expect(declared.api_version).toBe(`${year}-${month.padStart(2, '0')}`);
  });

  it('declares one existing module and one supported target for each extension', () => {
    for (const { type, handle, targeting } of declared.extensions) {
      expect([type, targeting.length]).toEqual(['ui_extension', 1]);
      expect(handle).toMatch(/^[a-z][a-z-]{0,49}$/);
      const { module, target } = targeting[0]!;
      expect(target).toMatch(/^admin\.product-details\.(block|action|print-action)\.render$/);
      const text = readFileSync(join(HOME, module), 'utf8');
      expect(text).toContain(`from '@shopify/ui-extensions/${target}'`);
    }
  });

  it.each(LANGUAGES)('has a name and a description for each extension in %s', language => {
    const messages = messagesOf(language);
    for (const { name, description } of declared.extensions)
      for (const text of [name, description]) expect(messages[text.replace(/^t:/, '')]).toMatch(/\S/);
  });
});

describe('the Flow triggers’ shopify.extension.toml files', () => {
  const triggers = readFlowTriggers(join(APP, 'extensions'));
  const about = { title: 'Helmet', product: '7', certificate: 'gcc' };
  const variant = { title: 'Bolt', code: null, change: null, since: null, product: '7', variant: '8' };
  const events: readonly AlertEvent[] = [
    { kind: 'error', detail: { title: 'Two Meta pixels', place: null, fingerprint: 'f' } },
    { kind: 'tariff', detail: { version: '1', on: '2026-11-23', variants: [variant], more: false } },
    { kind: 'certificate_incomplete', detail: about },
    { kind: 'certificate_superseded', detail: about },
    { kind: 'certificate_retest', detail: { ...about, rule: '16 CFR 1203', due: '2027-01-01' } },
  ];
  const reader = { language: null, adminUrl: 'https://admin.shopify.com/store/a/apps/key' };
  const sent = events.map(event => flowTriggerOf({ id: 'msg', alerts: [{ key: 'k', at: 0, ...event }] }, reader));

  it('declares exactly the triggers and fields that the app sends', () => {
    expect(new Set(sent.map(({ handle }) => handle))).toEqual(new Set(triggers.map(({ handle }) => handle)));
    for (const { handle, payload } of sent) {
      const { fields } = triggers.find(trigger => trigger.handle === handle)!;
      expect(Object.keys(payload)).toEqual(fields.map(({ type, key }) => key ?? type.replace('_reference', '_id')));
    }
  });

  it('follows the rules that Shopify CLI checks', () => {
    for (const { handle, name, description, fields } of triggers) {
      expect(handle).toMatch(/^[a-z][a-z-]{0,29}$/);
      expect(name).toMatch(/^[A-Z][a-z ]+$/);
      expect(description).toMatch(/\.$/);
      for (const { type, key, ...others } of fields) {
        expect(type).toMatch(/^(boolean|email|number_decimal|product_reference|single_line_text_field|url)$/);
        if (type.endsWith('_reference')) expect(key).toBeUndefined();
        else expect(key).toMatch(/^[a-zA-Z ]+$/);
        expect(Object.keys(others).filter(name => name !== 'description')).toEqual([]);
      }
    }
  });

  it('gives each app extension a unique handle', () => {
    const handles = globSync('extensions/*/shopify.extension.toml', { cwd: APP }).flatMap(file =>
      ((parse(readFileSync(join(APP, file), 'utf8')).extensions ?? []) as { handle: string }[]).map(
        ({ handle }) => handle,
      ),
    );
    expect(new Set(handles).size).toBe(handles.length);
  });
});

describe('the product extensions’ message catalog', () => {
  it.each(LANGUAGES)('includes every message in %s, with all placeholders and plural forms', language => {
    const messages = messagesOf(language);
    expect(messages.language).toBe(language);
    const own = flat(messages);
    expect([...new Set(own.map(([key]) => key))].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of own) {
      const given = placeholders(text).filter(name => name !== 'count');
      expect([key, given]).toEqual([key, placeholders(english.get(key)!).filter(name => name !== 'count')]);
    }
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = (within: Messages): Messages[] =>
      Object.values(within).flatMap(value => {
        if (typeof value === 'string') return [];
        return isPlural(value) ? [value] : plurals(value);
      });
    for (const plural of plurals(messages)) expect(Object.keys(plural).sort()).toEqual([...forms].sort());
  });

  it.each(LANGUAGES.slice(1))('never contains English text in %s', language => {
    // Program names come from the app's messages, and some of the names are the same in several languages.
    const own = flat(messagesOf(language)).filter(([key]) => !key.startsWith('program.'));
    const same = own.filter(
      ([key, text]) => text === english.get(key) && /[a-z]{4}/.test(text.replace(/\{\{\w+\}\}/g, '')),
    );
    const names = ['block_name', 'heading', 'tariff.title'];
    expect(same.map(([key]) => key).filter(key => !names.includes(key))).toEqual([]);
  });

  it.each(LANGUAGES)('uses the same terms as the app in %s', language => {
    const ofApp = (screen: string) => readJson(join(APP, `app/i18n/locales/${language}/${screen}.json`));
    const [own, catalog, certificates] = [messagesOf(language), ofApp('catalog'), ofApp('certificates')];
    expect(own.status).toEqual(certificates.status);
    for (const key of ['list', 'program', 'basis'] as const) expect(own[key]).toEqual(catalog[key]);
    for (const key of ['means', 'rate'] as const) expect(catalog[key]).toMatchObject(own[key] as Messages);
  });

  it('contains every message key that the code uses', () => {
    const sources = globSync('src/**/*.{ts,tsx}', { cwd: HOME }).map(file => readFileSync(join(HOME, file), 'utf8'));
    const used = sources.flatMap(text => [...text.matchAll(/translate\(\s*'([\w.]+)'/g)].map(([, key]) => key!));
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(key => !english.has(key))).toEqual([]);
    const duty = readFileSync(join(HOME, 'src/tariff/duty.tsx'), 'utf8');
    for (const program of Object.keys(messagesOf('en').program as Messages)) expect(duty).toContain(`'${program}'`);
    expect(existsSync(join(HOME, 'locales/en.default.json'))).toBe(true);
  });
});
