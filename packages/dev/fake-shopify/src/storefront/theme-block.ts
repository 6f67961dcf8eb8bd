import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Liquid } from 'liquidjs';
import { namespaceOf } from '../admin/fields/metafields.ts';
import type { FakeProduct, FakeShop } from '../shop/shop.ts';
import { withoutPrinting } from './render.ts';

/** Options for rendering a theme block. */
interface ThemeBlockOptions {
  /** Storefront language. Defaults to the extension's default language. */
  readonly language?: string;
  /** Block settings from the theme editor. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the page is open in the theme editor. */
  readonly designMode?: boolean;
}

/**
 * Renders a block from a theme app extension on a product page. The block can read only the app's own metafields.
 *
 * @param extension extension folder
 * @example await renderThemeBlock('extensions/compliance-documents', 'compliance-documents', shop, product)
 */
export async function renderThemeBlock(
  extension: string,
  block: string,
  shop: FakeShop,
  product: FakeProduct,
  { language = 'en.default', settings = {}, designMode = false }: ThemeBlockOptions = {},
): Promise<string> {
  const read = (file: string) => readFileSync(join(extension, file), 'utf8');
  const messages = JSON.parse(read(`locales/${language}.json`)) as Record<string, string>;
  const liquid = withoutPrinting(new Liquid({ strictFilters: true }));
  liquid.registerFilter('t', (key: string) => messages[key] ?? `translation missing: ${key}`);
  liquid.registerFilter('asset_url', name => `https://cdn.shopify.com/extensions/1/assets/${name}`);
  liquid.registerFilter('shopify_asset_url', name => `https://cdn.shopify.com/s/shopify/${name}`);
  return await liquid.parseAndRender(read(`blocks/${block}.liquid`), {
    product: { title: product.title, metafields: metafieldsOf(shop, product.id) },
    block: { settings },
    request: { design_mode: designMode },
  });
}

/** Returns a product's app-owned metafields by namespace, with `$app` as the app's own namespace. */
function metafieldsOf(shop: FakeShop, owner: string): Record<string, Record<string, { value: unknown }>> {
  const own = namespaceOf('$app');
  const metafields: Record<string, Record<string, { value: unknown }>> = {};
  for (const [at, { type, value }] of shop.metafields) {
    const [id, name = ''] = at.split(' ');
    if (id !== owner || !name.startsWith(own)) continue;
    const [namespace = '', key = ''] = name.replace(own, '$app').replace('--', ':').split('.');
    const file = shop.files.find(one => one.id === value);
    metafields[namespace] = {
      ...metafields[namespace],
      [key]: { value: type === 'file_reference' ? (file ?? null) : value },
    };
  }
  return metafields;
}
