import { certificate, efilingPack, SAMPLE_REQUEST } from '@compliance/core/entry';
import {
  htmlReport,
  joinRendering,
  localizeFinding,
  localizeRule,
  messageParameters,
  pageRules,
  REPORT_TEXTS,
  type RenderedPage,
  readBeacons,
  renderedHtmlReport,
  reportText,
  type ScanResult,
  scan,
} from '@compliance/core/pixel';
import { DATASET, localizeListing, localizeStacking, lookup, type MatchStacking } from '@compliance/core/tariff';
import { describe, expect, it } from 'vitest';
import { de, es, fr, ja } from './index.ts';
import { ENGLISH_STRINGS } from './testing/english.ts';

const translations = { de, es, fr, ja };

/** Product names and strings without words, which can be the same in every language. */
const NAMES = [
  'TikTok pixel',
  'Snap Pixel',
  'X pixel',
  'Reddit Pixel',
  'LinkedIn Insight Tag',
  '{vendor} {id}: {changes} ({from} → {to})',
  '{first} {second}',
  '{phase}, {step}',
  '{seconds} s',
  '{reason} (HTTP {status})',
  'AMP',
  'API',
  'Blog',
  'ID',
  'Shopify',
];

/** Strings that are the same in English and in another language. */
const SAME_IN_ENGLISH: Readonly<Partial<Record<string, readonly string[]>>> = {
  de: ['Container {id}', 'Host', 'Score', 'Tag'],
  es: ['1 cookie', '{count} cookies', '1 error', 'Error', 'Host', 'marketing'],
  fr: ['1 cookie', '{count} cookies', 'Collection', 'Page', 'Pages', 'Score', 'Sources', 'Type', 'marketing'],
};

const pathsOf = (value: unknown, path = ''): [path: string, text: string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, each]) => pathsOf(each, `${path}/${key}`));

const english = new Map(pathsOf(ENGLISH_STRINGS));

const STEPS = (['load', 'deny', 'accept'] as const).flatMap(phase => [
  { phase, step: 'page' as const, skipped: null, complete: phase !== 'accept' },
  { phase, step: 'cart' as const, skipped: 'robots' as const, complete: false },
]);

/** A rendering with several kinds of traffic problems. */
const RENDERED_PAGE: RenderedPage = {
  url: 'https://a.example/',
  phases: STEPS.map(step => ({
    ...step,
    ...{
      url: step.skipped ? null : 'https://a.example/',
      decision: step.phase === 'load' ? null : 'none',
      requests: 1,
    },
    ...{ banner: null, cookies: [{ name: '_fbp', domain: '.a.example' }], storage: ['id'] },
  })),
  beacons: ['Purchase', 'Purchase', 'PageView', 'AddToCart'].flatMap((event, index) =>
    readBeacons({
      url: `https://www.facebook.com/tr/?id=91827364554637${index > 2 ? 3 : 2}&ev=${event}`,
      body: null,
    }).map(beacon => ({
      ...{ ...beacon, phase: 'load' as const, step: 'page' as const, ms: 340, view: 1, intercepted: true },
      initiator: { kind: index === 1 ? 'web_pixel' : 'page', url: null, id: null, line: 7, column: 3 },
    })),
  ),
  calls: [],
  failures: [
    {
      vendor: 'meta',
      url: 'https://a.example/',
      event: null,
      reason: 'unresolved',
      status: null,
      phase: 'load',
      step: 'page',
    },
  ],
  stubbed: true,
  cut: 'requests',
};

function scanOf(html: string): ScanResult {
  const url = 'https://a.example/';
  const page = { url, finalUrl: url, status: 200, headers: {}, html, scripts: [], truncated: false, notes: [] };
  return scan(page, { asOf: '2026-11-21' });
}

