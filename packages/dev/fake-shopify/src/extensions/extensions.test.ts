import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type FakeShopify, startFakeShopify } from '../fake-shopify.ts';
import { describeInBrowser } from '../frame/browser.ts';
import { routeFakeShopify } from '../frame/route.ts';
import { sampleShop } from '../shop/samples.ts';
import { type Extension, readExtensions } from './extension.ts';

const extensionIn = (handle: string, target: string) => `[[extensions]]
name = "t:name"
handle = "${handle}"
type = "ui_extension"
[[extensions.targeting]]
module = "./src/${handle}.js"
target = "admin.product-details.${target}.render"
`;

/** Files of a minimal app with a theme extension and three admin UI extensions. */
const FILES: Readonly<Record<string, string>> = {
  'theme/shopify.extension.toml': 'name = "Theme"\ntype = "theme"\n',
  'admin/shopify.extension.toml': ['block', 'action', 'print-action']
    .map(target => extensionIn(`my-${target}`, target))
    .join('\n'),
  'admin/locales/en.default.json': '{"name":"Mine","items":{"one":"{{count}} item","other":"{{count}} items"}}',
  'admin/locales/de.json': '{"name":"Meins","items":{"one":"{{count}} Artikel","other":"{{count}} Artikel"}}',
  'admin/src/my-block.js': `export default () => {
    document.body.innerHTML = '<s-admin-block heading="Block"><s-link href="app:app/two">Two</s-link></s-admin-block>';
  };`,
  'admin/src/my-action.js': `export default () => {
    document.body.innerHTML = '<s-admin-action heading="Action"><s-button slot="primary-action">Done</s-button></s-admin-action>';
    document.querySelector('s-button').addEventListener('click', () => shopify.close());
  };`,
  'admin/src/my-print-action.js': `export default () => {
    document.body.innerHTML = '<s-admin-print-action><s-choice-list label="Paper">'
      + '<s-choice value="/paper/a4" selected>A4</s-choice><s-choice value="/paper/none">None</s-choice></s-choice-list></s-admin-print-action>';
    const list = document.querySelector('s-choice-list');
    const show = () => { document.querySelector('s-admin-print-action').src = list.values[0]; };
    list.addEventListener('change', show);
    show();
  };`,
};

