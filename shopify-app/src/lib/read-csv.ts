import type { CsvRecord } from '@compliance/core/entry';
import { CsvError, parse } from 'csv-parse/sync';

/** Maximum file size, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Reason that a file can't be read. */
export type CsvFault = 'empty' | 'too_large' | 'encoding' | 'not_csv';

/**
 * Parses an uploaded CSV file.
 *
 * @param bytes untrusted input: CSV or tab-separated values in UTF-8 or UTF-16, with a header
 * @example readCsv(new TextEncoder().encode('SKU\nA-1')) // { head: ['SKU'], lines: [{ record: ['A-1'], line: 2 }] }
 */
export function readCsv(bytes: Uint8Array): CsvFile | { readonly fault: CsvFault } {
  if (bytes.length > MAX_BYTES) return { fault: 'too_large' };
  const text = decode(bytes);
  if (text === null) return { fault: 'encoding' };
  const records = parseRecords(text);
  if (!records) return { fault: 'not_csv' };
  const isBlank = ({ record }: CsvRecord) => record.every(cell => cell === '');
  const table = records.slice(records.findIndex(each => !isBlank(each)));
  const lines = table.flatMap((each, at): CsvLine[] => {
    const before = table[at - 1];
    return before && !isBlank(each) ? [{ record: each.record, line: before.info.lines + 1 }] : [];
  });
  if (lines.length === 0) return { fault: 'empty' };
  return { head: table[0]!.record, lines, records: table };
}

/** Normalizes a column header to lowercase letters and digits. */
export const headerName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Returns a cell without the apostrophe that escapes a formula. Exported files contain this apostrophe, and spreadsheet
 * apps don't remove it when saving the file.
 */
export const unescapeFormula = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');

/**
 * Decodes text in the encodings that spreadsheet apps use: UTF-8, and UTF-16 with a byte order mark. Returns null for
 * any other encoding, because other encodings can't be detected reliably.
 */
function decode(bytes: Uint8Array): string | null {
  const mark = `${bytes[0]},${bytes[1]}`;
  const encoding = mark === '255,254' ? 'utf-16le' : mark === '254,255' ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** CSV file with a header. */
export interface CsvFile {
  readonly head: readonly string[];
  /** Rows after the header that have at least one nonempty cell. */
  readonly lines: readonly CsvLine[];
  /** The header and all rows, as parsed. */
  readonly records: readonly CsvRecord[];
}

/** Row of a file, with the number of the line on which it starts. */
interface CsvLine {
  readonly record: readonly string[];
  readonly line: number;
}

/** Returns the records, or null if the text isn't CSV. */
function parseRecords(text: string): CsvRecord[] | null {
  // The delimiter in a spreadsheet's CSV file depends on the locale.
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0]!;
  const options = { delimiter, info: true, relax_column_count: true, trim: true, max_record_size: 100_000 } as const;
  try {
    return parse(text, options) as unknown as CsvRecord[];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
