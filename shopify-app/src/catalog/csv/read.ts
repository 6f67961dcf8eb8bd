import type { Shop, Variant } from '@compliance/store/shop';
import { everyRow } from '../../lib/paging.ts';
import { type CsvFault, headerName, readCsv, unescapeFormula } from '../../lib/read-csv.ts';
import { variantTitleOf } from '../model/catalog-item.ts';
import { type Codes, type CodeUpdate, cleanCodes } from '../save/save-code.ts';
import { MAX_CHANGES } from '../save/save-job.ts';

/** Accepted column headers by field, normalized to lowercase letters and digits. */
const COLUMNS = {
  variantId: ['variantid'],
  sku: ['sku', 'variantsku'],
  htsCode: ['htscode', 'hts', 'hscode', 'harmonizedsystemcode', 'variantharmonizedsystemcode'],
  origin: ['countryoforigin', 'origin', 'countrycodeoforigin'],
} as const;

/**
 * Reason that a file can't be imported. `no_key` means that the file has neither a variant ID column nor a SKU column.
 * `no_value` means that the file has neither an HTS code column nor a country of origin column.
 */
export type FileFault = CsvFault | 'too_many_rows' | 'no_key' | 'no_value';

/**
 * Outcome of a row. `unknown` means that the row's variant doesn't exist. `ambiguous` means that several variants have
 * the row's SKU. `duplicate` means that an earlier row contains the same variant.
 */
export type RowOutcome = 'change' | 'same' | 'unknown' | 'ambiguous' | 'duplicate' | 'bad_code' | 'bad_origin';

/** One row of an import file. */
export interface ImportRow {
  /** Line number in the file. The header is line 1. */
  readonly line: number;
  readonly outcome: RowOutcome;
  /** Product and variant titles, or the row's variant ID or SKU if the row doesn't match exactly one variant. */
  readonly name: string;
  readonly from: Codes;
  readonly to: Codes;
}

/** Changes that an import would make. The app doesn't write any changes until the merchant confirms the import. */
export interface ImportPreview {
  readonly rows: readonly ImportRow[];
  readonly counts: Readonly<Partial<Record<RowOutcome, number>>>;
  readonly changes: readonly CodeUpdate[];
}

/**
 * Reads an import file and compares it with the catalog.
 *
 * @param bytes untrusted input: CSV or tab-separated values in UTF-8 or UTF-16
 * @example await previewImport(shop, new Uint8Array(await file.arrayBuffer()));
 */
export async function previewImport(
  shop: Shop,
  bytes: Uint8Array,
): Promise<ImportPreview | { readonly fault: FileFault }> {
  const read = readCsv(bytes);
  if ('fault' in read) return read;
  const { head, lines } = read;
  const column = columnsOf(head);
  if (column.variantId < 0 && column.sku < 0) return { fault: 'no_key' };
  if (column.htsCode < 0 && column.origin < 0) return { fault: 'no_value' };
  if (lines.length > MAX_CHANGES) return { fault: 'too_many_rows' };

  const catalog = await createCatalogIndex(shop);
  const seen = new Set<string>();
  const changes: CodeUpdate[] = [];
  const rows = lines.map(({ record, line }): ImportRow => {
    const cell = (name: keyof typeof COLUMNS) => unescapeFormula(record[column[name]] ?? '');
    const typed: Codes = { htsCode: cell('htsCode') || null, origin: cell('origin') || null };
    const none: Codes = { htsCode: null, origin: null };
    const at = { line, name: cell('variantId') || cell('sku'), from: none, to: typed };
    const found = catalog.find(cell('variantId'), cell('sku'));
    if (found === 'unknown' || found === 'ambiguous') return { ...at, outcome: found };
    const from: Codes = { htsCode: found.htsCode, origin: found.origin };
    const named = {
      ...at,
      name: [found.productTitle, variantTitleOf(found.variantTitle)].filter(Boolean).join(' – '),
      from,
    };
    if (seen.has(found.variantId)) return { ...named, outcome: 'duplicate' };
    seen.add(found.variantId);
    const cleaned = cleanCodes(typed);
    if ('fault' in cleaned) return { ...named, outcome: cleaned.fault.code === 'bad_code' ? 'bad_code' : 'bad_origin' };
    const to: Codes = { htsCode: cleaned.codes.htsCode ?? from.htsCode, origin: cleaned.codes.origin ?? from.origin };
    if (to.htsCode === from.htsCode && to.origin === from.origin) return { ...named, to, outcome: 'same' };
    changes.push({ variantId: found.variantId, expected: from, wanted: cleaned.codes });
    return { ...named, to, outcome: 'change' };
  });
  const counts: Partial<Record<RowOutcome, number>> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return { rows, counts, changes };
}

function columnsOf(head: readonly string[]): Record<keyof typeof COLUMNS, number> {
  const normalized = head.map(headerName);
  const find = (names: readonly string[]) => normalized.findIndex(name => names.includes(name));
  return {
    variantId: find(COLUMNS.variantId),
    sku: find(COLUMNS.sku),
    htsCode: find(COLUMNS.htsCode),
    origin: find(COLUMNS.origin),
  };
}

async function createCatalogIndex(shop: Shop) {
  const byId = new Map<string, Variant>();
  const bySku = new Map<string, Variant[]>();
  for await (const variant of everyRow(cursor => shop.variants.list({ limit: 1000, cursor }))) {
    byId.set(variant.variantId, variant);
    if (variant.sku) bySku.set(variant.sku, [...(bySku.get(variant.sku) ?? []), variant]);
  }
  return {
    find(id: string, sku: string): Variant | 'unknown' | 'ambiguous' {
      if (id) return byId.get(/^\d+$/.test(id) ? `gid://shopify/ProductVariant/${id}` : id) ?? 'unknown';
      const [first, ...others] = bySku.get(sku) ?? [];
      return others.length > 0 ? 'ambiguous' : (first ?? 'unknown');
    },
  };
}
