import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleShop } from '../../stand-in/shop/samples.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import { acceptFindings } from './accept.ts';
import { exportFindings } from './export.ts';
import { readAsked } from './filter.ts';
import { findingOf, findingsOf } from './findings.ts';

let world: World;
let shop: Awaited<ReturnType<World['install']>>;
const OPEN = readAsked(new URLSearchParams());
beforeAll(async () => {
  world = await createWorld();
  shop = await world.install(sampleShop('found'));
  await world.scan(shop.domain);
});
afterAll(() => world.close());

describe('what a merchant asks to see', () => {
  it('is read from the address, and what makes no sense is left out', () => {
    const asked = readAsked(new URLSearchParams('status=fixed&severity=warn&rule=x&place=page:/&cursor=c'));
    expect(asked).toEqual({ status: 'fixed', severity: 'warn', rule: 'x', place: 'page:/', cursor: 'c' });
    expect(readAsked(new URLSearchParams('status=gone&severity=fatal'))).toMatchObject({ status: 'open' });
  });

  it('never fails, whatever the address holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('status', 'severity', 'rule', 'place', 'cursor', 'x'), fc.string()),
        async query => {
          const view = await findingsOf(shop, readAsked(new URLSearchParams(query)));
          expect(Array.isArray(view.rows)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the list', () => {
  it('shows the file and line, and how many places more', async () => {
    const { rows, scanned, rules } = await findingsOf(shop, OPEN);
    expect(scanned).toBe(true);
    expect(rows[0]).toMatchObject({
      severity: 'error',
      place: expect.stringMatching(/^snippets\/tracking\.liquid:\d+$/),
    });
    expect(rows[0]!.places).toBeGreaterThan(1);
    expect(rules.map(({ title }) => title)).not.toContain(rows[0]!.ruleId);
  });

  it('keeps what was asked for among the choices, though nothing open has it', async () => {
    const { rules, places } = await findingsOf(shop, { ...OPEN, rule: 'gone', place: 'theme:gone.liquid' });
    expect(rules.at(-1)).toEqual({ ruleId: 'gone', title: 'gone', count: 0 });
    expect(places.at(-1)).toEqual({ place: 'theme:gone.liquid', count: 0 });
    const known = await findingsOf(shop, { ...OPEN, rule: rules[0]!.ruleId });
    expect(known.rules.filter(({ ruleId }) => ruleId === rules[0]!.ruleId)).toHaveLength(1);
  });

  it('of another shop has nothing of this one', async () => {
    const other = await world.install(sampleShop('other'));
    const { fingerprint } = (await findingsOf(shop, OPEN)).rows[0]!;
    expect((await findingsOf(other, OPEN)).rows).toEqual([]);
    expect(await findingOf(other, fingerprint)).toBeNull();
  });
});

describe('a finding', () => {
  it('says what, why and how, with the way to the file and the pages', async () => {
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

describe('accepting', () => {
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
  ])('refuses %j and says what is wrong at its field', async (fields, faults) => {
    expect(await acceptFindings(shop, ['any'], fields, by)).toEqual({ faults });
  });

  it('moves a finding out of the open ones, until the day after the one that was given', async () => {
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
    // A day that there was not: clocks went over the date line.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T09:59:59.999Z'],
    ['no such zone', '2026-12-31', '2026-12-31T23:59:59.999Z'],
  ])('lasts to the end of the day in %s, %s', async (timeZone, until, end) => {
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

describe('the CSV', () => {
  it('has every finding that was asked for, and reads back', async () => {
    const text = await exportFindings(shop, OPEN).text();
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map(row => row.Rule).sort()).toEqual((await findingsOf(shop, OPEN)).rows.map(row => row.ruleId).sort());
  });
});
