import { type FakeShop, sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../../test/job-harness.ts';
import { CATALOG } from '../model/job-types.ts';
import { bulkEditOf, parseBulkQuery, saveBulkEdit } from './bulk-edit.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

/** Adds a product to a shop, with variants that share a code. */
function addProduct(shop: FakeShop, number: number, code: string | null, variants: number): void {
  const [sample] = shop.products;
  shop.products.push({
    ...sample!,
    ...{ id: `gid://shopify/Product/${number}`, title: `Product ${number}` },
    variants: Array.from({ length: variants }, (_, index) => ({
      ...sample!.variants[0]!,
      id: `gid://shopify/ProductVariant/${number * 1000 + index}`,
      inventoryItemId: `gid://shopify/InventoryItem/${number * 1000 + index}`,
      ...{ sku: `BULK-${number}-${index}`, harmonizedSystemCode: code, countryCodes: [] },
    })),
  });
}

async function opened(name: string, products: readonly (readonly [code: string | null, variants: number])[]) {
  const given = sampleShop(name);
  given.scopes.add('write_inventory');
  for (const [index, [code, variants]] of products.entries()) addProduct(given, 900 + index, code, variants);
  const shop = await harness.install(given);
  await shop.jobs.enqueue({ kind: CATALOG });
  await harness.work(given.domain);
  const merchant = { ...harness.app.offlineContext(given.domain), user: '42' };
  const save = (digits: 'short' | 'missing' | 'invalid', groups: unknown) =>
    saveBulkEdit(merchant, digits, JSON.stringify(groups));
  const view = (query = '') => bulkEditOf(shop, parseBulkQuery(new URLSearchParams(query)));
  return { given, shop, save, view };
}

describe('the bulk edit page', () => {
  it('saves at most 2,000 variants of a group at a time, and reports whether more remain', async () => {
    const { shop, save } = await opened('bulk-large', []);
    const [sample] = (await shop.variants.list({ limit: 1 })).rows;
    const variants = Array.from({ length: 2_050 }, (_, index) => ({
      ...{ ...sample!, variantId: `gid://shopify/ProductVariant/${5_000_000 + index}`, productId: 'large' },
      ...{ htsCode: '9999', digits: 'short', status: 'needs_digits' },
    }));
    await shop.variants.upsert('run', variants);
    const entry = { key: '9999', code: '7318152061' };
    expect(await save('short', [entry])).toMatchObject({ variants: 2_000, more: true });
    await shop.variants.remove({ variantIds: variants.slice(0, 50).map(({ variantId }) => variantId) });
    expect(await save('short', [entry])).toMatchObject({ variants: 2_000, more: false });
    // Without this step, the next test's worker would send 4,000 requests to Shopify.
    await shop.jobs.cancel();
  });

  it('extends the short codes of 376 variants to ten digits, using one code per group', async () => {
    const { shop, save, view } = await opened('bulk', [
      ['731815', 200],
      ['8302500000'.slice(0, 6), 100],
      ['731815', 76],
    ]);
    const { groups, counts } = await view();
    const [bolts] = groups;
    expect(bolts).toMatchObject({ key: '731815', code: '7318.15', products: 2 });
    expect(bolts!.variants).toBeGreaterThanOrEqual(276);
    expect(bolts!.below.every(code => code.startsWith('7318.15'))).toBe(true);
    const entries = groups.map(({ key }) => ({ key, code: `${key.slice(0, 6).padEnd(6, '0')}2061` }));
    const result = await save('short', entries);
    expect(result).toMatchObject({ variants: counts.short });
    // Refill the API's rate limit bucket quickly, so that the job doesn't have to wait a minute.
    const bucket = harness.fakeShopify.api.bucket(shop.domain);
    const refill = setInterval(() => bucket.giveBack(2_000), 100);
    await harness.work(shop.domain).finally(() => clearInterval(refill));
    const after = await view();
    expect(after.counts.short).toBe(0);
    expect(after.saving?.result).toEqual({ saved: counts.short, failed: [] });
  });

  it('groups variants without a code by product', async () => {
    const { given, save, view, shop } = await opened('bulk-missing', [[null, 3]]);
    const group = (await view('digits=missing')).groups.find(({ productTitle }) => productTitle === 'Product 900');
    expect(group).toMatchObject({ key: 'gid://shopify/Product/900', code: null, variants: 3 });
    expect(await save('missing', [{ key: group!.key, code: '7318.15.20.61' }])).toMatchObject({ variants: 3 });
    await harness.work(shop.domain);
    const { variants } = given.products.find(({ title }) => title === 'Product 900')!;
    expect(variants.map(({ harmonizedSystemCode }) => harmonizedSystemCode)).toEqual(Array(3).fill('7318152061'));
  });

  it('saves nothing unless every new code has ten digits', async () => {
    const { shop, save } = await opened('bulk-faults', [['731815', 2]]);
    const groups = ['7318.15', 'see invoice', '7318.15.20.61'].map((code, index) => ({ key: `${index}`, code }));
    expect(await save('short', groups)).toEqual({ faults: ['0', '1'] });
    expect(await shop.jobs.latest('save_codes')).toBeNull();
  });

  it('rejects input that isn’t a list of groups, and groups that no longer exist', async () => {
    const { save } = await opened('bulk-input', []);
    for (const input of [null, [], [{ key: '' }], [{ key: 'x'.repeat(201), code: '1' }], 'x'])
      expect(await save('short', input)).toBeNull();
    expect(await save('short', [{ key: '9999', code: '7318.15.20.61' }])).toEqual({ refused: 'none' });
  });

  it('doesn’t change another shop’s variants that share the code', async () => {
    const one = await opened('bulk-one', [['731815', 2]]);
    const two = await opened('bulk-two', [['731815', 2]]);
    await one.save('short', [{ key: '731815', code: '7318.15.20.61' }]);
    await harness.work(one.shop.domain);
    await harness.work(two.shop.domain);
    expect((await two.view()).groups.find(({ key }) => key === '731815')!.variants).toBeGreaterThanOrEqual(2);
  });
});
