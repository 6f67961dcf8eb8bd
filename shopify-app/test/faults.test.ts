import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { merchantOf } from '../stand-in/acts.ts';
import type { Fault } from '../stand-in/admin/fault.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { bigShop, passwordShop, sampleShop } from '../stand-in/shop/samples.ts';
import type { StandInShop } from '../stand-in/shop/shop.ts';
import { BROWSER } from './beside.ts';
import { beginWalk, type Walk } from './walk.ts';

const domainOf = (name: string) => `${name}.myshopify.com`;
const FOREVER = 1_000;

/** Each shop is named by what goes wrong in it. All of them install the app at the same time, as shops do. */
const shops = [
  sampleShop('slow'),
  sampleShop('down'),
  sampleShop('throttled'),
  sampleShop('revoked'),
  sampleShop('frozen'),
  sampleShop('dark'),
  passwordShop('password'),
  without('read_themes', sampleShop('themeless')),
  without('read_products', sampleShop('productless')),
  bigShop(2_100, 'half'),
  sampleShop('refused'),
] as const;

function without(scope: string, shop: StandInShop): StandInShop {
  shop.scopes.delete(scope);
  return shop;
}

// What a merchant reads when something goes wrong: what happened, what to do, and that nothing of theirs is lost.
await describeInBrowser('a merchant for whom something goes wrong', open => {
  let walk: Walk;

  beforeAll(async () => {
    walk = await beginWalk(open, [shops[0]], { jobsAtOnce: 8 });
    const { standIn, app } = walk;
    for (const shop of shops.slice(1)) await standIn.add(shop);
    const plan = (name: string, operation: string, fault: Fault, times = FOREVER) =>
      standIn.faults.plan(fault, { operation, shop: domainOf(name), times });
    plan('slow', 'ThemeFiles', { kind: 'slow', ms: 4_000 }, 1);
    // What each job begins with is enough, and its patience of half a minute is awaited once.
    for (const first of ['MainTheme', 'VariantsCount']) plan('down', first, { kind: 'status', status: 503 });
    plan('throttled', 'VariantsCount', { kind: 'status', status: 429, retryAfter: 200 });
    plan('revoked', 'ThemeChecksums', { kind: 'slow', ms: 1_500 }, 1);
    plan('frozen', '*', { kind: 'status', status: 402 });
    plan('half', 'BulkStart', { kind: 'bulkTimeout', afterLines: 901 }, 1);
    standIn.network.names.delete('www.dark.example');
    const install = async ({ domain }: StandInShop) => {
      const { status } = await fetch(await addressOfApp(app.url, domain), { headers: BROWSER });
      expect(status).toBe(200);
    };
    await Promise.all(shops.map(install));
    const revoked = domainOf('revoked');
    await vi.waitFor(
      () => expect(standIn.calls.some(call => call.shop === revoked && call.operation === 'ThemeChecksums')).toBe(true),
      { timeout: 20_000 },
    );
    standIn.tokens.revoke(revoked);
  });
  afterAll(() => walk?.close());
  afterEach(() => expect(walk.said.splice(0)).toEqual([]));

  const see = (name: string, path = '/app') => walk.visit(path, domainOf(name));
  const banner = (frame: Frame, title: string) => frame.getByText(title, { exact: true }).waitFor({ timeout: 40_000 });
  /** Until no job of the shop is under way. */
  const settled = (name: string) =>
    vi.waitFor(
      async () => {
        const jobs = await walk.store.shop(domainOf(name)).jobs.list({ limit: 50 });
        expect(
          jobs.filter(({ state, runAt }) => state === 'running' || (state === 'queued' && runAt <= Date.now())),
        ).toEqual([]);
      },
      { timeout: 50_000, interval: 200 },
    );

  it('Shopify is slow: the page says what is being read, and goes on by itself', async () => {
    const frame = await see('slow');
    await frame.getByRole('heading', { name: 'Reading the files of your theme' }).waitFor({ timeout: 20_000 });
    await frame.getByText('You can leave this page; the scan goes on.').waitFor();
    await walk.inspected(frame, 'fault-slow');
    await frame.getByText(/things? needs? you/).waitFor({ timeout: 30_000 });
  });

  it('the storefront is behind its password: the theme is read all the same', async () => {
    await settled('password');
    const frame = await see('password');
    await banner(frame, 'Your storefront is behind a password');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await walk.inspected(frame, 'fault-password');
  });

  it('the app may not read the theme: the pages are read all the same', async () => {
    await settled('themeless');
    const frame = await see('themeless');
    await banner(frame, 'The app may not read your theme');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await walk.inspected(frame, 'fault-no-themes');
    await (await see('themeless', '/app/settings')).getByText('Missing: open the app again').waitFor();
  });

  it('the app may not read products: the catalog says so, the scan is there', async () => {
    await settled('productless');
    const frame = await see('productless', '/app/catalog');
    await banner(frame, 'The app may not read your products');
    await walk.inspected(frame, 'fault-no-products');
    await (await see('productless')).getByText(/things? needs? you/).waitFor();
  });

  it('the store is paused: Home and catalog say so', async () => {
    await settled('frozen');
    const frame = await see('frozen');
    await banner(frame, 'Shopify has paused this store');
    await walk.inspected(frame, 'fault-frozen');
    await banner(await see('frozen', '/app/catalog'), 'Shopify has paused this store');
  });

  it('the storefront is out of reach: what the theme holds is known, what shoppers get is not', async () => {
    await settled('dark');
    const frame = await see('dark');
    await banner(frame, 'Your home page could not be read');
    await frame.getByText('There is no score until a scan has read your home page.').waitFor();
    await walk.inspected(frame, 'fault-dark');
    const history = await see('dark', '/app/history');
    await history.locator('li').first().getByRole('link').click();
    await history
      .getByText(/not reachable/)
      .first()
      .waitFor();
  });

  it('the token is revoked in the middle: what was read is kept, and the next scan reads the rest', async () => {
    await settled('revoked');
    const frame = await see('revoked');
    await banner(frame, 'The last scan was interrupted');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await walk.inspected(frame, 'fault-revoked');
    await frame.getByRole('button', { name: 'Scan now' }).click();
    await frame
      .getByText('The last scan was interrupted', { exact: true })
      .waitFor({ state: 'detached', timeout: 30_000 });
    await settled('revoked');
    const again = await see('revoked', '/app/findings');
    await again
      .getByText(/snippets\/tracking\.liquid:\d+/)
      .first()
      .waitFor();
  });

  it('Shopify gives half of a large catalog: the rest is unknown, not gone', async () => {
    await settled('half');
    const frame = await see('half', '/app/catalog');
    await banner(frame, 'Shopify gave only a part of your catalog');
    await walk.inspected(frame, 'fault-half');
    const { total: half } = await walk.store.shop(domainOf('half')).variants.counts();
    expect(half).toBeGreaterThan(100);
    await frame.getByRole('button', { name: 'Read catalog now' }).click();
    await frame.getByText(/of 2,100 variants have an answer/).waitFor({ timeout: 30_000 });
    // Once more half: nothing that is known goes.
    walk.standIn.faults.plan(
      { kind: 'bulkTimeout', afterLines: 301 },
      { operation: 'BulkStart', shop: domainOf('half') },
    );
    await frame.getByRole('button', { name: 'Read catalog now' }).click();
    await banner(frame, 'Shopify gave only a part of your catalog');
    await frame.getByText(/of 2,100 variants have an answer/).waitFor();
  });

  it('Shopify throttles: the catalog waits, and a click goes on at once', async () => {
    const frame = await see('throttled', '/app/catalog');
    await banner(frame, 'Shopify asks us to slow down');
    await walk.inspected(frame, 'fault-throttled');
    walk.standIn.faults.clear(domainOf('throttled'));
    walk.standIn.faults.plan(
      { kind: 'throttled' },
      { operation: 'CatalogPage', shop: domainOf('throttled'), times: 2 },
    );
    await frame.getByRole('button', { name: 'Read catalog now' }).click();
    await frame.getByText(/of 79 variants have an answer/).waitFor({ timeout: 30_000 });
    expect(await frame.getByText('Shopify asks us to slow down', { exact: true }).count()).toBe(0);
  });

  it('Shopify refuses a code, is busy, or answers nothing: the form says whether it was saved, and keeps what was typed', async () => {
    await settled('refused');
    const { standIn } = walk;
    const shop = domainOf('refused');
    await merchantOf(standIn, shop, walk.app.url).grant('write_inventory');
    const frame = await see('refused', '/app/catalog/100');
    const save = async (fault: Fault, times: number) => {
      standIn.faults.plan(fault, { operation: 'InventoryItemUpdate', shop, times });
      await frame.getByLabel('HTS code', { exact: true }).fill('4820102020');
      await frame.getByRole('button', { name: 'Save to Shopify' }).click();
    };
    const said = async (text: string) => {
      await frame.getByText(text).first().waitFor({ timeout: 20_000 });
      expect(await frame.getByLabel('HTS code', { exact: true }).inputValue()).toBe('4820102020');
    };
    await save(
      { kind: 'userErrors', message: 'Code <b>is not valid</b>', field: ['input', 'harmonizedSystemCode'] },
      1,
    );
    await said('Shopify refused this value. Code <b>is not valid</b>');
    await walk.inspected(frame, 'fault-refused');
    await save({ kind: 'status', status: 429 }, 3);
    await said('Shopify is busy. Nothing was saved; try again in a moment.');
    await save({ kind: 'status', status: 503 }, 3);
    await said('Shopify did not answer. Look whether it was saved before you try again.');
    await walk.inspected(frame, 'fault-unavailable');
    standIn.faults.clear(shop);
    // A token that is worth nothing any more is no matter of the merchant's: the same click brings another.
    standIn.tokens.revoke(shop);
    expect(standIn.shops.get(shop)!.products[0]!.variants[0]!.harmonizedSystemCode).toBe('7318152061');
    await frame.getByRole('button', { name: 'Save to Shopify' }).click();
    await vi.waitFor(
      () => expect(standIn.shops.get(shop)!.products[0]!.variants[0]!.harmonizedSystemCode).toBe('4820102020'),
      { timeout: 20_000 },
    );
    await frame.getByText('4820.10.20.20').first().waitFor();
    expect(walk.said.splice(0)).toEqual([expect.stringContaining('status of 401')]);
  });

  it('Shopify is down: what can be read is read, and the catalog says that it is tried again', async () => {
    await settled('down');
    const frame = await see('down');
    await banner(frame, 'Not everything was read');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    const catalog = await see('down', '/app/catalog');
    await banner(catalog, 'Shopify does not answer');
    await walk.inspected(catalog, 'fault-down');
    walk.standIn.faults.clear(domainOf('down'));
    await catalog.getByRole('button', { name: 'Read catalog now' }).click();
    await catalog.getByText(/of 79 variants have an answer/).waitFor({ timeout: 30_000 });
    const home = await see('down');
    await home.getByRole('button', { name: 'Scan now' }).click();
    await home.getByText('Not everything was read', { exact: true }).waitFor({ state: 'detached', timeout: 30_000 });
  });

  it('leaves nothing lost, and asks no stranger', async () => {
    for (const { domain } of shops) {
      const shop = walk.store.shop(domain);
      expect(await shop.record(), domain).not.toBeNull();
      expect((await shop.scans.list({ limit: 5 })).rows.length, domain).toBeGreaterThan(0);
    }
    expect(walk.refused).toEqual([]);
  });
});
