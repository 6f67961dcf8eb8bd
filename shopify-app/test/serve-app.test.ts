import { embeddedAppUrl, type FakeShopify, sampleShop, startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { describeInBrowser, routeFakeShopify } from '@compliance/fake-shopify/browser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningApp } from '../src/serve.ts';
import { serveAppForBrowsers } from './serve-app.ts';

await describeInBrowser('app in the Shopify admin', open => {
  let fakeShopify: FakeShopify;
  let app: RunningApp;
  let blocked: string[];
  beforeAll(async () => {
    fakeShopify = await startFakeShopify([sampleShop()]);
    blocked = wireFetch(fakeShopify);
    app = await serveAppForBrowsers(fakeShopify, { jobsAtOnce: 0 });
  });
  afterAll(async () => {
    await app.stop();
    await fakeShopify.close();
  });

  it.each([
    ['with a session token', ''],
    ['without a session token, through the token page', '?no_token=1'],
  ])('opens the app %s, hydrates it without errors, and never contacts another host', async (_, query) => {
    const context = await open();
    const refused = await routeFakeShopify(context, fakeShopify, app.url);
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', message => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
    page.on('pageerror', error => said.push(error.message));
    await page.goto(`https://admin.shopify.com/store/sample-shop${query}`);
    const sidebar = page.getByRole('navigation', { name: 'App' });
    await sidebar.getByRole('button', { name: 'Home' }).waitFor();
    await page.frameLocator('iframe[name=app]').locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await sidebar.getByRole('button', { name: 'History' }).click();
    await expect.poll(() => page.url()).toMatch(/\/app\/history$/);
    await page.frameLocator('iframe[name=app]').getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(said).toEqual([]);
    expect(refused).toEqual([]);
    expect(blocked).toEqual([]);
    await context.close();
  });

  it('redirects to the Shopify admin if the app is opened outside the admin', async () => {
    const context = await open();
    await routeFakeShopify(context, fakeShopify, app.url);
    const page = await context.newPage();
    const { searchParams } = new URL(await embeddedAppUrl(app.url, 'sample-shop.myshopify.com'));
    searchParams.delete('embedded');
    await page.goto(`${app.url}/app?${searchParams}`);
    await page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Home' }).waitFor();
    expect(new URL(page.url()).host).toBe('admin.shopify.com');
    await context.close();
  });

  it('prevents other sites from framing the app', async () => {
    const context = await open();
    await routeFakeShopify(context, fakeShopify, app.url);
    const page = await context.newPage();
    const blocked = page.waitForEvent('console', message => message.text().includes('frame-ancestors'));
    await page.route('https://evil.example/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${app.url}/app?shop=sample-shop.myshopify.com"></iframe>`,
      }),
    );
    await page.goto('https://evil.example/');
    expect((await blocked).text()).toContain('frame-ancestors');
    await context.close();
  });
});
