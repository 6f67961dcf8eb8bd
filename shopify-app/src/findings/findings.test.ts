import { sampleShop } from '@compliance/fake-shopify';
import { de } from '@compliance/translations';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { causeIn } from '../translation/translation.ts';
import { acceptFindings } from './accept.ts';
import { exportFindings } from './export.ts';
import { findingOf, findingsOf } from './findings.ts';
import { parseFindingsQuery } from './query.ts';

let harness: JobHarness;
let shop: Awaited<ReturnType<JobHarness['install']>>;
const OPEN = parseFindingsQuery(new URLSearchParams());
beforeAll(async () => {
  harness = await createJobHarness();
  shop = await harness.install(sampleShop('found'));
  await harness.scan(shop.domain);
});
afterAll(() => harness.close());

describe('translated findings', () => {
  it('shows every finding in German, but leaves causes stored by an earlier release in English', async () => {
    const english = new Map((await findingsOf(shop, OPEN)).rows.map(row => [row.fingerprint, row]));
    const { rows, rules } = await findingsOf(shop, OPEN, 'de-CH');
    expect(rows.length).toBeGreaterThan(2);
    for (const { fingerprint, ruleId, title, message, messageLanguage } of rows) {
      expect({ title, messageLanguage }).toEqual({ title: de.rules[ruleId]!.title, messageLanguage: 'de' });
      expect(message).not.toBe(english.get(fingerprint)!.message);
      const { what, why, steps, language } = (await findingOf(shop, fingerprint, 'de'))!;
      expect([what, why, language]).toEqual([de.rules[ruleId]!.what, de.rules[ruleId]!.why, 'de']);
      expect([de.rules[ruleId]!.fix, de.rules[ruleId]!.fixHeadless]).toContain(steps.join(' '));
    }
    expect(rules.map(({ ruleId, title }) => title === de.rules[ruleId]!.title)).not.toContain(false);
    expect(causeIn('the theme changed from 1 to 2', de)).toBe('the theme changed from 1 to 2');
  });

  it('prefers the language in the shop’s settings over the language of the request', async () => {
    await shop.setSettings({ locale: 'fr' });
    const [row] = (await findingsOf(shop, OPEN, 'de')).rows;
    await shop.setSettings({ locale: null });
    expect(row!.messageLanguage).toBe('fr');
  });
});

