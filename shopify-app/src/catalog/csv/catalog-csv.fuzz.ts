import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FuzzTarget } from '@compliance/fuzz';
import { type NewVariant, openShopStore, type Shop, type ShopStore } from '@compliance/store/shop';
import { parse } from 'csv-parse/sync';
import { csvResponse } from '../../lib/csv.ts';
import { cleanCodes } from '../save/save-code.ts';
import { previewImport } from './read.ts';

const variant = (number: number, sku: string | null, htsCode: string | null, origin: string | null): NewVariant => ({
  variantId: `gid://shopify/ProductVariant/${number}`,
  productId: `gid://shopify/Product/${number}`,
  ...{ productTitle: `Product ${number}`, variantTitle: 'Default Title', sku, htsCode, origin },
  ...{ digits: 'full', status: 'clear', answer: {}, listVersion: '1' },
});
const CATALOG = [
  variant(1, 'A-1', '7318152061', 'TW'),
  variant(2, 'A-2', null, null),
  variant(3, 'TWIN', '8471300100', 'CN'),
  variant(4, 'TWIN', null, 'DE'),
  variant(5, null, '0101210010', null),
];

let store: ShopStore;
let shop: Shop;
let dataDir: string;

async function* one(cells: readonly string[]) {
  yield cells;
}

/** Fuzzes the catalog import with uploaded files. Each character in the input represents one byte. */
export default {
  covers: ['shopify-app/src/catalog/csv/', 'shopify-app/src/catalog/save/save-code.ts', 'shopify-app/src/lib/csv.ts'],
  seeds: [
    'Variant ID,SKU,HTS code,Country of origin\n1,,0101.21.0010,de\n,A-2,7318.15.2061,\n,TWIN,8471,\n9,,,\n1,,7601.10.30,\n',
    '\xef\xbb\xbfsku;hts\r\nA-1;"\'=1"\r\nA-1;\r\n',
    'variant_id\torigin\ngid://shopify/ProductVariant/5\tXX\n',
    '\xff\xfes\0k\0u\0,\0h\0t\0s\0\n\0A\0-\x001\0,\x007\x006\x000\x001\x001\x000\0',
    '\xfe\xff\0s\0k\0u\0,\0h\0t\0s\0\n\0A\0-\x001\0,\x007\x006\x000\x001',
  ],
  words: ['Variant ID', 'Variant SKU', 'HS Code', 'gid://shopify/ProductVariant/', '""', '\r\n', '\xef\xbb\xbf', "'="],
  maxLength: 2_000,
  async open() {
    dataDir = await mkdtemp(join(tmpdir(), 'compliance-fuzz-'));
    store = await openShopStore({ dataDir, clock: () => Date.UTC(2026, 10, 21) });
    await store.shops.install('fuzz.myshopify.com', { scopes: ['read_products'] });
    shop = store.shop('fuzz.myshopify.com');
    await shop.variants.upsert('run', CATALOG);
  },
  async close() {
    await store.close();
    await rm(dataDir, { recursive: true });
  },
  async holds(input) {
    const bytes = new Uint8Array(Buffer.from(input, 'latin1'));
    const read = await previewImport(shop, bytes);
    if ('fault' in read) return;
    const changed = read.rows.filter(({ outcome }) => outcome === 'change');
    if (changed.length !== read.changes.length)
      throw new Error('the preview shows different changes than the import makes');
    const counted = Object.values(read.counts).reduce((sum, count) => sum + count, 0);
    if (counted !== read.rows.length) throw new Error('the outcome counts don’t add up to the number of rows');
    if (new Set(read.changes.map(({ variantId }) => variantId)).size !== changed.length)
      throw new Error('the import changes a variant twice');
    for (const { variantId, expected, wanted } of read.changes) {
      const known = CATALOG.find(entry => entry.variantId === variantId);
      if (!known || known.htsCode !== expected.htsCode || known.origin !== expected.origin)
        throw new Error('the import changes a value that isn’t in the catalog');
      const again = cleanCodes(wanted);
      if ('fault' in again || JSON.stringify(again.codes) !== JSON.stringify(wanted))
        throw new Error('the import writes a value that it would reject on input');
    }
    const lines = read.rows.map(({ line }) => line);
    if (lines.some((line, at) => at > 0 && line <= lines[at - 1]!)) throw new Error('the rows aren’t in line order');

    const cells = read.rows.flatMap(({ name, to }) => [name, to.htsCode ?? '', to.origin ?? '']);
    if (cells.length === 0) return;
    const file = new Uint8Array(
      await csvResponse(
        'x.csv',
        cells.map((_, at) => `${at}`),
        one(cells),
      ).arrayBuffer(),
    );
    const [, row] = parse(Buffer.from(file), { bom: true, record_delimiter: '\r\n' }) as string[][];
    for (const [at, cell] of row!.entries()) {
      if (/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell))
        throw new Error('a CSV cell starts with a formula character');
      if (cell !== cells[at] && cell !== `'${cells[at]}`) throw new Error('a CSV cell doesn’t round-trip');
    }
  },
} satisfies FuzzTarget;
