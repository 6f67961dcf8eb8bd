import type { Variant } from '@compliance/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bigShop, sampleShop } from '../../stand-in/shop/samples.ts';
import type { StandInShop } from '../../stand-in/shop/shop.ts';
import { AdminFailed } from '../admin/admin.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import type { TariffAnswer } from './answer.ts';
import { catalogOf } from './catalog.ts';
import { CATALOG } from './words.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.beforeAsking = () => undefined;
});

async function read(given: StandInShop, payload?: object) {
  const shop = world.store.shop(given.domain);
  const { job } = await shop.jobs.enqueue({ kind: CATALOG, payload });
  await world.work(given.domain);
  return (await shop.jobs.get(job.id))!;
}

async function installed(given: StandInShop) {
  const shop = await world.install(given);
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
  world.standIn.calls.filter(call => call.shop === domain && call.operation === operation).length;
const first = (all: readonly Variant[], title: string) => all.find(({ productTitle }) => productTitle === title)!;

describe('the reading of a small catalog', () => {
  it('answers each variant by its own code, and says which have none', async () => {
    const given = sampleShop('small');
    const { job, all } = await installed(given);
    expect(job).toMatchObject({ state: 'done', result: { state: 'complete', variants: 79, removed: 0, bulk: null } });
    expect(asked(given.domain, 'BulkStart')).toBe(0);
    const bolt = first(all, 'Hex bolt M8, box of 100');
    expect(bolt).toMatchObject({ status: 'hit', digits: 'full', htsCode: '7318152061', origin: 'TW' });
    const [listing] = (bolt.answer as TariffAnswer).listings;
    expect(listing).toMatchObject({ program: 'steel', rate_pct: 50, annex: 'I-A', hts: '7318.15.20' });
    expect(first(all, 'Wool blanket')).toMatchObject({ status: 'missing', digits: 'missing', htsCode: null });
  });

  it('never takes a code of six digits for an answer', async () => {
    const { all } = await installed(sampleShop('short'));
    const rack = first(all, 'Bike rack, hitch mount');
    expect(rack).toMatchObject({ status: 'needs_digits', digits: 'short' });
    expect((rack.answer as TariffAnswer).below.length).toBeGreaterThan(3);
    // Nothing that begins with this is listed, but the number that decides is still not known.
    expect(first(all, 'Linen apron')).toMatchObject({ status: 'needs_digits', digits: 'short' });
  });

  it('lets the code for the United States win over the general one', async () => {
    const given = sampleShop('us-code');
    const [bolt, , , bowl] = given.products;
    bolt!.variants[0]!.countryCodes = [
      { countryCode: 'CA', harmonizedSystemCode: '7318150000' },
      { countryCode: 'US', harmonizedSystemCode: '4820102020' },
    ];
    // More countries than one question shows.
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

  it('removes what Shopify has no more, and a product that a webhook says is gone', async () => {
    const given = sampleShop('gone');
    const { shop, all } = await installed(given);
    const [bolt, bracket] = given.products;
    given.products = given.products.slice(1);
    const job = await read(given);
    expect(job.result).toMatchObject({ state: 'complete', removed: 1, variants: 78 });
    expect(await shop.variants.get(bolt!.variants[0]!.id)).toBeNull();
    expect(all).toHaveLength(79);
    // A webhook of a product that is gone.
    given.products = given.products.slice(1);
    await shop.jobs.enqueue({ kind: 'product', key: bracket!.id, payload: { productId: bracket!.id } });
    await world.work(given.domain);
    expect((await shop.variants.list({ productId: bracket!.id, limit: 10 })).rows).toEqual([]);
  });

  it('sees a new code when Shopify says that an item changed, and a variant that left its product', async () => {
    const given = sampleShop('changed');
    const { shop } = await installed(given);
    const [bolt, bracket] = given.products;
    bolt!.variants[0]!.harmonizedSystemCode = '4820102020';
    const [kept, left] = bracket!.variants;
    bracket!.variants = [kept!];
    for (const { inventoryItemId } of [bolt!.variants[0]!, kept!])
      await shop.jobs.enqueue({ kind: 'product', key: inventoryItemId, payload: { inventoryItemId } });
    await world.work(given.domain);
    const changed = await shop.variants.get(bolt!.variants[0]!.id);
    expect(changed).toMatchObject({ htsCode: '4820102020' });
    expect(changed!.changes.map(({ field }) => field)).toContain('htsCode');
    expect(await shop.variants.get(left!.id)).toBeNull();
  });

  it('waits while Shopify throttles, and bears answers that are lost', async () => {
    const given = sampleShop('throttled');
    await world.install(given);
    world.standIn.api.bucket(given.domain).drainTo(10);
    world.standIn.faults.plan({ kind: 'throttled' }, { operation: 'CatalogPage' });
    world.standIn.faults.plan({ kind: 'status', status: 502 }, { operation: 'CatalogPage' });
    expect(await read(given)).toMatchObject({ state: 'done', result: { variants: 79 } });
  });

  it('keeps what came before the token was revoked, and says that the merchant must come back', async () => {
    const given = sampleShop('revoked');
    const { shop } = await installed(given);
    world.beforeAsking = operation => {
      if (operation === 'CatalogPage') world.standIn.tokens.revoke(given.domain);
    };
    expect(await read(given)).toMatchObject({ state: 'failed', error: 'revoked' });
    expect((await shop.record())!.needsReopeningAt).not.toBeNull();
    expect((await shop.variants.counts()).total).toBe(79);
    const notices = async () =>
      (await catalogOf(shop, {}, Date.now())).notices.filter(notice => notice !== 'lists_old');
    expect(await notices()).toEqual(['needs_reopening']);
    world.beforeAsking = () => undefined;
    await shop.setNeedsReopening(false);
    expect(await notices()).toEqual(['interrupted']);
  });

  it('says while Shopify is down that it will be tried again, and tries again', async () => {
    const given = sampleShop('down');
    await world.install(given);
    world.beforeAsking = operation => {
      throw new AdminFailed('unavailable', operation);
    };
    expect(await read(given)).toMatchObject({ state: 'queued', error: 'unavailable' });
    const shop = world.store.shop(given.domain);
    expect((await catalogOf(shop, {}, Date.now())).notices).toContain('unavailable');
    world.beforeAsking = () => undefined;
    world.advance(31_000);
    await world.work(given.domain);
    expect((await catalogOf(shop, {}, Date.now())).notices).not.toContain('unavailable');
  });

  it('says when the merchant did not let the app read products', async () => {
    const given = sampleShop('no-scope');
    given.scopes = new Set(['read_themes']);
    await world.install(given);
    expect(await read(given)).toMatchObject({ state: 'failed', error: 'forbidden' });
  });
});

describe('the reading of a large catalog', () => {
  it('reads five thousand variants from one file, and sweeps what is gone', async () => {
    const given = bigShop(5_000, 'large');
    given.products[0]!.variants[0]!.countryCodes = [{ countryCode: 'US', harmonizedSystemCode: '4820102020' }];
    const { shop, job } = await installed(given);
    expect(job.result).toMatchObject({ state: 'complete', variants: 5_000, removed: 0 });
    expect(asked(given.domain, 'CatalogPage')).toBe(0);
    expect(await shop.variants.get(given.products[0]!.variants[0]!.id)).toMatchObject({ answer: { codeFor: 'US' } });

    // The news of its end, late: all is done already.
    const { bulk } = job.result as { bulk: string };
    const late = await read(given, { bulkOperationId: bulk });
    expect([late.state, late.result]).toEqual(['done', job.result]);
    expect(asked(given.domain, 'BulkStart')).toBe(1);
  });

  it('keeps a part when Shopify gives no more, and sweeps nothing', async () => {
    const given = bigShop(2_400, 'partial');
    const { shop } = await installed(given);
    world.standIn.faults.plan({ kind: 'bulkTimeout', afterLines: 300 }, { operation: 'BulkStart' });
    expect((await read(given)).result).toMatchObject({ state: 'partial', variants: 300, removed: 0 });
    expect((await shop.variants.counts()).total).toBe(2_400);
  });

  it('goes page by page when Shopify refuses the operation', async () => {
    const given = bigShop(2_000, 'refused');
    await world.install(given);
    world.standIn.faults.plan({ kind: 'userErrors', message: 'busy' }, { operation: 'BulkStart' });
    expect((await read(given)).result).toMatchObject({ state: 'complete', variants: 2_000, bulk: null });
  });

  it('goes on with the operation of a worker that died, and starts no other', async () => {
    const given = bigShop(2_000, 'died');
    const shop = await world.install(given);
    const { job } = await shop.jobs.enqueue({ kind: CATALOG });
    const dead = (await world.store.jobs.claim('dies', [CATALOG], 1))!;
    const { startBulk } = await import('./read/bulk.ts');
    const merchant = world.app.merchantBehind(given.domain);
    const bulk = await startBulk(merchant.admin, new AbortController().signal);
    await dead.heartbeat({ step: 'exporting', done: 0, total: 2_000, bulk });
    world.advance(2);
    await world.work(given.domain);
    expect(await shop.jobs.get(job.id)).toMatchObject({
      state: 'done',
      attempts: 2,
      result: { variants: 2_000, bulk },
    });
    expect(asked(given.domain, 'BulkStart')).toBe(1);
  });

  it('reads again what changed after Shopify began to write, and sweeps none of it', async () => {
    const given = bigShop(2_000, 'meanwhile');
    const { shop } = await installed(given);
    const { startBulk } = await import('./read/bulk.ts');
    const bulk = await startBulk(world.app.merchantBehind(given.domain).admin, new AbortController().signal);
    const changed = given.products[0]!.variants[0]!;
    changed.harmonizedSystemCode = '4820102020';
    const added = { ...given.products[1]!, id: 'gid://shopify/Product/999999', title: 'Added' };
    added.variants = [
      { ...changed, id: 'gid://shopify/ProductVariant/999999', inventoryItemId: 'gid://shopify/InventoryItem/999999' },
    ];
    given.products.push(added);
    for (const productId of [given.products[0]!.id, added.id])
      await shop.jobs.enqueue({ kind: 'product', key: productId, payload: { productId } });
    await world.work(given.domain);
    const job = await read(given, { bulkOperationId: bulk! });
    expect(job.result).toMatchObject({ state: 'complete', variants: 2_000, removed: 0, bulk });
    for (const id of [changed.id, added.variants[0]!.id])
      expect(await shop.variants.get(id)).toMatchObject({ htsCode: '4820102020' });
  });

  it('starts nothing for an operation that is not there', async () => {
    const given = sampleShop('stranger');
    await world.install(given);
    const job = await read(given, { bulkOperationId: 'gid://shopify/BulkOperation/999' });
    expect([job.state, job.result, asked(given.domain, 'CatalogPage')]).toEqual(['done', null, 0]);
  });
});
