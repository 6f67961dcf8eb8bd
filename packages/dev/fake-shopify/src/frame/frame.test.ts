import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { API_KEY } from '../admin/tokens.ts';
import { type FakeShopify, startFakeShopify } from '../fake-shopify.ts';
import { sampleShop } from '../shop/samples.ts';
import { describeInBrowser } from './browser.ts';
import { routeFakeShopify } from './route.ts';

/** HTML page of a minimal app that uses App Bridge. */
const APP = `<!doctype html><html><head><meta name="shopify-api-key" content="${API_KEY}">
<script src="https://cdn.shopify.com/shopifycloud/app-bridge.js"></script></head><body>
<ui-nav-menu><a href="/app" rel="home">App</a><a href="/app/two">Two</a></ui-nav-menu>
<h1 id="where"></h1><script>document.querySelector('#where').textContent = location.pathname</script>
<a id="editor" href="https://admin.shopify.com/store/sample-shop/themes/101?key=layout/theme.liquid" target="_top">Editor</a>
<form data-save-bar id="form" onsubmit="event.preventDefault(); shopify.toast.show('Saved ' + this.name.value)"><input name="name" aria-label="Name"></form>
<ui-modal id="modal"><ui-title-bar title="Sure?"><button variant="primary" onclick="modal.hide()">Yes</button></ui-title-bar></ui-modal>
<script src="https://tracker.example/x.js"></script></body></html>`;

