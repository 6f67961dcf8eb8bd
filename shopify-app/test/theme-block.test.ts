import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithBrowser } from '@compliance/browser';
import { API_KEY, type FakeShop, renderThemeBlock, sampleShop } from '@compliance/fake-shopify';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';

const APP = join(import.meta.dirname, '..');
const EXTENSION = join(APP, 'extensions/compliance-documents');
const read = (file: string) => readFileSync(join(APP, file), 'utf8');

/** Returns a shop whose first product links to a certificate. */
function linked(verification = 'https://verify.example/gcc/1'): FakeShop {
  const shop = sampleShop('themed');
  const file = { id: 'gid://shopify/GenericFile/1', url: 'https://cdn.shopify.com/s/files/1/GCC-1.pdf' };
  shop.files.push(file as (typeof shop.files)[number]);
  const owner = shop.products[0]!.id;
  const set = (key: string, type: string, value: string) =>
    shop.metafields.set(`${owner} app--${API_KEY}--gcc.${key}`, { id: key, type, value });
  set('certificate', 'file_reference', file.id);
  set('verification', 'url', verification);
  return shop;
}
const render = (shop: FakeShop, options?: Parameters<typeof renderThemeBlock>[4]) =>
  renderThemeBlock(EXTENSION, 'compliance-documents', shop, shop.products[0]!, options);

describe('the compliance documents block', () => {
  it('links to the certificate and to its current status', async () => {
    const html = await render(linked(), { settings: { show_qr: true } });
    expect(html).toContain('href="https://cdn.shopify.com/s/files/1/GCC-1.pdf"');
    expect(html).toContain('href="https://verify.example/gcc/1"');
    expect(html).toContain('data-compliance-qr="https://verify.example/gcc/1"');
    const withoutCode = await render(linked(), { settings: { show_qr: false } });
    expect(withoutCode).not.toContain('qr');
    expect(withoutCode.match(/<script/g)).toHaveLength(1);
  });

  it('shows nothing on the storefront for a product without a certificate', async () => {
    expect((await render(sampleShop('bare'))).trim()).toBe('');
    expect(await render(sampleShop('bare'), { designMode: true })).toContain(
      'This product doesn’t have a certificate.',
    );
  });

  it('escapes values from metafields', async () => {
    const html = await render(linked('https://verify.example/"><script>x</script>'));
    expect(html).not.toContain('<script>x');
  });

  it.each(['en.default', 'de', 'fr', 'es', 'ja'])('has every message in the locale %s', async language => {
    expect(await render(linked(), { language, settings: { show_qr: true } })).not.toContain('translation missing');
    const schema = JSON.parse(read(`extensions/compliance-documents/locales/${language}.schema.json`));
    const liquid = read('extensions/compliance-documents/blocks/compliance-documents.liquid');
    for (const [, key] of liquid.matchAll(/"t:(\w+)"/g)) expect(Object.keys(schema)).toContain(key);
  });
});

await describeWithBrowser('the status in the compliance documents block', browser => {
  /** Opens a product page with the block and returns the status shown after the block's scripts run. */
  async function statusOf(verification: object | null, language: string): Promise<string> {
    const page = await browser.newPage();
    const html = await render(linked(), { language });
    await page.route('**', route => {
      const url = route.request().url();
      if (url === 'https://shop.example/')
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      if (url.startsWith('https://cdn.shopify.com/extensions/'))
        return route.fulfill({ path: join(EXTENSION, 'assets', url.split('/').at(-1)!) });
      if (url !== 'https://verify.example/gcc/1/verification' || !verification) return route.abort();
      return route.fulfill({ json: verification, headers: { 'Access-Control-Allow-Origin': '*' } });
    });
    await page.goto('https://shop.example/', { waitUntil: 'networkidle' });
    const text = await page.getByRole('status').textContent();
    await page.close();
    return text ?? '';
  }

  it.each([
    ['complete', 'en.default', 'Status: complete'],
    ['superseded', 'de', 'Status: ersetzt durch ein neueres Zertifikat'],
    ['voided', 'ja', 'ステータス：無効'],
  ])('shows the status %s in %s', async (status, language, expected) => {
    expect(await statusOf({ status }, language)).toBe(expected);
  });

  it.each([
    ['doesn’t respond', null],
    ['doesn’t know the certificate', { error: 'certificate_not_found' }],
    ['returns an unknown status', { status: 'expired' }],
  ])('shows no status if the service %s', async (_, response) => {
    expect(await statusOf(response, 'en.default')).toBe('');
  });
});

describe('shopify.app.toml', () => {
  it('declares every metafield that the app writes, and lets the storefront read it', () => {
    const { product } = parse(read('shopify.app.toml')) as {
      product: { metafields: Record<string, Record<string, { type: string; access: { storefront: string } }>> };
    };
    const written = globSync('src/admin/operations/*.ts', { cwd: APP }).flatMap(file => [
      ...read(file).matchAll(/namespace: "\$app:(\w+)"\s+key: "(\w+)"\s+type: "(\w+)"/g),
    ]);
    expect(written.length).toBeGreaterThan(1);
    for (const [, namespace, key, type] of written)
      expect(product.metafields[`app--${namespace}`]?.[key!]).toMatchObject({
        type,
        access: { storefront: 'public_read' },
      });
  });
});

describe('shopify.web.toml', () => {
  it('runs only scripts that exist in package.json, and doesn’t need a global pnpm', () => {
    const { commands } = parse(read('shopify.web.toml')) as { commands: Record<string, string> };
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const command of Object.values(commands)) {
      const [, script] = /^npx --yes pnpm@[\d.]+ run (\w+)$/.exec(command) ?? [];
      expect(Object.keys(scripts)).toContain(script);
    }
  });

  it('keeps Shopify CLI from installing dependencies with a global pnpm', () => {
    // Shopify CLI skips the installation if the app's package.json has a `workspaces` field.
    expect(JSON.parse(read('package.json'))).toHaveProperty('workspaces');
  });
});
