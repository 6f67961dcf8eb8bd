import { randomUUID } from 'node:crypto';
import {
  type CodeList,
  InvalidRegistryValue,
  importRow,
  type RegistryColumn,
  valuesInCell,
} from '@compliance/core/entry';
import type { Shop } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';
import { everyRow } from '../lib/paging.ts';
import { type CsvFault, type CsvLine, headerName, readCsv, unescapeFormula } from '../lib/read-csv.ts';
import { productGid } from './certificate-context.ts';
import { type CodeListFault, readUploadedCodes } from './code-list.ts';
import type { Draft, Fields } from './draft.ts';
import { prefillFromCatalog } from './prefill.ts';
import { type CertificateProfile, profilesOf } from './profiles.ts';

/** Maximum number of products per request. */
const MAX_PRODUCTS = 500;

/** Columns that identify a product, by normalized header. */
const PRODUCT_COLUMNS = { productid: 'productId', sku: 'sku', variantsku: 'sku' } as const;

/** Columns with certificate fields, by normalized header. */
const FIELD_COLUMNS: Readonly<Record<string, readonly [part: string, field: string]>> = {
  ...Object.fromEntries(
    [
      ...['description', 'model', 'gtin', 'upc', 'brand', 'lot_number', 'serial_number'],
      ...['date_of_manufacture', 'place_of_manufacture'],
    ].map(field => [headerName(field), ['product_info', field] as const]),
  ),
  testdate: ['testing_lab', 'test_date'],
};

/** Column with the cited rules, separated by semicolons. */
const RULES_COLUMN = 'rules';

/** Column that only Product Registry files have. */
const REGISTRY_COLUMN: RegistryColumn = 'Product Name (Model)';

/** Row of a file that doesn't match a product. */
interface UnknownRow {
  readonly line: number;
  readonly product: string;
}

/** Result of creating drafts. */
export type BulkDraftResult =
  | {
      readonly created: number;
      /** Number of products that already have a draft or a certificate. */
      readonly skipped: number;
      readonly unknown: readonly UnknownRow[];
      /** Rows of a Product Registry file that were ignored because of the value in a column. */
      readonly invalid: readonly { readonly line: number; readonly column: string }[];
      /** Columns of a Product Registry file with values that no draft contains in the same form. */
      readonly dropped: readonly string[];
    }
  | { readonly fault: CsvFault | 'no_key' | 'no_codes' | 'too_many_products' | 'no_profile' }
  | { readonly codes: CodeListFault };

/** Content of the bulk drafts page. */
export interface BulkDraftsView {
  readonly profiles: readonly CertificateProfile[];
  /** Number of products without a certificate or a draft. */
  readonly without: number;
}

/** Returns the content of the bulk drafts page. */
export async function bulkDraftsOf(shop: Shop): Promise<BulkDraftsView> {
  const [record, { none }] = await Promise.all([shop.record(), shop.productCertificates.counts()]);
  return { profiles: profilesOf(record), without: none };
}

/**
 * Creates certificate drafts for many products from a profile. Each draft combines the product's data in the catalog,
 * the profile, and the product's row in the file, which takes precedence. Never changes an existing draft.
 *
 * @param files untrusted CSV file that lists the products, or null for all products without a certificate or a draft, and,
 * for a Product Registry file, the list of citation codes
 * @example await createDrafts(merchant, profileId, { products: new Uint8Array(await file.arrayBuffer()), codes: null }); // { created: 200, … }
 */
export async function createDrafts(
  merchant: Merchant,
  profileId: string,
  files: { readonly products: Uint8Array | null; readonly codes: Blob | null },
): Promise<BulkDraftResult> {
  const { shop } = merchant;
  const profile = profilesOf(await shop.record()).find(({ id }) => id === profileId);
  if (!profile) return { fault: 'no_profile' };
  const read = files.products ? await productsInFile(shop, files.products, files.codes) : await productsWithout(shop);
  if (!('products' in read)) return read;
  const { products, ...rest } = read;
  if (products.size > MAX_PRODUCTS) return { fault: 'too_many_products' };
  const known = await shop.productCertificates.many([...products.keys()]);
  let created = 0;
  for (const [productId, row] of products) {
    if ((known.get(productId)?.state ?? 'none') !== 'none') continue;
    const first = await prefillFromCatalog(merchant, productId);
    if (!first) continue;
    const draft: Draft = { id: randomUUID(), fields: merged(first, profile.fields, row), fromEarlier: false };
    await shop.productCertificates.saveDraft(productId, draft);
    created++;
  }
  return { created, skipped: products.size - created, ...rest };
}

