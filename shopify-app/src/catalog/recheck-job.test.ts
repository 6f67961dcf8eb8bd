import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { enqueueNightly } from '../schedule/scheduler.ts';
import { catalogOf } from './catalog.ts';
import { CATALOG, TARIFF_RECHECK } from './model/job-types.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

it('reclassifies stored codes without calling Shopify when the lists change, and shows which results changed', async () => {
  const given = sampleShop('lists');
  const shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  await enqueueNightly(harness.store, Date.now());
  expect(await shop.jobs.latest(TARIFF_RECHECK)).toBeNull();

  // Simulate the data from an earlier release with another list version and one different result.
  const { rows } = await shop.variants.list({ limit: 1000 });
  const bolt = rows.find(({ htsCode }) => htsCode === '7318152061')!;
  const { now, listings } = { now: Date.now(), listings: [] };
  await shop.variants.upsert(
    'then',
    rows.map(({ checkedAt, changedAt, changes, ...variant }) => ({
      ...variant,
      listVersion: '2025-01-01',
      ...(variant.variantId === bolt.variantId && {
        status: 'clear',
        answer: { ...(variant.answer as object), listings },
      }),
    })),
  );
  expect((await catalogOf(shop, {}, now)).notices).toContain('answers_old');

  const asked = harness.fakeShopify.calls.length;
  await enqueueNightly(harness.store, Date.now());
  await harness.work(given.domain);
  expect(await shop.jobs.latest(TARIFF_RECHECK)).toMatchObject({ state: 'done', result: { variants: rows.length } });
  expect(harness.fakeShopify.calls.length).toBe(asked);

  const view = await catalogOf(shop, { changed: 'yes' }, now);
  expect(view.changed).toEqual({ count: 1, more: false });
  expect(view.rows).toMatchObject([{ status: 'hit', code: '7318.15.20.61' }]);
  expect(view.notices).not.toContain('answers_old');
});

it('shows the first page for an invalid cursor, and treats unclassified variants as unknown', async () => {
  const given = sampleShop('views');
  const shop = await harness.install(given);
  const never = await catalogOf(shop, {}, Date.now());
  expect([never.everRead, never.coverage.total, never.rows]).toEqual([false, 0, []]);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  const view = await catalogOf(shop, { cursor: 'nonsense' }, Date.now());
  const { total, answered, missing, short, invalid } = view.coverage;
  expect(view.rows).toHaveLength(25);
  expect([total, answered + missing + short + invalid]).toEqual([79, 79]);
  expect([missing, short, invalid].every(count => count > 0)).toBe(true);
  const second = await catalogOf(shop, { cursor: view.next! }, Date.now());
  expect([second.rows.length, typeof second.next]).toEqual([25, 'string']);
  const last = await catalogOf(
    shop,
    { cursor: (await catalogOf(shop, { cursor: second.next! }, Date.now())).next! },
    Date.now(),
  );
  expect([last.rows.length, last.next]).toEqual([4, null]);
});
