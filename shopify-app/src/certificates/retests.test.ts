import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { setAlertSettings } from '../alerts/alert.ts';
import { recordCertificateCheck } from './certificate-alerts.ts';
import { type IssuingContext, issuingContext } from './certificate-context.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { issueDraft, voidCertificate } from './issue.ts';
import { certificatesOf } from './list.ts';
import { productOf } from './product.ts';
import { remindUntil } from './retests.ts';
import { FILLED, HELMET } from './testing/helmet.ts';
import { FILLED_PUZZLE, LABS, PUZZLE } from './testing/puzzle.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: '' };
const ISSUED = Date.UTC(2026, 10, 21, 12);

/** The puzzle's toy test is older than its other tests, and the certificate claims an exclusion for small parts. */
const [toy, smallParts, ...rest] = FILLED_PUZZLE.cpsc_rules_cited as [string, string, ...string[]];
const TESTED = {
  ...FILLED_PUZZLE,
  tests: [
    { rule: toy, lab_index: 0, test_date: '2025-12-01' },
    { rule: toy, lab_index: 0, test_date: '2026-03-01' },
    ...rest.map(rule => ({ rule, lab_index: 0, test_date: '2026-09-20' })),
  ],
  exclusions: [{ rule: smallParts, basis: 'The puzzle has no small parts before or after use and abuse testing.' }],
};
const TOY_DUE = { citation: toy, due: '2027-03-01' };
const REST_DUE = rest.map(citation => ({ citation, due: '2027-09-20' }));

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

/** Installs the app in a new shop. Returns a function that creates an issuing context at noon UTC on the given day. */
async function open(name: string): Promise<(day: string) => IssuingContext> {
  const { domain } = await harness.install(sampleShop(name));
  const merchant = { ...harness.app.offlineContext(domain), user: '42' };
  const context = { ...issuingContext({ app: harness.app, merchant }), acceptedLabs: LABS };
  return day => ({ ...context, baseUrl: 'https://verify.example', clock: () => Date.parse(`${day}T12:00:00Z`) });
}

async function issue(context: IssuingContext, product: string, fields: object): Promise<string> {
  await startDraft(context, product);
  const { id } = (await loadProductCertificate(context, product)).draft as { id: string };
  await saveDraft(context, product, id, JSON.stringify(fields));
  expect(await issueDraft({ ...context, clock: () => ISSUED }, product, id, SIGNED)).toEqual({ issued: id });
  return id;
}

const shownOn = async (context: IssuingContext, product: string) =>
  (await productOf(context, product))!.current!.retests;
const listedOn = async (context: IssuingContext) =>
  (await certificatesOf(context, { state: 'issued' })).rows.map(({ retestDue }) => retestDue);

describe('retest reminders', () => {
  it('starts reminders 60 days before the due date in UTC, regardless of the time of day', () => {
    for (const time of ['00:00:00', '23:59:59'])
      expect(remindUntil(Date.parse(`2026-12-31T${time}Z`))).toBe('2027-03-01');
  });

  it('shows when each rule’s next test is due, earliest first, even after the due date', async () => {
    const on = await open('reminds');
    await issue(on('2026-11-21'), PUZZLE, TESTED);
    expect([await shownOn(on('2026-12-30'), '40'), await listedOn(on('2026-12-30'))]).toEqual([[], [null]]);
    expect([await shownOn(on('2026-12-31'), '40'), await listedOn(on('2026-12-31'))]).toEqual([
      [TOY_DUE],
      [TOY_DUE.due],
    ]);
    const later = [TOY_DUE, ...REST_DUE];
    expect([await shownOn(on('2027-07-22'), '40'), await listedOn(on('2027-07-22'))]).toEqual([later, [TOY_DUE.due]]);
    expect(await shownOn(on('2029-01-01'), '40')).toEqual(later);
  });

  it('shows no due dates for a general certificate or a voided certificate', async () => {
    const on = await open('silent');
    await issue(on('2026-11-21'), HELMET, FILLED);
    expect([await shownOn(on('2029-01-01'), '8'), await listedOn(on('2029-01-01'))]).toEqual([[], [null]]);
    await issue(on('2026-11-21'), PUZZLE, TESTED);
    expect(await shownOn(on('2029-01-01'), '40')).not.toEqual([]);
    await voidCertificate(on('2029-01-01'), PUZZLE, 'No longer sold');
    expect(await shownOn(on('2029-01-01'), '40')).toEqual([]);
  });

  it('records one alert for each rule that becomes due, even if the certificate is checked every night', async () => {
    const on = await open('alerts');
    const { shop } = on('2026-11-21').merchant;
    await setAlertSettings(shop, { when: 'daily', email: 'merchant@example.com' }, ISSUED);
    const certificate = (await harness.store.certificates.get(await issue(on('2026-11-21'), PUZZLE, TESTED)))!;
    const alerted = async () => {
      const rules: string[] = [];
      for await (const line of shop.export()) {
        const { table, row } = JSON.parse(line) as { table: string; row: { kind: string; detail: { rule: string } } };
        if (table === 'shop_alerts' && row.kind === 'certificate_retest') rules.push(row.detail.rule);
      }
      return rules.sort();
    };
    for (const [day, rules] of [
      ['2026-12-30', []],
      ['2026-12-31', [toy]],
      ['2027-01-01', [toy]],
      ['2027-07-22', [toy, ...rest].sort()],
      ['2027-07-23', [toy, ...rest].sort()],
    ] as const) {
      await recordCertificateCheck(on(day), PUZZLE, certificate);
      expect([day, await alerted()]).toEqual([day, rules]);
    }
  });
});
