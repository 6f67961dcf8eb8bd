import type { FakeShop, Fault } from '@compliance/fake-shopify';
import { bigShop, embeddedAppUrl, merchantActions, passwordShop, sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';
import { BROWSER } from './harness.ts';

const domainOf = (name: string) => `${name}.myshopify.com`;
const FOREVER = 1_000;

/** Shops named after the failures that they simulate. All except the slow shop install the app at the same time. */
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

function without(scope: string, shop: FakeShop): FakeShop {
  shop.scopes.delete(scope);
  return shop;
}

// Checks that the app explains each failure and the next step to the merchant, and that no data is lost.
await describeInBrowser('failures shown to merchants', open => {
  let session: BrowserSession;

  beforeAll(async () => {
    session = await startBrowserSession(open, [shops[0]], { jobsAtOnce: 8 });
    const { fakeShopify } = session;
    for (const shop of shops.slice(1)) await fakeShopify.add(shop);
    const plan = (name: string, operation: string, fault: Fault, times = FOREVER) =>
      fakeShopify.faults.plan(fault, { operation, shop: domainOf(name), times });
    plan('slow', 'ThemeFiles', { kind: 'slow', ms: 6_000 }, 1);
    // Fail only the first operation of each job, so that the job waits for retries only once.
    for (const first of ['MainTheme', 'VariantsCount']) plan('down', first, { kind: 'status', status: 503 });
    plan('throttled', 'VariantsCount', { kind: 'status', status: 429, retryAfter: 200 });
    plan('revoked', 'ThemeChecksums', { kind: 'slow', ms: 1_500 }, 1);
    plan('frozen', '*', { kind: 'status', status: 402 });
    plan('half', 'BulkStart', { kind: 'bulkTimeout', afterLines: 901 }, 1);
    fakeShopify.network.names.delete('www.dark.example');
    await Promise.all(shops.filter(({ domain }) => domain !== domainOf('slow')).map(install));
    const revoked = domainOf('revoked');
    await vi.waitFor(
      () =>
        expect(fakeShopify.calls.some(call => call.shop === revoked && call.operation === 'ThemeChecksums')).toBe(true),
      { timeout: 20_000 },
    );
    fakeShopify.tokens.revoke(revoked);
  });
  afterAll(() => session?.close());
  afterEach(() => expect(session.consoleErrors.splice(0)).toEqual([]));

  const install = async ({ domain }: Pick<FakeShop, 'domain'>) => {
    const { status } = await fetch(await embeddedAppUrl(session.app.url, domain), { headers: BROWSER });
    expect(status).toBe(200);
  };
  const see = (name: string, path = '/app') => session.visit(path, domainOf(name));
  const banner = (frame: Frame, title: string) => frame.getByText(title, { exact: true }).waitFor({ timeout: 40_000 });
  /** Waits until the shop has no due jobs. */
  const settled = (name: string) =>
    vi.waitFor(
      async () => {
        const jobs = await session.store.shop(domainOf(name)).jobs.list({ limit: 50 });
        expect(
          jobs.filter(({ state, runAt }) => state === 'running' || (state === 'queued' && runAt <= Date.now())),
        ).toEqual([]);
      },
      { timeout: 50_000, interval: 200 },
    );

  it('shows scan progress while Shopify is slow and updates the page automatically', async () => {
    // The installation starts the scan, so the page must be open before Shopify responds.
    await install({ domain: domainOf('slow') });
    const frame = await see('slow');
    await frame.getByRole('heading', { name: 'Scanning your theme files' }).waitFor({ timeout: 20_000 });
    await frame.getByText('You can leave this page. The scan will continue.').waitFor();
    await session.checkScreen(frame, 'fault-slow');
    await frame.getByText(/^Last scanned/).waitFor({ timeout: 30_000 });
  });

  it('shows theme results for a password-protected storefront', async () => {
    await settled('password');
    const frame = await see('password');
    await banner(frame, 'Your storefront is password protected');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await session.checkScreen(frame, 'fault-password');
  });

  it('shows storefront results if the app doesn’t have permission to read the theme', async () => {
    await settled('themeless');
    const frame = await see('themeless');
    await banner(frame, 'The app doesn’t have permission to read your theme');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await session.checkScreen(frame, 'fault-no-themes');
    await (await see('themeless', '/app/settings')).getByText('Not granted. Reopen the app.').waitFor();
  });

  it('shows scan results and a catalog notice if the app doesn’t have permission to read products', async () => {
    await settled('productless');
    const frame = await see('productless', '/app/catalog');
    await banner(frame, 'The app doesn’t have permission to read your products');
    await session.checkScreen(frame, 'fault-no-products');
    await (await see('productless')).getByText(/^Last scanned/).waitFor();
  });

  it('shows on the Home page and in the catalog that the store is frozen', async () => {
    await settled('frozen');
    const frame = await see('frozen');
    await banner(frame, 'Shopify has frozen this store');
    await session.checkScreen(frame, 'fault-frozen');
    await banner(await see('frozen', '/app/catalog'), 'Shopify has frozen this store');
  });

  it('shows theme results but no score for an unreachable storefront', async () => {
    await settled('dark');
    const frame = await see('dark');
    await banner(frame, 'We couldn’t scan your home page');
    await frame.getByText('You’ll get a score after we scan your home page.').waitFor();
    await session.checkScreen(frame, 'fault-dark');
    const history = await see('dark', '/app/history');
    await history.locator('li').first().getByRole('link').click();
    await history
      .getByText(/unreachable/)
      .first()
      .waitFor();
  });

  it('keeps partial results after the token is revoked, and completes them in the next scan', async () => {
    await settled('revoked');
    const frame = await see('revoked');
    await banner(frame, 'The last scan was interrupted');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await session.checkScreen(frame, 'fault-revoked');
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

  it('treats the products that a truncated catalog sync didn’t return as unknown, not as removed', async () => {
    await settled('half');
    const frame = await see('half', '/app/catalog');
    await banner(frame, 'Shopify returned only part of your catalog');
    await session.checkScreen(frame, 'fault-half');
    const { total: half } = await session.store.shop(domainOf('half')).variants.counts();
    expect(half).toBeGreaterThan(100);
    await frame.getByRole('button', { name: 'Sync catalog' }).click();
    await frame.getByText(/of 2,100 variants have a Section 232 result/).waitFor({ timeout: 30_000 });
    // A second partial read doesn't remove any known variant.
    session.fakeShopify.faults.plan(
      { kind: 'bulkTimeout', afterLines: 301 },
      { operation: 'BulkStart', shop: domainOf('half') },
    );
    await frame.getByRole('button', { name: 'Sync catalog' }).click();
    await banner(frame, 'Shopify returned only part of your catalog');
    await frame.getByText(/of 2,100 variants have a Section 232 result/).waitFor();
  });

  it('reports that Shopify throttled the catalog sync, and resumes it on request', async () => {
    const frame = await see('throttled', '/app/catalog');
    await banner(frame, 'Shopify is limiting our requests');
    await session.checkScreen(frame, 'fault-throttled');
    session.fakeShopify.faults.clear(domainOf('throttled'));
    session.fakeShopify.faults.plan(
      { kind: 'throttled' },
      { operation: 'CatalogPage', shop: domainOf('throttled'), times: 2 },
    );
    await frame.getByRole('button', { name: 'Sync catalog' }).click();
    await frame.getByText(/of 79 variants have a Section 232 result/).waitFor({ timeout: 30_000 });
    expect(await frame.getByText('Shopify is limiting our requests', { exact: true }).count()).toBe(0);
  });

  it('tells the merchant that saving to Shopify failed, and keeps the typed HTS code', async () => {
    await settled('refused');
    const { fakeShopify } = session;
    const shop = domainOf('refused');
    await merchantActions(fakeShopify, shop, session.app.url).grant('write_inventory');
    const frame = await see('refused', '/app/catalog/100');
    const save = async (fault: Fault, times: number) => {
      fakeShopify.faults.plan(fault, { operation: 'InventoryItemUpdate', shop, times });
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
    await said('Shopify rejected this value. Code <b>is not valid</b>');
    await session.checkScreen(frame, 'fault-refused');
    await save({ kind: 'status', status: 429 }, 3);
    await said('Shopify is busy. Nothing was saved. Wait a moment and try again.');
    await save({ kind: 'status', status: 503 }, 3);
    await said('Shopify didn’t respond. Before you try again, check whether your changes were saved.');
    await session.checkScreen(frame, 'fault-unavailable');
    fakeShopify.faults.clear(shop);
    // A single click replaces the revoked token and saves the code.
    fakeShopify.tokens.revoke(shop);
    expect(fakeShopify.shops.get(shop)!.products[0]!.variants[0]!.harmonizedSystemCode).toBe('7318152061');
    await frame.getByRole('button', { name: 'Save to Shopify' }).click();
    await vi.waitFor(
      () => expect(fakeShopify.shops.get(shop)!.products[0]!.variants[0]!.harmonizedSystemCode).toBe('4820102020'),
      { timeout: 20_000 },
    );
    await frame.getByText('4820.10.20.20').first().waitFor();
    expect(session.consoleErrors.splice(0)).toEqual([expect.stringContaining('status of 401')]);
  });

  it('shows partial results and announces a catalog retry while Shopify is down', async () => {
    await settled('down');
    const frame = await see('down');
    await banner(frame, 'The last scan was incomplete');
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    const catalog = await see('down', '/app/catalog');
    await banner(catalog, 'Shopify isn’t responding');
    await session.checkScreen(catalog, 'fault-down');
    session.fakeShopify.faults.clear(domainOf('down'));
    await catalog.getByRole('button', { name: 'Sync catalog' }).click();
    await catalog.getByText(/of 79 variants have a Section 232 result/).waitFor({ timeout: 30_000 });
    const home = await see('down');
    await home.getByRole('button', { name: 'Scan now' }).click();
    await home
      .getByText('The last scan was incomplete', { exact: true })
      .waitFor({ state: 'detached', timeout: 30_000 });
  });

  it('never loses shop data and never sends a request to another host', async () => {
    for (const { domain } of shops) {
      const shop = session.store.shop(domain);
      expect(await shop.record(), domain).not.toBeNull();
      expect((await shop.scans.list({ limit: 5 })).rows.length, domain).toBeGreaterThan(0);
    }
    expect(session.blockedUrls).toEqual([]);
  });
});