type Created = Extract<BulkDraftResult, { readonly created: number }>;

interface Products extends Pick<Created, 'unknown' | 'invalid' | 'dropped'> {
  /** Fields from the file, by product ID. */
  readonly products: ReadonlyMap<string, Fields>;
}

async function productsWithout(shop: Shop): Promise<Products> {
  const { rows } = await shop.productCertificates.missing({ limit: MAX_PRODUCTS + 1 });
  return { products: new Map(rows.map(({ productId }) => [productId, {}])), unknown: [], invalid: [], dropped: [] };
}

async function productsInFile(
  shop: Shop,
  bytes: Uint8Array,
  codes: Blob | null,
): Promise<Products | Exclude<BulkDraftResult, Created>> {
  const read = readCsv(bytes);
  if ('fault' in read) return read;
  if (read.head.includes(REGISTRY_COLUMN)) {
    if (!codes) return { fault: 'no_codes' };
    const list = await readUploadedCodes(codes);
    return 'fault' in list ? { codes: list.fault } : await productsInRegistryFile(shop, read, list.codes);
  }
  const names = read.head.map(headerName);
  const keys = names.flatMap((name, at) => (name in PRODUCT_COLUMNS ? [at] : []));
  if (keys.length === 0) return { fault: 'no_key' };
  const index = await productIndex(shop);
  const products = new Map<string, Fields>();
  const unknown: UnknownRow[] = [];
  for (const { record, info } of read.lines) {
    const cells = record.map(unescapeFormula);
    const key = keys.map(at => cells[at] ?? '').find(Boolean) ?? '';
    const productId = index.get(/^\d+$/.test(key) && index.has(productGid(key)) ? productGid(key) : key);
    if (productId === undefined) unknown.push({ line: info.lines, product: key });
    else if (!products.has(productId)) products.set(productId, fieldsOfRow(names, cells));
  }
  return { products, unknown, invalid: [], dropped: [] };
}

/** Reads a Product Registry file, whose rows name products by their SKU. */
async function productsInRegistryFile(
  shop: Shop,
  { head, lines }: { readonly head: readonly string[]; readonly lines: readonly CsvLine[] },
  codes: CodeList,
): Promise<Products> {
  const index = await productIndex(shop);
  const products = new Map<string, Fields>();
  const [unknown, invalid]: [UnknownRow[], Created['invalid'][number][]] = [[], []];
  const dropped = new Set<string>();
  for (const { record, info } of lines) {
    const line = info.lines;
    try {
      const row = importRow(Object.fromEntries(head.map((column, at) => [column, record[at]])), codes);
      const { sku, name } = row.request.product_info as { readonly sku?: string; readonly name?: string };
      const productId = index.get(sku ?? '');
      if (productId === undefined) unknown.push({ line, product: sku ?? name ?? '' });
      else if (!products.has(productId)) products.set(productId, row.request as Fields);
      for (const { column } of row.dropped) dropped.add(column);
    } catch (error) {
      if (!(error instanceof InvalidRegistryValue)) throw error;
      invalid.push({ line, column: error.column });
    }
  }
  return { products, unknown, invalid, dropped: [...dropped] };
}

/** Returns an index of product IDs, keyed by product ID and SKU. The index omits SKUs that several products share. */
async function productIndex(shop: Shop): Promise<ReadonlyMap<string, string>> {
  const index = new Map<string, string>();
  const shared = new Set<string>();
  for await (const { productId, sku } of everyRow(cursor => shop.variants.list({ limit: 1000, cursor }))) {
    index.set(productId, productId);
    if (!sku) continue;
    if ((index.get(sku) ?? productId) !== productId) shared.add(sku);
    index.set(sku, productId);
  }
  for (const sku of shared) index.delete(sku);
  return index;
}

function fieldsOfRow(names: readonly string[], cells: readonly string[]): Fields {
  const fields: Record<string, Record<string, string>> = {};
  for (const [at, name] of names.entries()) {
    const column = FIELD_COLUMNS[name];
    if (column && cells[at]) fields[column[0]] = { ...fields[column[0]], [column[1]]: cells[at] };
  }
  const rules = valuesInCell(cells[names.indexOf(RULES_COLUMN)] ?? '');
  return { ...fields, ...(rules.length > 0 && { cpsc_rules_cited: rules }) };
}

/** Merges the parts of certificate requests field by field. Later requests take precedence. */
function merged(...requests: readonly Fields[]): Fields {
  const result: Record<string, unknown> = {};
  for (const [part, value] of requests.flatMap(request => Object.entries(request))) {
    const before = result[part];
    result[part] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return result;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
