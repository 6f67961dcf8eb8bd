import type { WatchedCode } from '@compliance/core/tariff';
import { CliError } from '../cli-error.ts';
import { findColumn, readCodes } from './codes.ts';

/** Common headers for columns with the merchant's own item references, normalized to lowercase letters and digits. */
const REFERENCE_HEADERS = ['reference', 'sku', 'partnumber', 'partno', 'itemnumber', 'itemno', 'item', 'id'];

/** Common headers for country-of-origin columns, normalized in the same way. */
const ORIGIN_HEADERS = ['origin', 'countryoforigin', 'origincountry', 'coo', 'country'];

/** Options that specify the catalog and its columns. */
export interface CatalogOptions {
  csv: string;
  column?: string;
  referenceColumn?: string;
  originColumn?: string;
}

/** A code to watch, and its row number in the catalog. Row 1 is the header. */
export interface CatalogCode extends WatchedCode {
  readonly row: number;
}

/**
 * Reads the codes from a catalog in CSV format. Without a reference column, each row's reference is its row number. A
 * row without a country of origin is evaluated for all countries.
 *
 * @throws CliError if the file can't be read or doesn't have a requested column
 * @example await readCatalog({ csv: 'catalog.csv' }) // [{ row: 2, reference: 'SKU-1', code: '7318.15.2061', origin: 'CN' }]
 */
export async function readCatalog({
  csv,
  column,
  referenceColumn,
  originColumn,
}: CatalogOptions): Promise<CatalogCode[]> {
  const { header, columns, batches } = await readCodes([], { csv, ...(column !== undefined && { column }) });
  const reference = columnOf(header, '--reference-column', referenceColumn, REFERENCE_HEADERS);
  const origin = columnOf(header, '--origin-column', originColumn, ORIGIN_HEADERS);
  const codes: CatalogCode[] = [];
  for await (const batch of batches) {
    for (const { row, cells } of batch) {
      const cell = (index: number) => (index < 0 ? '' : (cells[index] ?? '').trim());
      codes.push({
        row,
        reference: cell(reference) || `row ${row}`,
        code: cells[columns.code] ?? '',
        origin: cell(origin) || null,
      });
    }
  }
  return codes;
}

function columnOf(
  header: readonly string[],
  option: string,
  wanted: string | undefined,
  common: readonly string[],
): number {
  if (wanted === undefined) return findColumn(header, common);
  const index = findColumn(header, [wanted]);
  if (index >= 0) return index;
  throw new CliError(
    `${option}: the file doesn't have a column named ${wanted}. Its columns are: ${header.join(', ')}`,
    2,
  );
}
