import { DATASET } from '@compliance/core/tariff';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
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

it('reclassifies stored codes without reading from Shopify when the lists change, and shows which results changed', async () => {
  const given = sampleShop('lists');
  const shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  await enqueueNightly(harness.store, Date.now());
  expect(await shop.jobs.latest(TARIFF_RECHECK)).toBeNull();

  // Simulate data that an earlier release stored with another list version and one different result.
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
  expect((await catalogOf(shop, {}, now, DATASET)).notices).toContain('answers_old');

  const asked = harness.fakeShopify.calls.length;
  await enqueueNightly(harness.store, Date.now());
  await harness.work(given.domain);
  expect(await shop.jobs.latest(TARIFF_RECHECK)).toMatchObject({ state: 'done', result: { variants: rows.length } });
  // The changed result starts the merchant's workflows.
  expect(harness.fakeShopify.calls.slice(asked).map(({ operation }) => operation)).toEqual(['FlowTriggerReceive']);
  expect(given.flowEvents[0]!.payload).toMatchObject({
    ...{ product_id: 1, 'Status before': 'clear', 'Status after': 'hit', 'Rate before': '' },
    'Rate after': expect.stringMatching(/^50%/),
  });

  const view = await catalogOf(shop, { changed: 'yes' }, now, DATASET);
  expect(view.changed).toEqual({ count: 1, more: false });
  expect(view.rows).toMatchObject([{ status: 'hit', code: '7318.15.20.61' }]);
  expect(view.notices).not.toContain('answers_old');
});

it('uses a data set that an update installs while the app is running, and updates stored results', async () => {
  const given = sampleShop('live');
  const shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  const boltIn = async () =>
    (await shop.variants.list({ limit: 1000 })).rows.find(each => each.htsCode === '7318152061')!;
  expect(await boltIn()).toMatchObject({ status: 'hit', listVersion: DATASET.version });

  const bundled = bundledDataset();
  const isKept = (list: string) => list !== 'steel-16c-iv';
  const content = {
    ...{ ...bundled, version: '2099.1.1' },
    lists: bundled.lists.filter(({ id }) => isKept(id)),
    headings: bundled.headings
      .map(heading => ({ ...heading, lists: heading.lists.filter(isKept) }))
      .filter(({ lists }) => lists.length > 0),
  };
  harness.dataset = loadDataset({ ...content, sha256: hashOf(content) });
  try {
    await enqueueNightly(harness.store, Date.now(), { dataset: harness.dataset });
    await harness.work(given.domain);
    expect(await shop.jobs.latest(TARIFF_RECHECK)).toMatchObject({
      state: 'done',
      result: { listVersion: '2099.1.1' },
    });
    const bolt = await boltIn();
    expect(bolt.listVersion).toBe('2099.1.1');
    expect(bolt.status).not.toBe('hit');
    const view = await catalogOf(shop, {}, Date.now(), harness.dataset);
    expect([view.lists.version, view.notices.includes('answers_old')]).toEqual(['2099.1.1', false]);
  } finally {
    harness.dataset = DATASET;
  }
});

it('shows the first page for an invalid cursor, and counts unclassified variants by reason', async () => {
  const given = sampleShop('views');
  const shop = await harness.install(given);
  const never = await catalogOf(shop, {}, Date.now(), DATASET);
  expect([never.everRead, never.coverage.total, never.rows]).toEqual([false, 0, []]);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  const view = await catalogOf(shop, { cursor: 'nonsense' }, Date.now(), DATASET);
  const { total, answered, missing, short, invalid } = view.coverage;
  expect(view.rows).toHaveLength(25);
  expect([total, answered + missing + short + invalid]).toEqual([79, 79]);
  expect([missing, short, invalid].every(count => count > 0)).toBe(true);
  const second = await catalogOf(shop, { cursor: view.next! }, Date.now(), DATASET);
  expect([second.rows.length, typeof second.next]).toEqual([25, 'string']);
  const last = await catalogOf(
    shop,
    { cursor: (await catalogOf(shop, { cursor: second.next! }, Date.now(), DATASET)).next! },
    Date.now(),
    DATASET,
  );
  expect([last.rows.length, last.next]).toEqual([4, null]);
});
