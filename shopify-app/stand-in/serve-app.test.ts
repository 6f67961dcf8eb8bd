import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Running } from '../src/serve.ts';
import { describeInBrowser } from './frame/browser.ts';
import { addressOfApp } from './frame/frame.ts';
import { routeStandIn } from './frame/route.ts';
import { serveAppForBrowsers } from './serve-app.ts';
import { sampleShop } from './shop/samples.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { wireFetch } from './wire-fetch.ts';

await describeInBrowser('the app in the admin', open => {
  let standIn: StandIn;
  let app: Running;
  let strangers: string[];
  beforeAll(async () => {
    standIn = await startStandIn([sampleShop()]);
    strangers = wireFetch(standIn);
    app = await serveAppForBrowsers(standIn, { jobsAtOnce: 0 });
  });
  afterAll(async () => {
    await app.stop();
    await standIn.close();
  });

  it.each([
    ['with a session token', ''],
    ['without one, by way of the bounce page', '?no_token=1'],
  ])('opens %s, hydrates without a word, and asks nobody but Shopify', async (_, query) => {
    const context = await open();
    const refused = await routeStandIn(context, standIn, app.url);
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
    expect(strangers).toEqual([]);
    await context.close();
  });

  it('leads into the admin when it is opened by itself', async () => {
    const context = await open();
    await routeStandIn(context, standIn, app.url);
    const page = await context.newPage();
    const { searchParams } = new URL(await addressOfApp(app.url, 'sample-shop.myshopify.com'));
    searchParams.delete('embedded');
    await page.goto(`${app.url}/app?${searchParams}`);
    await page.getByRole('navigation', { name: 'App' }).getByRole('button', { name: 'Home' }).waitFor();
    expect(new URL(page.url()).host).toBe('admin.shopify.com');
    await context.close();
  });

  it('may be framed by nobody else', async () => {
    const context = await open();
    await routeStandIn(context, standIn, app.url);
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