/** Returns a report without its styles and code, which aren't translated. */
const withoutCode = (report: string): string =>
  report.replace(/<style>[\s\S]*<\/style>|<pre>[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '');

const codeIn = (text: string): string[] => (text.match(/`[^`]*`/g) ?? []).sort();
const markupIn = (text: string): string[] => [...new Set(text.match(/<[^>]*>?/g))].sort();

describe.each(Object.entries(translations))('the %s translation', (language, { locale, ...texts }) => {
  const own = pathsOf(texts);

  it('translates every string and contains no other strings', () => {
    expect(locale).toBe(language);
    expect(own.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
  });

  it.each<[string, (text: string) => string[]]>([
    ['parameters', text => messageParameters(text).sort()],
    ['code spans', codeIn],
    ['markup', markupIn],
  ])('keeps the %s of every string', (_name, partsIn) => {
    const differences = own.filter(([path, text]) => partsIn(text).join() !== partsIn(english.get(path) ?? '').join());
    expect(differences.map(([path]) => path)).toEqual([]);
  });

  it('leaves no string in English, except names and strings that are the same in both languages', () => {
    const allowed = new Set([...NAMES, ...(SAME_IN_ENGLISH[language] ?? [])]);
    const same = own.filter(([path, text]) => text === english.get(path) && !allowed.has(text));
    expect(same).toEqual([]);
  });
});

describe.each(Object.entries(translations))('in %s', (_language, translation) => {
  it('shows a finding’s translated message, fix, and rule, with values inserted unchanged', () => {
    const html = `<script>fbq('init', '1'); fbq('track', '{id}<b>')</script>`;
    const { findings } = scanOf(html);
    expect(findings.length).toBeGreaterThan(2);
    for (const finding of findings) {
      const localized = localizeFinding(finding, translation);
      expect(localized).toMatchObject({ rule_id: finding.rule_id, message_language: translation.locale });
      expect(localized.message).not.toBe(finding.message);
      expect(localized.fix).toBe(translation.rules[finding.rule_id]!.fix);
    }
    const custom = findings.find(({ rule_id }) => rule_id === 'meta_pixel_nonstandard_event')!;
    expect(localizeFinding(custom, translation).message).toContain('{id}<b>');
    const [rule] = pageRules;
    expect(localizeRule(rule!.meta, translation).title).toBe(translation.rules[rule!.meta.id]!.title);
  });

  it('shows translated messages about eFiling data, with values inserted unchanged', () => {
    const context = { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60', verificationUrl: null };
    const record = certificate(SAMPLE_REQUEST, { ...context, issuedAt: '2026-11-21T09:00:00Z', today: '2026-11-21' });
    const codes = { as_of: '2026-11-20', source: '{date} $1', codes: {} };
    const english = efilingPack(record, { codes });
    const own = efilingPack(record, { codes, translation });
    for (const [at, { gaps, notes }] of own.entries()) {
      const [messages, originals] = [gaps, english[at]!.gaps].map(all => all.map(({ message }) => message));
      expect(gaps.map(({ path }) => path)).toEqual(english[at]!.gaps.map(({ path }) => path));
      for (const text of [...messages!, ...notes]) expect([...originals!, ...english[at]!.notes]).not.toContain(text);
    }
    const [{ gaps, notes }] = own as [(typeof own)[number]];
    expect(gaps.map(({ message }) => message).join()).toContain('Manufacturer Is New?');
    expect(notes.join()).toContain('{date} $1');
  });

  it('renders a report in which the only English text is source code and rule IDs', () => {
    const html = `<script>fbq('init', '1'); fbq('track', 'Buy')</script><script src="https://cdn.hotjar.com/a.js"></script>`;
    const result = scanOf(html);
    const report = htmlReport(result, '2026-11-21', translation);
    expect(report).toContain(`<html lang="${translation.locale}">`);
    expect(report).not.toContain('lang="en"');
    for (const { rule_id } of result.findings) expect(report).toContain(rule_id);
    const shown = withoutCode(report);
    const sentences = [...english].filter(([path, text]) => path.startsWith('/report/') && /^[^{}]{12,}$/.test(text));
    expect(sentences.filter(([, text]) => shown.includes(text))).toEqual([]);
  });

  it('doesn’t contain English text in the translated report on a rendered page', () => {
    const html = `<script>fbq('init', '918273645546372'); fbq('init', '918273645546372'); fbq('track', 'Buy')</script>`;
    const result = scanOf(html);
    const joined = joinRendering(result, RENDERED_PAGE, translation);
    const report = renderedHtmlReport(result, joined, RENDERED_PAGE, [], '2026-11-21', translation);
    expect(report).not.toContain('lang="en"');
    const { messages, problems } = translation.rendering;
    expect(joined.unseen[0]).toContain(messages.steps_blocked!.split('{')[0]!);
    for (const { code } of joined.traffic) expect(report).toContain(problems[code]!.title);
    expect(new Set(joined.traffic.map(({ code }) => code)).size).toBeGreaterThan(3);
    const shown = withoutCode(report);
    const phrases = [...english]
      .filter(([path]) => /^\/(?:report|rendering|terms)\//.test(path))
      .flatMap(([, text]) => text.split(/\{\w+\}/))
      .filter(part => /\w \w+ \w/.test(part));
    expect(phrases.filter(part => shown.includes(part.trim()))).toEqual([]);
  });

  it('uses singular forms only for one item', () => {
    const t = reportText(translation);
    for (const id of ['errors', 'cookies', 'scripts_analyzed', 'rendered_events'] as const)
      expect([t(id, { count: 0 }), t(id, { count: 1 })]).toEqual([
        expect.stringContaining('0'),
        expect.stringContaining('1'),
      ]);
  });

  it('uses the English string if a translation is missing, so that new rules work before they are translated', () => {
    const t = reportText({ ...translation, report: {} });
    expect([t('no_tags'), t('errors', { count: 2 })]).toEqual([REPORT_TEXTS.no_tags, '2 errors']);
    const [rule] = pageRules;
    expect(localizeRule(rule!.meta, { ...translation, rules: {} }).title).toBe(rule!.meta.title);
  });

  it('shows translated conditions, but shows a reworded condition in English', () => {
    const listings = lookup(['8703.22.01', '7318.15.2061'], { asOf: '2026-11-21', origin: 'GB' }).results.flatMap(
      ({ matches }) => matches,
    );
    const listing = listings.find(({ outcomes }) => outcomes.some(({ when }) => when.length > 0))!;
    const [first] = localizeListing(listing, translation).outcomes.flatMap(({ when }) => when);
    expect(first).toMatchObject({ text: translation.conditions[first!.id], language: translation.locale });
    const reworded = { ...listing, conditions: [{ id: first!.id, text: 'a new condition' }] };
    expect(localizeListing(reworded, translation).conditions).toEqual([
      { id: first!.id, text: 'a new condition', language: 'en' },
    ]);
    const { text, citation } = DATASET.stacking[0]!;
    const stacking: MatchStacking = {
      programs: ['semiconductors', 'steel'] as const,
      relation: 'excludes',
      owed: null,
      text,
      citation,
    };
    expect(localizeStacking(stacking, translation).text).toBe(translation.stacking[text]);
  });
});