await describeInBrowser('the fake admin with an embedded app', open => {
  let fakeShopify: FakeShopify;
  let app: Server;
  let page: Page;
  let refused: string[];
  let asked: { path: string; authorization: string }[] = [];
  let refusals = 0;
  beforeAll(async () => {
    fakeShopify = await startFakeShopify([sampleShop()]);
    app = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://app');
      asked.push({ path: request.url!, authorization: request.headers.authorization ?? '' });
      const late = pathname === '/data' && refusals-- > 0;
      if (late) response.setHeader('x-shopify-retry-invalid-session-request', '1');
      response.writeHead(late ? 401 : 200, { 'content-type': 'text/html' });
      response.end(pathname === '/data' ? 'data' : APP);
    }).listen(0, '127.0.0.1');
    await once(app, 'listening', { signal: AbortSignal.timeout(10_000) });
  });
  beforeEach(async () => {
    asked = [];
    const context = await open();
    const { port } = app.address() as AddressInfo;
    refused = await routeFakeShopify(context, fakeShopify, `http://127.0.0.1:${port}`);
    page = await context.newPage();
    return () => context.close();
  });
  afterAll(async () => {
    app.close();
    await fakeShopify.close();
  });

  async function visit(path = '/app'): Promise<Frame> {
    await page.goto(`https://admin.shopify.com/store/sample-shop/apps/${API_KEY}${path}`);
    const frame = page.frame({ name: 'app' })!;
    await frame.waitForFunction('window.shopify && document.querySelector("#where")?.textContent');
    return frame;
  }

  it('opens the app with a session token and blocks other hosts', async () => {
    await visit();
    const { searchParams } = new URL(asked[0]!.path, 'http://app');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      embedded: '1',
      shop: 'sample-shop.myshopify.com',
      locale: 'en',
      host: Buffer.from('admin.shopify.com/store/sample-shop').toString('base64').replace(/=+$/, ''),
    });
    expect(searchParams.get('id_token')).toMatch(/^ey/);
    expect(refused).toEqual(['https://tracker.example/x.js']);
    await page.goto(`https://admin.shopify.com/store/sample-shop/apps/${API_KEY}/app?no_token=1&locale=de`);
    const again = new URL(asked.findLast(({ path }) => path.startsWith('/app?'))!.path, 'http://app').searchParams;
    expect([again.get('id_token'), again.get('locale'), again.get('no_token')]).toEqual([null, 'de', null]);
  });

  it('adds a fresh token to each same-origin request from the app, and retries a rejected request once', async () => {
    const frame = await visit();
    refusals = 1;
    expect(await frame.evaluate('fetch("/data").then(response => response.text())')).toBe('data');
    const tokens = asked.filter(({ path }) => path === '/data').map(({ authorization }) => authorization);
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatch(/^Bearer ey/);
    expect(tokens[1]).not.toBe(tokens[0]);
    refusals = 5;
    expect(await frame.evaluate('fetch("/data").then(response => response.status)')).toBe(401);
    refusals = 0;
  });

  it('shows the app’s menu in the sidebar and loads the chosen page', async () => {
    const frame = await visit();
    const nav = page.getByRole('navigation', { name: 'App' });
    expect(await nav.getByRole('button').allTextContents()).toEqual(['Home', 'Two']);
    await nav.getByRole('button', { name: 'Two' }).click();
    await frame.getByRole('heading', { name: '/app/two' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/app\/two$/);
    // The frame is reloaded with its original parameters. Without these parameters, the document request is redirected
    // to the login page.
    expect(asked.findLast(({ path }) => path.startsWith('/app/two'))!.path).toMatch(
      /[?&]embedded=1&shop=.*&id_token=ey/,
    );
    await nav.locator('[aria-current=page]', { hasText: 'Two' }).waitFor();
  });

  it('lets an app that listens for `shopify:navigate` handle navigation, and updates the address bar', async () => {
    const frame = await visit();
    await frame.evaluate(`document.addEventListener('shopify:navigate', ({ target }) => {
      history.pushState(null, '', target.getAttribute('href') + '?page=2');
      where.textContent = 'routed';
    })`);
    const before = asked.length;
    await page.getByRole('button', { name: 'Two' }).click();
    await frame.getByRole('heading', { name: 'routed' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/app\/two\?page=2$/);
    expect(asked).toHaveLength(before);
  });

  it('shows toasts that the app requests', async () => {
    const frame = await visit();
    await frame.evaluate('shopify.toast.show("All <b>well</b>", { isError: true })');
    await page.getByRole('status').getByText('All <b>well</b>').waitFor();
    expect(await page.evaluate('window.appMessages.map(([name]) => name)')).toContain('toast');
  });

  it('ignores messages from origins other than the app’s own', async () => {
    await visit();
    await page.evaluate("postMessage({ fakeShopify: 'notify', name: 'toast', args: ['Not me', {}] }, '*')");
    await page.evaluate('new Promise(done => setTimeout(done, 50))');
    expect(await page.evaluate('JSON.stringify(window.appMessages)')).not.toContain('Not me');
  });

  it('offers to save a changed form, and warns a merchant who tries to leave the page', async () => {
    const frame = await visit();
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    expect(await bar.isVisible()).toBe(false);
    await frame.getByLabel('Name').fill('x');
    await bar.waitFor();
    await page.getByRole('button', { name: 'Two' }).click();
    await page.getByRole('dialog', { name: 'Unsaved changes' }).getByRole('button', { name: 'Stay' }).click();
    expect(await frame.getByRole('heading').textContent()).toBe('/app');
    await bar.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved x').waitFor();
    await bar.waitFor({ state: 'hidden' });
    await frame.getByLabel('Name').fill('y');
    await bar.getByRole('button', { name: 'Discard' }).click();
    await bar.waitFor({ state: 'hidden' });
    expect(await frame.getByLabel('Name').inputValue()).toBe('');
  });

  it('shows modals with the buttons from their title bars', async () => {
    const frame = await visit();
    await frame.evaluate('shopify.modal.show("modal")');
    const dialog = frame.getByRole('dialog', { name: 'Sure?' });
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('grants a declared scope only if the merchant approves the request', async () => {
    const frame = await visit();
    const request = (scope: string) =>
      frame.evaluate<{ result: string; detail: { granted: string[] } } | string>(
        `shopify.scopes.request(['${scope}']).catch(error => error.message)`,
      );
    const answer = async (scope: string, button: string) => {
      const asking = request(scope);
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
      return await asking;
    };
    expect(await answer('write_inventory', 'Decline')).toMatchObject({ result: 'declined-all' });
    expect(await answer('write_inventory', 'Allow')).toMatchObject({ result: 'granted-all' });
    expect(fakeShopify.shops.get('sample-shop.myshopify.com')!.scopes).toContain('write_inventory');
    expect(await request('read_orders')).toMatch(/Not declared/);
    expect(await frame.evaluate('shopify.scopes.query().then(({ granted }) => granted)')).toContain('write_inventory');
  });

  it('returns the products that the merchant selects', async () => {
    const frame = await visit();
    const picking = frame.evaluate<{ title: string }[]>('shopify.resourcePicker({ type: "product", multiple: true })');
    await page.getByLabel('Wool blanket').check();
    await page.getByLabel('Oak side table').check();
    await page.getByRole('button', { name: 'Select' }).click();
    expect((await picking).map(({ title }) => title)).toEqual(['Oak side table', 'Wool blanket']);
  });

  it('opens links to admin pages, such as the theme code editor', async () => {
    const frame = await visit();
    await frame.getByRole('link', { name: 'Editor' }).click();
    const code = page.getByLabel('layout/theme.liquid');
    await code.waitFor();
    expect(page.url()).toBe('https://admin.shopify.com/store/sample-shop/themes/101?key=layout/theme.liquid');
    const { files } = fakeShopify.shops.get('sample-shop.myshopify.com')!.themes[0]!;
    const before = files.get('layout/theme.liquid')!;
    expect(await code.inputValue()).toBe(before);
    await code.fill(before.replace("{% render 'tracking' %}", ''));
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => files.get('layout/theme.liquid')).toBe(before.replace("{% render 'tracking' %}", ''));
  });

  it('shows only the path on all other admin pages', async () => {
    await page.goto('https://admin.shopify.com/store/sample-shop/settings/<b>');
    await page.getByText('/store/sample-shop/settings/%3Cb%3E').waitFor();
  });
});
