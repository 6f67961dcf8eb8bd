import { createScanner, type StorefrontScan } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantOf } from '../acts.ts';
import { cleanShop, hostileShop, passwordShop, sampleShop } from '../shop/samples.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';

const pool = createPool({ workers: 1, timeoutMs: 20_000, memoryMb: 256, queue: 10 });
let standIn: StandIn;
let scan: (path: string, host?: string) => Promise<StorefrontScan>;
beforeAll(async () => {
  standIn = await startStandIn([sampleShop(), cleanShop(), hostileShop(), passwordShop()]);
  const scanner = createScanner(standIn.fetchCapture, { contact: 'https://app.example/about', pool });
  scan = (path, host = 'www.sample-shop.example') => scanner(`https://${host}${path}`, { asOf: '2026-11-21' });
});
afterAll(async () => {
  await standIn.close();
  await pool.close();
});

const rules = ({ findings }: StorefrontScan) => findings.map(({ rule_id }) => rule_id);
const page = async (path: string, host: string) => {
  const response = await fetch(`${standIn.url}${path}`, { headers: { 'x-standin-host': host }, redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
};

describe('a storefront', () => {
  it('is known as a shop of Shopify, with its theme and its web pixels', async () => {
    const { shopify, inventory } = await scan('/');
    expect(shopify).toMatchObject({ detected: true, kind: 'liquid', theme: { name: 'Dawn' } });
    expect(JSON.stringify(inventory)).toContain('731205580412977');
  });

  it('carries what was pasted into its theme, on every page', async () => {
    for (const path of ['/', '/products/product-1', '/collections/all', '/cart']) {
      expect(rules(await scan(path)), path).toEqual(
        expect.arrayContaining(['ga_analytics_js_legacy', 'meta_pixel_app_duplicate']),
      );
    }
  });

  it('is mended when the file is mended, and Shopify sends no word of it', async () => {
    const sent = standIn.calls.length;
    const merchant = merchantOf(standIn, 'sample-shop.myshopify.com');
    merchant.editThemeFile('snippets/tracking.liquid', '');
    expect(standIn.calls).toHaveLength(sent);
    const mended = await scan('/');
    expect(rules(mended)).not.toContain('ga_analytics_js_legacy');
    expect(rules(mended)).not.toContain('meta_pixel_app_duplicate');
    expect(mended.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('changes with the theme that is published', async () => {
    const merchant = merchantOf(standIn, 'sample-shop.myshopify.com');
    merchant.editThemeFile('snippets/tracking.liquid', '<script>fbq("init", "1")</script>', '102');
    await merchant.publishTheme('102');
    expect((await scan('/')).shopify.theme).toMatchObject({ name: 'Dawn, Christmas' });
    await merchant.publishTheme('101');
  });

  it('names what script tags put into it', async () => {
    standIn.shops.get('sample-shop.myshopify.com')!.scriptTags = [
      { id: 'gid://shopify/ScriptTag/1', src: 'https://apps.example/old.js' },
    ];
    expect(rules(await scan('/'))).toContain('shopify_script_tag_injected');
  });

  it('of a clean shop has nothing wrong', async () => {
    const { findings, score } = await scan('/', 'www.clean-shop.example');
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(score).toBe(100);
  });

  it('that is not open sends every shopper to the password', async () => {
    expect(await page('/products/product-1', 'www.password-shop.example')).toMatchObject({
      status: 302,
      location: 'https://www.password-shop.example/password',
    });
    const { status, html } = await page('/password', 'www.password-shop.example');
    expect(status).toBe(200);
    expect(html).toContain('type="password"');
    expect(html).not.toContain('UA-48151623-1');
  });

  it('leads from the name at Shopify to its own', async () => {
    expect(await page('/cart', 'sample-shop.myshopify.com')).toMatchObject({
      status: 301,
      location: 'https://www.sample-shop.example/cart',
    });
  });

  it('has no page for what it does not sell', async () => {
    expect((await page('/products/none', 'www.sample-shop.example')).status).toBe(404);
  });

  it('escapes what hostile products are called, where its theme does', async () => {
    const { html } = await page('/', 'www.hostile-shop.example');
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;img src=x');
    expect(html).toContain('<header><a href="/">Sample Shop</a>');
  });

  it('shows that a theme is broken instead of failing, and ends when a theme does not', async () => {
    const merchant = merchantOf(standIn, 'hostile-shop.myshopify.com');
    merchant.editThemeFile('templates/cart.liquid', '{% if %}{% endfor %}');
    expect((await page('/cart', 'www.hostile-shop.example')).html).toContain('Liquid error');
    merchant.editThemeFile('snippets/a.liquid', "{% render 'a' %}{% render 'a' %}");
    merchant.editThemeFile('templates/cart.liquid', "{% render 'a' %}");
    expect((await page('/cart', 'www.hostile-shop.example')).html).toContain('Liquid error');
  });

  it('knows templates of JSON and their sections', async () => {
    const { themes } = standIn.shops.get('hostile-shop.myshopify.com')!;
    themes[0]!.files.delete('templates/index.liquid');
    const merchant = merchantOf(standIn, 'hostile-shop.myshopify.com');
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

  it('fails as planned', async () => {
    standIn.faults.plan({ kind: 'status', status: 503 }, { operation: 'storefront' });
    expect((await page('/', 'www.sample-shop.example')).status).toBe(503);
    expect((await page('/', 'www.sample-shop.example')).status).toBe(200);
  });
});
