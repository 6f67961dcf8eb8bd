import { DATASET } from '@compliance/core/tariff';
import type { FakeShop } from '@compliance/fake-shopify';
import { bigShop, sampleShop } from '@compliance/fake-shopify';
import type { Variant } from '@compliance/store/shop';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { AdminApiError } from '../admin/admin.ts';
import { catalogOf } from './catalog.ts';
import type { TariffResult } from './model/classify.ts';
import { CATALOG } from './model/job-types.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.beforeAsking = () => undefined;
});

async function read(given: FakeShop, payload?: object) {
  const shop = harness.store.shop(given.domain);
  const { job } = await shop.jobs.enqueue({ kind: CATALOG, payload });
  await harness.work(given.domain);
  return (await shop.jobs.get(job.id))!;
}

async function installed(given: FakeShop) {
  const shop = await harness.install(given);
  const job = await read(given);
  const all: Variant[] = [];
  let cursor: string | null = null;
  do {
    const page = await shop.variants.list({ limit: 1000, cursor });
    all.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  return { shop, job, all };
}

const asked = (domain: string, operation: string) =>
  harness.fakeShopify.calls.filter(call => call.shop === domain && call.operation === operation).length;
const first = (all: readonly Variant[], title: string) => all.find(({ productTitle }) => productTitle === title)!;

describe('small catalog reads', () => {
  it('classifies each variant by its own code and reports missing codes', async () => {
    const given = sampleShop('small');
    const { job, all } = await installed(given);
    expect(job).toMatchObject({ state: 'done', result: { state: 'complete', variants: 79, removed: 0, bulk: null } });
    expect(asked(given.domain, 'BulkStart')).toBe(0);
    const bolt = first(all, 'Hex bolt M8, box of 100');
    expect(bolt).toMatchObject({ status: 'hit', digits: 'full', htsCode: '7318152061', origin: 'TW' });
    const [listing] = (bolt.answer as TariffResult).listings;
    expect(listing).toMatchObject({ program: 'steel', rate_pct: 50, annex: 'I-A', hts: '7318.15.20' });
    expect(first(all, 'Wool blanket')).toMatchObject({ status: 'missing', digits: 'missing', htsCode: null });
    expect(bolt.imageUrl).toMatch(/^https:\/\/cdn\.shopify\.com\/.*\?width=80&height=80$/);
    expect(first(all, 'Copper moscow mule mug').imageUrl).toBeNull();
  });

  it('doesn’t classify a variant that has only a six-digit code', async () => {
    const { all } = await installed(sampleShop('short'));
    const rack = first(all, 'Bike rack, hitch mount');
    expect(rack).toMatchObject({ status: 'needs_digits', digits: 'short' });
    expect((rack.answer as TariffResult).below.length).toBeGreaterThan(3);
    // No code that starts with these six digits is covered, but classification requires at least eight digits.
    expect(first(all, 'Linen apron')).toMatchObject({ status: 'needs_digits', digits: 'short' });
  });

  it('prefers a variant’s code for the United States over its general code', async () => {
    const given = sampleShop('us-code');
    const [bolt, , , bowl] = given.products;
    bolt!.variants[0]!.countryCodes = [
      { countryCode: 'CA', harmonizedSystemCode: '7318150000' },
      { countryCode: 'US', harmonizedSystemCode: '4820102020' },
    ];
    // The variant has more country-specific codes than fit on one page of results.
    bowl!.variants[0]!.countryCodes = ['CA', 'MX', 'GB', 'DE', 'FR', 'ES', 'IT', 'JP', 'CN', 'IN', 'BR', 'US'].map(
      countryCode => ({ countryCode, harmonizedSystemCode: '4820102020' }),
    );
    const { all } = await installed(given);
    for (const title of [bolt!.title, bowl!.title]) {
      const [variant] = all.filter(({ productTitle }) => productTitle === title);
      expect(variant).toMatchObject({ htsCode: '4820102020', answer: { codeFor: 'US' } });
      expect(variant!.status).not.toBe('hit');
    }
  });

  it('removes variants and products that no longer exist in Shopify', async () => {
    const given = sampleShop('gone');
    const { shop, all } = await installed(given);
    const [bolt, bracket] = given.products;
    given.products = given.products.slice(1);
    const job = await read(given);
    expect(job.result).toMatchObject({ state: 'complete', removed: 1, variants: 78 });
    expect(await shop.variants.get(bolt!.variants[0]!.id)).toBeNull();
    expect(all).toHaveLength(79);
    // Simulate the job that a webhook for a deleted product enqueues.
    given.products = given.products.slice(1);
    await shop.jobs.enqueue({ kind: 'product', key: bracket!.id, payload: { productId: bracket!.id } });
    await harness.work(given.domain);
    expect((await shop.variants.list({ productId: bracket!.id, limit: 10 })).rows).toEqual([]);
  });

  it('refreshes a variant after an inventory webhook and removes a variant that no longer belongs to its product', async () => {
    const given = sampleShop('changed');
    const { shop } = await installed(given);
    const [bolt, bracket] = given.products;
    bolt!.variants[0]!.harmonizedSystemCode = '4820102020';
    const [kept, left] = bracket!.variants;
    bracket!.variants = [kept!];
    for (const { inventoryItemId } of [bolt!.variants[0]!, kept!])
      await shop.jobs.enqueue({ kind: 'product', key: inventoryItemId, payload: { inventoryItemId } });
    await harness.work(given.domain);
    const changed = await shop.variants.get(bolt!.variants[0]!.id);
    expect(changed).toMatchObject({ htsCode: '4820102020' });
    expect(changed!.changes.map(({ field }) => field)).toContain('htsCode');
    expect(await shop.variants.get(left!.id)).toBeNull();
  });

  it('waits while Shopify throttles requests, and retries after a server error', async () => {
    const given = sampleShop('throttled');
    await harness.install(given);
    harness.fakeShopify.api.bucket(given.domain).drainTo(10);
    harness.fakeShopify.faults.plan({ kind: 'throttled' }, { operation: 'CatalogPage' });
    harness.fakeShopify.faults.plan({ kind: 'status', status: 502 }, { operation: 'CatalogPage' });
    expect(await read(given)).toMatchObject({ state: 'done', result: { variants: 79 } });
  });

  it('keeps the catalog data and asks the merchant to reopen the app when the token is revoked', async () => {
    const given = sampleShop('revoked');
    const { shop } = await installed(given);
    harness.beforeAsking = operation => {
      if (operation === 'CatalogPage') harness.fakeShopify.tokens.revoke(given.domain);
    };
    expect(await read(given)).toMatchObject({ state: 'failed', error: 'revoked' });
    expect((await shop.record())!.needsReopeningAt).not.toBeNull();
    expect((await shop.variants.counts()).total).toBe(79);
    const notices = async () =>
      (await catalogOf(shop, {}, Date.now(), DATASET)).notices.filter(notice => notice !== 'lists_old');
    expect(await notices()).toEqual(['needs_reopening']);
    harness.beforeAsking = () => undefined;
    await shop.setNeedsReopening(false);
    expect(await notices()).toEqual(['interrupted']);
  });

  it('reports that Shopify is unavailable, and retries the catalog job', async () => {
    const given = sampleShop('down');
    await harness.install(given);
    harness.beforeAsking = operation => {
      throw new AdminApiError('unavailable', operation);
    };
    expect(await read(given)).toMatchObject({ state: 'queued', error: 'unavailable' });
    const shop = harness.store.shop(given.domain);
    expect((await catalogOf(shop, {}, Date.now(), DATASET)).notices).toContain('unavailable');
    harness.beforeAsking = () => undefined;
    harness.advance(31_000);
    await harness.work(given.domain);
    expect((await catalogOf(shop, {}, Date.now(), DATASET)).notices).not.toContain('unavailable');
  });

  it('reports that the app doesn’t have the `read_products` scope', async () => {
    const given = sampleShop('no-scope');
    given.scopes = new Set(['read_themes']);
    await harness.install(given);
    expect(await read(given)).toMatchObject({ state: 'failed', error: 'forbidden' });
  });
});

describe('large catalog reads', () => {
  it('reads 5,000 variants from one bulk file and removes deleted variants', async () => {
    const given = bigShop(5_000, 'large');
    given.products[0]!.variants[0]!.countryCodes = [{ countryCode: 'US', harmonizedSystemCode: '4820102020' }];
    const { shop, job } = await installed(given);
    expect(job.result).toMatchObject({ state: 'complete', variants: 5_000, removed: 0 });
    expect(asked(given.domain, 'CatalogPage')).toBe(0);
    expect(await shop.variants.get(given.products[0]!.variants[0]!.id)).toMatchObject({
      ...{ answer: { codeFor: 'US' }, imageUrl: expect.stringContaining('https://cdn.shopify.com/') as string },
    });

    // The webhook for the finished operation arrives late, after the job has already processed the operation's results.
    const { bulk } = job.result as { bulk: string };
    const late = await read(given, { bulkOperationId: bulk });
    expect([late.state, late.result]).toEqual(['done', job.result]);
    expect(asked(given.domain, 'BulkStart')).toBe(1);
  });

  it('keeps a partial bulk result and doesn’t remove any variants', async () => {
    const given = bigShop(2_400, 'partial');
    const { shop } = await installed(given);
    harness.fakeShopify.faults.plan({ kind: 'bulkTimeout', afterLines: 300 }, { operation: 'BulkStart' });
    expect((await read(given)).result).toMatchObject({ state: 'partial', variants: 300, removed: 0 });
    expect((await shop.variants.counts()).total).toBe(2_400);
  });

  it('reads the catalog page by page when Shopify rejects the bulk operation', async () => {
    const given = bigShop(2_000, 'refused');
    await harness.install(given);
    harness.fakeShopify.faults.plan({ kind: 'userErrors', message: 'busy' }, { operation: 'BulkStart' });
    expect((await read(given)).result).toMatchObject({ state: 'complete', variants: 2_000, bulk: null });
  });

  it('resumes a dead worker’s bulk operation without starting another one', async () => {
    const given = bigShop(2_000, 'died');
    const shop = await harness.install(given);
    const { job } = await shop.jobs.enqueue({ kind: CATALOG });
    const dead = (await harness.store.jobs.claim('dies', [CATALOG], 1))!;
    const { startBulk } = await import('./read/bulk.ts');
    const merchant = harness.app.offlineContext(given.domain);
    const bulk = await startBulk(merchant.admin, new AbortController().signal);
    await dead.heartbeat({ step: 'exporting', done: 0, total: 2_000, bulk });
    harness.advance(2);
    await harness.work(given.domain);
    expect(await shop.jobs.get(job.id)).toMatchObject({
      state: 'done',
      attempts: 2,
      result: { variants: 2_000, bulk },
    });
    expect(asked(given.domain, 'BulkStart')).toBe(1);
  });

  it('rereads products that changed during the bulk operation, and doesn’t remove any products', async () => {
    const given = bigShop(2_000, 'meanwhile');
    const { shop } = await installed(given);
    const { startBulk } = await import('./read/bulk.ts');
    const bulk = await startBulk(harness.app.offlineContext(given.domain).admin, new AbortController().signal);
    const changed = given.products[0]!.variants[0]!;
    changed.harmonizedSystemCode = '4820102020';
    const added = { ...given.products[1]!, id: 'gid://shopify/Product/999999', title: 'Added' };
    added.variants = [
      { ...changed, id: 'gid://shopify/ProductVariant/999999', inventoryItemId: 'gid://shopify/InventoryItem/999999' },
    ];
    given.products.push(added);
    for (const productId of [given.products[0]!.id, added.id])
      await shop.jobs.enqueue({ kind: 'product', key: productId, payload: { productId } });
    await harness.work(given.domain);
    const job = await read(given, { bulkOperationId: bulk! });
    expect(job.result).toMatchObject({ state: 'complete', variants: 2_000, removed: 0, bulk });
    for (const id of [changed.id, added.variants[0]!.id])
      expect(await shop.variants.get(id)).toMatchObject({ htsCode: '4820102020' });
  });

  it('ignores a webhook for an unknown bulk operation', async () => {
    const given = sampleShop('unknown-operation');
    await harness.install(given);
    const job = await read(given, { bulkOperationId: 'gid://shopify/BulkOperation/999' });
    expect([job.state, job.result, asked(given.domain, 'CatalogPage')]).toEqual(['done', null, 0]);
  });
});
