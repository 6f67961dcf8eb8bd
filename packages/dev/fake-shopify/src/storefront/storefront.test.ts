import { createScanner, type StorefrontScan } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeShopify, startFakeShopify } from '../fake-shopify.ts';
import { merchantActions } from '../merchant-actions.ts';
import { cleanShop, hostileShop, passwordShop, sampleShop } from '../shop/samples.ts';

const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 10 });
let fakeShopify: FakeShopify;
let scan: (path: string, host?: string) => Promise<StorefrontScan>;
beforeAll(async () => {
  fakeShopify = await startFakeShopify([sampleShop(), cleanShop(), hostileShop(), passwordShop()]);
  const scanner = createScanner(fakeShopify.fetchCapture, { contact: 'https://app.example/about', pool });
  scan = (path, host = 'www.sample-shop.example') => scanner(`https://${host}${path}`, { asOf: '2026-11-21' });
});
afterAll(async () => {
  await fakeShopify.close();
  await pool.close();
});

const rules = ({ findings }: StorefrontScan) => findings.map(({ rule_id }) => rule_id);
const page = async (path: string, host: string) => {
  const response = await fetch(`${fakeShopify.url}${path}`, {
    headers: { 'x-fake-shopify-host': host },
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
};

describe('a fake storefront', () => {
  it('is recognized by a scan as a Shopify store with a theme and web pixels', async () => {
    const { shopify, inventory } = await scan('/');
    expect(shopify).toMatchObject({ detected: true, kind: 'liquid', theme: { name: 'Dawn' } });
    expect(JSON.stringify(inventory)).toContain('731205580412977');
  });

  it('includes the code pasted into its theme on every page', async () => {
    for (const path of ['/', '/products/product-1', '/collections/all', '/cart']) {
      expect(rules(await scan(path)), path).toEqual(
        expect.arrayContaining(['ga_analytics_js_legacy', 'meta_pixel_app_duplicate']),
      );
    }
  });

  it('serves an edited theme file immediately, without a webhook', async () => {
    const sent = fakeShopify.calls.length;
    const merchant = merchantActions(fakeShopify, 'sample-shop.myshopify.com');
    merchant.editThemeFile('snippets/tracking.liquid', '');
    expect(fakeShopify.calls).toHaveLength(sent);
    const fixed = await scan('/');
    expect(rules(fixed)).not.toContain('ga_analytics_js_legacy');
    expect(rules(fixed)).not.toContain('meta_pixel_app_duplicate');
    expect(fixed.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('renders its pages with a different theme after that theme is published', async () => {
    const merchant = merchantActions(fakeShopify, 'sample-shop.myshopify.com');
    merchant.editThemeFile('snippets/tracking.liquid', '<script>fbq("init", "1")</script>', '102');
    await merchant.publishTheme('102');
    expect((await scan('/')).shopify.theme).toMatchObject({ name: 'Dawn, Christmas' });
    await merchant.publishTheme('101');
  });

  it('loads the apps’ script tags', async () => {
    fakeShopify.shops.get('sample-shop.myshopify.com')!.scriptTags = [
      { id: 'gid://shopify/ScriptTag/1', src: 'https://apps.example/old.js' },
    ];
    expect(rules(await scan('/'))).toContain('shopify_script_tag_injected');
  });

  it('produces no scan errors or warnings if the shop’s theme is clean', async () => {
    const { findings, score } = await scan('/', 'www.clean-shop.example');
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(score).toBe(100);
  });

  it('redirects every shopper to the password page if the shop is password protected', async () => {
    expect(await page('/products/product-1', 'www.password-shop.example')).toMatchObject({
      status: 302,
      location: 'https://www.password-shop.example/password',
    });
    const { status, html } = await page('/password', 'www.password-shop.example');
    expect(status).toBe(200);
    expect(html).toContain('type="password"');
    expect(html).not.toContain('UA-48151623-1');
  });

  it('redirects from the myshopify.com domain to the primary domain', async () => {
    expect(await page('/cart', 'sample-shop.myshopify.com')).toMatchObject({
      status: 301,
      location: 'https://www.sample-shop.example/cart',
    });
  });

  it('returns a 404 page for an unknown product', async () => {
    expect((await page('/products/none', 'www.sample-shop.example')).status).toBe(404);
  });

  it('escapes hostile product titles only where the theme escapes them', async () => {
    const { html } = await page('/', 'www.hostile-shop.example');
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;img src=x');
    expect(html).toContain('<header><a href="/">Sample Shop</a>');
  });

  it('shows Liquid errors on the page, and stops endless recursion in a theme', async () => {
    const merchant = merchantActions(fakeShopify, 'hostile-shop.myshopify.com');
    merchant.editThemeFile('templates/cart.liquid', '{% if %}{% endfor %}');
    expect((await page('/cart', 'www.hostile-shop.example')).html).toContain('Liquid error');
    merchant.editThemeFile('snippets/a.liquid', "{% render 'a' %}{% render 'a' %}");
    merchant.editThemeFile('templates/cart.liquid', "{% render 'a' %}");
    expect((await page('/cart', 'www.hostile-shop.example')).html).toContain('Liquid error');
  });

  it('supports JSON templates and their sections', async () => {
    const { themes } = fakeShopify.shops.get('hostile-shop.myshopify.com')!;
    themes[0]!.files.delete('templates/index.liquid');
    const merchant = merchantActions(fakeShopify, 'hostile-shop.myshopify.com');
    merchant.editThemeFile(
      'sections/hello.liquid',
      'Hello {{ shop.name }}{% schema %}{ "name": "{% x" }{% endschema %}',
    );
    merchant.editThemeFile(
      'templates/index.json',
      '{"sections":{"x":{"type":"hello"},"y":{"type":"none"}},"order":["x","y","constructor"]}',
    );
    const { status, html } = await page('/', 'www.hostile-shop.example');
    expect(status).toBe(200);
    expect(html).toContain('<div id="shopify-section-x" class="shopify-section">Hello Sample Shop</div>');
    expect(html).not.toContain('{% x');
    expect(html).toContain("'none' is not a valid section type");
  });

  it('returns a planned fault’s status only for the next request', async () => {
    fakeShopify.faults.plan({ kind: 'status', status: 503 }, { operation: 'storefront' });
    expect((await page('/', 'www.sample-shop.example')).status).toBe(503);
    expect((await page('/', 'www.sample-shop.example')).status).toBe(200);
  });
});