describe('findings query', () => {
  it('parses the finding filters in a URL and ignores invalid values', () => {
    const asked = parseFindingsQuery(new URLSearchParams('status=fixed&severity=warn&rule=x&place=page:/&cursor=c'));
    expect(asked).toEqual({ status: 'fixed', severity: 'warn', rule: 'x', place: 'page:/', cursor: 'c' });
    expect(parseFindingsQuery(new URLSearchParams('status=gone&severity=fatal'))).toMatchObject({ status: 'open' });
  });

  it('parses any findings URL without throwing an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('status', 'severity', 'rule', 'place', 'cursor', 'x'), fc.string()),
        async query => {
          const view = await findingsOf(shop, parseFindingsQuery(new URLSearchParams(query)));
          expect(Array.isArray(view.rows)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('findings list', () => {
  it('shows a finding’s file and line, and the number of its locations', async () => {
    const { rows, scanned, rules } = await findingsOf(shop, OPEN);
    expect(scanned).toBe(true);
    expect(rows[0]).toMatchObject({
      severity: 'error',
      place: expect.stringMatching(/^snippets\/tracking\.liquid:\d+$/),
    });
    expect(rows[0]!.places).toBeGreaterThan(1);
    expect(rules.map(({ title }) => title)).not.toContain(rows[0]!.ruleId);
  });

  it('keeps a selected filter option even if no open finding matches it', async () => {
    const { rules, places } = await findingsOf(shop, { ...OPEN, rule: 'gone', place: 'theme:gone.liquid' });
    expect(rules.at(-1)).toEqual({ ruleId: 'gone', title: 'gone', count: 0 });
    expect(places.at(-1)).toEqual({ place: 'theme:gone.liquid', count: 0 });
    const known = await findingsOf(shop, { ...OPEN, rule: rules[0]!.ruleId });
    expect(known.rules.filter(({ ruleId }) => ruleId === rules[0]!.ruleId)).toHaveLength(1);
  });

  it('doesn’t show another shop’s findings', async () => {
    const other = await harness.install(sampleShop('other'));
    const { fingerprint } = (await findingsOf(shop, OPEN)).rows[0]!;
    expect((await findingsOf(other, OPEN)).rows).toEqual([]);
    expect(await findingOf(other, fingerprint)).toBeNull();
  });
});

describe('finding details', () => {
  it('explains a finding and its fix, with links to the file and pages', async () => {
    const [row] = (await findingsOf(shop, OPEN)).rows;
    const finding = (await findingOf(shop, row!.fingerprint))!;
    expect(finding.why).not.toBe('');
    expect(finding.steps.length).toBeGreaterThan(0);
    expect(finding.files[0]!.editorUrl).toBe(
      `https://admin.shopify.com/store/found/themes/101?key=${encodeURIComponent('snippets/tracking.liquid')}`,
    );
    expect(finding.pages[0]!.url).toBe(`https://www.found.example${finding.pages[0]!.path}`);
  });
});

describe('accepted findings', () => {
  const by = { by: '42', now: Date.UTC(2026, 10, 21, 12) };

  it.each([
    [{ reason: '  ', until: '' }, { reason: 'reason_missing' }],
    [{ reason: 'x'.repeat(501), until: '' }, { reason: 'reason_too_long' }],
    [{ reason: 'ok', until: '2026-02-30' }, { until: 'until_invalid' }],
    [{ reason: 'ok', until: '2026-11-20' }, { until: 'until_past' }],
    [
      { reason: '', until: 'soon' },
      { reason: 'reason_missing', until: 'until_invalid' },
    ],
  ])('rejects the acceptance form input %j with an error for the invalid field', async (fields, faults) => {
    expect(await acceptFindings(shop, ['any'], fields, by)).toEqual({ faults });
  });

  it('excludes an accepted finding from the open findings through the end of the selected day', async () => {
    const [row] = (await findingsOf(shop, OPEN)).rows;
    await shop.setProfile({ timeZone: 'Asia/Tokyo' });
    const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
    const fields = { reason: 'Our agency needs it', until: today };
    expect(await acceptFindings(shop, [row!.fingerprint], fields, { by: '42', now: Date.now() })).toEqual({
      accepted: 1,
    });
    expect((await findingsOf(shop, OPEN)).rows.map(({ fingerprint }) => fingerprint)).not.toContain(row!.fingerprint);
    expect((await findingsOf(shop, { ...OPEN, status: 'accepted' })).rows).toHaveLength(1);
    const { acceptance, accepted } = (await findingOf(shop, row!.fingerprint))!;
    expect({ accepted, by: acceptance!.by, until: acceptance!.until }).toEqual({
      accepted: true,
      by: '42',
      until: Date.parse(`${today}T23:59:59.999+09:00`),
    });
    await shop.findings.unaccept([row!.fingerprint]);
  });

  it.each([
    ['America/New_York', '2026-11-01', '2026-11-02T04:59:59.999Z'],
    ['America/New_York', '2026-03-08', '2026-03-09T03:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-12-31', '2026-12-31T09:59:59.999Z'],
    ['Pacific/Pago_Pago', '2026-12-31', '2027-01-01T10:59:59.999Z'],
    // Samoa skipped this day when it moved across the International Date Line.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T09:59:59.999Z'],
    ['no such zone', '2026-12-31', '2026-12-31T23:59:59.999Z'],
  ])('uses the time zone %s when a finding is accepted through %s', async (timeZone, until, end) => {
    await shop.setProfile({ timeZone });
    const [row] = (await findingsOf(shop, OPEN)).rows;
    const now = Date.parse(end) - 1;
    const accept = (now: number) =>
      acceptFindings(shop, [row!.fingerprint], { reason: 'Our agency needs it', until }, { by: '42', now });
    expect(await accept(now + 1)).toEqual({ faults: { until: 'until_past' } });
    expect(await accept(now)).toEqual({ accepted: 1 });
    const { acceptance } = (await findingOf(shop, row!.fingerprint))!;
    expect(new Date(acceptance!.until!).toISOString()).toBe(end);
    await shop.findings.unaccept([row!.fingerprint]);
  });
});

describe('findings CSV', () => {
  it('exports every matching finding as valid CSV', async () => {
    const text = await exportFindings(shop, OPEN).text();
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map(row => row.Rule).sort()).toEqual((await findingsOf(shop, OPEN)).rows.map(row => row.ruleId).sort());
  });
});