await describeInBrowser('the fake host for admin UI extensions', open => {
  let folder: string;
  let extensions: Extension[];
  let fakeShopify: FakeShopify;
  let app: Server;
  let page: Page;
  let errors: string[];
  let asked: { path: string; authorization: string }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'extensions-'));
    for (const [file, text] of Object.entries(FILES)) {
      await mkdir(join(folder, file, '..'), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    extensions = readExtensions(folder);
    fakeShopify = await startFakeShopify([sampleShop()]);
    app = createServer((request, response) => {
      const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
      if (request.method !== 'OPTIONS')
        asked.push({ path: request.url!, authorization: request.headers.authorization ?? '' });
      response.writeHead(request.url === '/paper/none' ? 404 : 200, { ...headers, 'content-type': 'application/pdf' });
      response.end('%PDF');
    }).listen(0, '127.0.0.1');
    await once(app, 'listening', { signal: AbortSignal.timeout(10_000) });
  });
  afterAll(async () => {
    app.close();
    await fakeShopify.close();
    await rm(folder, { recursive: true });
  });
  const appUrl = () => `http://127.0.0.1:${(app.address() as AddressInfo).port}`;

  beforeEach(async () => {
    asked = [];
    errors = [];
    const context = await open();
    await routeFakeShopify(context, fakeShopify, appUrl(), { extensions });
    page = await context.newPage();
    page.on('pageerror', error => errors.push(error.message));
    return () => context.close();
  });

  async function frameNamed(name: string): Promise<Frame> {
    const frame = await vi.waitFor(() => page.frame({ name }) ?? expect.fail());
    await frame.waitForFunction('document.body.childElementCount > 0');
    return frame;
  }
  async function openProduct(locale = 'en'): Promise<Frame> {
    await page.goto(`https://admin.shopify.com/store/sample-shop/products/8?locale=${locale}`);
    return await frameNamed('my-block');
  }

  it('reads only admin UI extensions, and rejects an extension with two targets', async () => {
    expect(extensions.map(({ handle }) => handle)).toEqual(['my-block', 'my-action', 'my-print-action']);
    const two = extensionIn('my-block', 'block').replace(/(\[\[extensions\.targeting[\s\S]*)/, '$1$1');
    const other = await mkdtemp(join(tmpdir(), 'extensions-'));
    await mkdir(join(other, 'two'));
    await writeFile(join(other, 'two/shopify.extension.toml'), two);
    expect(() => readExtensions(other)).toThrow('must have one target');
    await rm(other, { recursive: true });
  });

  it('passes the product, translations, and number formats to an extension', async () => {
    const block = await openProduct('de');
    await page.getByRole('group', { name: 'More actions' }).getByRole('button', { name: 'Meins' }).waitFor();
    expect(await block.evaluate('shopify.data.selected')).toEqual([{ id: 'gid://shopify/Product/8' }]);
    expect(await block.evaluate("shopify.i18n.translate('items', { count: 1 })")).toBe('1 Artikel');
    expect(await block.evaluate('shopify.i18n.formatNumber(1.5)')).toBe('1,5');
    expect(errors).toEqual([]);
    await block.evaluate("shopify.i18n.translate('none')");
    await block.evaluate("document.body.append(document.createElement('s-unknown'))");
    await vi.waitFor(() => expect(errors.map(text => text.split(' ').at(-1))).toEqual(['none.', 's-unknown.']));
  });

  it('adds a session token only to requests to the app', async () => {
    const block = await openProduct();
    expect(await block.evaluate("fetch('/data?x=1').then(answer => answer.status)")).toBe(200);
    expect(asked[0]).toEqual({ path: '/data?x=1', authorization: expect.stringMatching(/^Bearer ey/) });
    const other = createServer((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end(JSON.stringify(request.headers));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening', { signal: AbortSignal.timeout(10_000) });
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    expect(await block.evaluate(`fetch('${url}').then(answer => answer.json())`)).not.toHaveProperty('authorization');
    other.close();
    expect(await block.evaluate('shopify.auth.idToken()')).toMatch(/^ey/);
  });

  it('runs Admin API queries', async () => {
    const block = await openProduct();
    const query = 'query Title($id: ID!) { product(id: $id) { title } }';
    const call = `shopify.query('${query}', { variables: { id: 'gid://shopify/Product/8' } })`;
    expect(await block.evaluate(call)).toMatchObject({ data: { product: { title: 'Bicycle helmet, adult' } } });
  });

  it('opens an action from a block, closes the action, and opens the app’s pages', async () => {
    const block = await openProduct();
    await block.evaluate("shopify.navigation.navigate('extension://my-action')");
    const action = await frameNamed('my-action');
    await action.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await block.getByRole('link', { name: 'Two' }).click();
    await page.waitForURL(/\/apps\/[^/]+\/app\/two/);
  });

  it('previews and prints a document that the app returns, and disables printing if the document can’t be loaded', async () => {
    await openProduct();
    await page.getByRole('group', { name: 'Print' }).getByRole('button', { name: 'Mine' }).click();
    const print = await frameNamed('my-print-action');
    await page.getByText('Preview: application/pdf, 4 bytes').waitFor();
    expect(asked.at(-1)).toEqual({ path: '/paper/a4', authorization: expect.stringMatching(/^Bearer ey/) });
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await vi.waitFor(async () => expect(await page.evaluate('printed.length')).toBe(1));
    await print.getByRole('radio', { name: 'None' }).check();
    await page.getByText('The document can’t be loaded: 404').waitFor();
    expect(await page.getByRole('button', { name: 'Print', exact: true }).isDisabled()).toBe(true);
  });
});
