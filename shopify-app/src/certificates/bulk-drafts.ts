import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type AssumedValue,
  type CodeList,
  importTable,
  type RegistryColumn,
  valuesInCell,
} from '@compliance/core/entry';
import type { Shop } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';
import { everyRow } from '../lib/paging.ts';
import { type CsvFault, type CsvFile, headerName, readCsv, unescapeFormula } from '../lib/read-csv.ts';
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

/** Line number of a row in a file, and the product that the row identifies. */
interface ProductRow {
  readonly line: number;
  readonly product: string;
}

/** Rows and columns that the drafts omit or change, and fields whose values are inferred. */
interface FileReport {
  /** Rows whose product isn't in the catalog, or whose SKU several products share. */
  readonly unknown: readonly ProductRow[];
  /** Rows whose product is also in an earlier row. These rows are ignored, because a product has only one draft. */
  readonly repeated: readonly ProductRow[];
  /**
   * Ignored rows, each with a column whose value is invalid or missing. If a row has more cells than the header row,
   * the column is the last one.
   */
  readonly invalid: readonly { readonly line: number; readonly column: string }[];
  /** Product Registry file columns whose values the drafts omit or store in a different form. */
  readonly dropped: readonly string[];
  /** Fields whose values are inferred from other columns of a Product Registry file. */
  readonly assumed: readonly AssumedValue['path'][];
}

/** Result of creating drafts. */
export type BulkDraftResult =
  | ({
      readonly created: number;
      /** Number of products that already have a draft or a certificate. */
      readonly skipped: number;
    } & FileReport)
  | { readonly fault: CsvFault | 'no_key' | 'columns' | 'no_codes' | 'too_many_products' | 'no_profile' }
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
 * Creates certificate drafts for many products from a profile. Each draft combines, in increasing order of
 * precedence, the product's catalog data, the profile, and the product's row in the file. Never changes an existing
 * draft.
 *
 * @param files `products` is an untrusted CSV file that lists the products, or null for all products without a
 * certificate or a draft. `codes` is the untrusted list of citation codes for a Product Registry file, or null.
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

type Faulty = Exclude<BulkDraftResult, FileReport>;

interface Products extends FileReport {
  /** Fields from the file, by product ID. */
  readonly products: ReadonlyMap<string, Fields>;
}

async function productsWithout(shop: Shop): Promise<Products> {
  const { rows } = await shop.productCertificates.missing({ limit: MAX_PRODUCTS + 1 });
  return { ...collected([]), products: new Map(rows.map(({ productId }) => [productId, {}])) };
}

async function productsInFile(shop: Shop, bytes: Uint8Array, codes: Blob | null): Promise<Products | Faulty> {
  const file = readCsv(bytes);
  if ('fault' in file) return file;
  if (file.head.includes(REGISTRY_COLUMN)) {
    if (!codes) return { fault: 'no_codes' };
    const list = await readUploadedCodes(codes);
    return 'fault' in list ? { codes: list.fault } : await productsInRegistryFile(shop, file, list.codes);
  }
  const names = file.head.map(headerName);
  const keys = names.flatMap((name, at) => (name in PRODUCT_COLUMNS ? [at] : []));
  if (keys.length === 0) return { fault: 'no_key' };
  const used = names.filter(name => name in PRODUCT_COLUMNS || name in FIELD_COLUMNS || name === RULES_COLUMN);
  if (new Set(used).size < used.length) return { fault: 'columns' };
  const index = await productIndex(shop);
  const rows = file.lines.map(({ record, line }): ReadRow => {
    const cells = record.map(unescapeFormula);
    if (cells.slice(names.length).some(Boolean)) return { line, columns: [file.head.at(-1)!] };
    const product = keys.map(at => cells[at] ?? '').find(Boolean) ?? '';
    const productId = index.get(
      /^\d+$/.test(product) && index.has(productGid(product)) ? productGid(product) : product,
    );
    return { line, product, productId, fields: fieldsOfRow(names, cells) };
  });
  return collected(rows);
}

/** Reads a Product Registry file, whose rows identify products by SKU. */
async function productsInRegistryFile(shop: Shop, file: CsvFile, codes: CodeList): Promise<Products | Faulty> {
  const table = await importTable(Readable.from(file.records), codes).catch(error => {
    if (error instanceof RangeError) return null;
    throw error;
  });
  if (!table) return { fault: 'columns' };
  const index = await productIndex(shop);
  const rows = table.rows.map(({ line, request, problems }): ReadRow => {
    if (!request) return { line, columns: problems.map(({ column }) => column) };
    const { sku = '', name = '' } = request.product_info as { readonly sku?: string; readonly name?: string };
    return { line, product: sku || name, productId: index.get(sku), fields: request as Fields };
  });
  const dropped = table.rows.flatMap(row => row.dropped.map(({ column }) => column));
  return {
    ...collected(rows),
    dropped: [...new Set([...dropped, ...table.unknown_columns.map(({ column }) => column)])],
    assumed: [...new Set(table.rows.flatMap(({ assumed }) => assumed.map(({ path }) => path)))],
  };
}

/** A row with a product's fields, or the columns that make the row unusable. */
type ReadRow = { readonly line: number } & (
  | { readonly product: string; readonly productId: string | undefined; readonly fields: Fields }
  | { readonly columns: readonly string[] }
);

/**
 * Maps each product to its row's fields. Unusable rows are listed by reason: unknown product, repeated product, or
 * invalid columns.
 */
function collected(rows: readonly ReadRow[]): Products {
  const products = new Map<string, Fields>();
  const [unknown, repeated]: [ProductRow[], ProductRow[]] = [[], []];
  const invalid: FileReport['invalid'][number][] = [];
  for (const row of rows) {
    const { line } = row;
    if ('columns' in row) invalid.push(...row.columns.map(column => ({ line, column })));
    else if (row.productId === undefined) unknown.push({ line, product: row.product });
    else if (products.has(row.productId)) repeated.push({ line, product: row.product });
    else products.set(row.productId, row.fields);
  }
  return { products, unknown, repeated, invalid, dropped: [], assumed: [] };
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
