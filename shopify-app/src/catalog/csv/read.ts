import type { Shop, Variant } from '@compliance/store';
import { CsvError, parse } from 'csv-parse/sync';
import { everyRow } from '../../paging.ts';
import { titleOf } from '../catalog.ts';
import { type CodeChange, type Codes, cleanCodes } from '../save/save-code.ts';
import { MOST_CHANGES } from '../save/save-job.ts';

/** The largest file that is read, in bytes. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Headers by what they mean, in small letters and digits alone. */
const COLUMNS = {
  variantId: ['variantid'],
  sku: ['sku', 'variantsku'],
  htsCode: ['htscode', 'hts', 'hscode', 'harmonizedsystemcode', 'variantharmonizedsystemcode'],
  origin: ['countryoforigin', 'origin', 'countrycodeoforigin'],
} as const;

/** Why a file says nothing. `no_key`: no column of variant ids or SKUs. `no_value`: none of codes or origins. */
export type FileFault = 'empty' | 'too_large' | 'too_many_rows' | 'encoding' | 'not_csv' | 'no_key' | 'no_value';

/**
 * What would become of a row. `unknown`: no such variant. `ambiguous`: several variants have this SKU. `duplicate`: an earlier
 * row is about the same variant.
 */
export type RowOutcome = 'change' | 'same' | 'unknown' | 'ambiguous' | 'duplicate' | 'bad_code' | 'bad_origin';

/** One row of a file. */
export interface ImportRow {
  /** The line in the file, from 1; the header is line 1. */
  readonly line: number;
  readonly outcome: RowOutcome;
  /** What the row names: product and variant, or the text that names none. */
  readonly name: string;
  readonly from: Codes;
  readonly to: Codes;
}

/** What a file would change. Nothing is written until the merchant says so. */
export interface ImportPreview {
  readonly rows: readonly ImportRow[];
  readonly counts: Readonly<Partial<Record<RowOutcome, number>>>;
  readonly changes: readonly CodeChange[];
}

/**
 * Reads a file of codes and holds it against the catalog.
 *
 * @param bytes a stranger's: CSV or tab-separated, UTF-8 or UTF-16
 * @example await previewImport(shop, new Uint8Array(await file.arrayBuffer()));
 */
export async function previewImport(
  shop: Shop,
  bytes: Uint8Array,
): Promise<ImportPreview | { readonly fault: FileFault }> {
  if (bytes.length > MOST_BYTES) return { fault: 'too_large' };
  const text = decoded(bytes);
  if (text === null) return { fault: 'encoding' };
  const records = recordsOf(text);
  if (!records) return { fault: 'not_csv' };
  const [head, ...lines] = records;
  if (!head) return { fault: 'empty' };
  const column = columnsOf(head.record);
  if (column.variantId < 0 && column.sku < 0) return { fault: 'no_key' };
  if (column.htsCode < 0 && column.origin < 0) return { fault: 'no_value' };
  if (lines.length === 0) return { fault: 'empty' };
  if (lines.length > MOST_CHANGES) return { fault: 'too_many_rows' };

  const catalog = await catalogOf(shop);
  const seen = new Set<string>();
  const changes: CodeChange[] = [];
  const rows = lines.map(({ record, info }): ImportRow => {
    const cell = (name: keyof typeof COLUMNS) => unguarded(record[column[name]] ?? '');
    const typed: Codes = { htsCode: cell('htsCode') || null, origin: cell('origin') || null };
    const none: Codes = { htsCode: null, origin: null };
    const at = { line: info.lines, name: cell('variantId') || cell('sku'), from: none, to: typed };
    const found = catalog.find(cell('variantId'), cell('sku'));
    if (found === 'unknown' || found === 'ambiguous') return { ...at, outcome: found };
    const from: Codes = { htsCode: found.htsCode, origin: found.origin };
    const named = { ...at, name: [found.productTitle, titleOf(found.variantTitle)].filter(Boolean).join(' – '), from };
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

/** What spreadsheets write: UTF-8, or UTF-16 with its mark. Anything else would be guessed. */
function decoded(bytes: Uint8Array): string | null {
  const mark = `${bytes[0]},${bytes[1]}`;
  const encoding = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

type Line = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

function recordsOf(text: string): Line[] | null {
  try {
    // Spreadsheets write what their country writes between cells.
    const head = text.slice(0, text.search(/[\r\n]|$/));
    const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0]!;
    return parse(text, {
      ...{ delimiter, info: true, relax_column_count: true, skip_empty_lines: true, trim: true },
      skip_records_with_empty_values: true,
      max_record_size: 100_000,
    }) as unknown as Line[];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

function columnsOf(head: readonly string[]): Record<keyof typeof COLUMNS, number> {
  const plain = head.map(name => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const find = (names: readonly string[]) => plain.findIndex(name => names.includes(name));
  return {
    variantId: find(COLUMNS.variantId),
    sku: find(COLUMNS.sku),
    htsCode: find(COLUMNS.htsCode),
    origin: find(COLUMNS.origin),
  };
}

/** A cell without what keeps it from being a formula: our own files have it, and spreadsheets leave it in. */
const unguarded = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');

async function catalogOf(shop: Shop) {
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
