import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadata,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';

/** A Parquet file's footer and size, and the columns to read. */
export interface ParquetFile {
  /** The file's metadata, the length of the metadata, and the magic number. */
  readonly footer: Uint8Array;
  readonly size: number;
  /** Lowercase names of the columns to read, or null to read all columns. Only the first column is required. */
  readonly columns: readonly string[] | null;
}

/** A file problem to report to the account that sent the file. */
export interface ParquetProblem {
  readonly problem: string;
}

/** A range of bytes in a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file's row groups, each with the byte ranges of the columns to read. */
export interface ParquetLayout {
  readonly groups: readonly { readonly rows: number; readonly ranges: readonly ByteRange[] }[];
}

/** Rows to decode, and the bytes of their row groups. */
export interface ParquetRows extends ParquetFile {
  readonly rowStart: number;
  readonly rowEnd: number;
  readonly chunks: readonly { readonly start: number; readonly bytes: Uint8Array }[];
  /** Maximum total size of the returned rows and maximum size of a single row, in bytes. */
  readonly maxBytes: number;
  readonly maxRowBytes: number;
}

/**
 * Decoded rows, as one JSON object per line. Contains fewer rows than requested if the requested rows together would
 * exceed `maxBytes`.
 */
export interface DecodedRows {
  readonly rows: number;
  readonly lines: Uint8Array;
}

const MAX_COLUMNS = 1_000;
const MAX_GROUPS = 100_000;

/**
 * Maximum size of a decompressed page in bytes, and maximum number of values in a page. Pages are usually about 1 MiB.
 */
const MAX_PAGE_BYTES = 64 * 2 ** 20;
const MAX_PAGE_VALUES = 2 ** 22;

/** Physical types and annotations that represent text or numbers. */
const TYPES = new Set(['BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY', 'INT32', 'INT64', 'FLOAT', 'DOUBLE']);
const ANNOTATIONS = /^(UTF8|ENUM|DECIMAL|UINT_\d+|INT_\d+|STRING|INTEGER|UUID|FLOAT16)$/;

/** Wraps a decompressor so that it never returns more bytes than a page declares. */
const bounded =
  (decompress: (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, length: number): Uint8Array =>
    length === 0 ? new Uint8Array() : decompress(input, { maxOutputLength: length });

const COMPRESSORS: Compressors = {
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
  ZSTD: bounded(zstdDecompressSync),
};

/**
 * Reads a file's metadata. Runs in a sandboxed worker process, because the file is untrusted.
 *
 * @throws Error if the metadata is damaged
 */
export function readParquetLayout(file: ParquetFile): ParquetLayout | ParquetProblem {
  const metadata = parquetMetadata(file.footer, { geoparquet: false });
  const { row_groups: groups, schema } = metadata;
  if (schema.length > MAX_COLUMNS) return { problem: `The file has more than ${MAX_COLUMNS} columns.` };
  if (groups.length > MAX_GROUPS) return { problem: `The file has more than ${MAX_GROUPS} row groups.` };
  const fields = chooseFields(metadata, file);
  if ('problem' in fields) return fields;
  const names = new Set(fields.map(({ element }) => element.name));
  const layout = { groups: [] as { rows: number; ranges: ByteRange[] }[] };
  for (const { num_rows, columns } of groups) {
    const chosen = columns.filter(({ meta_data }) => names.has(meta_data?.path_in_schema[0] ?? ''));
    for (const { meta_data, file_path } of chosen) {
      if (file_path)
        return { problem: 'The file refers to other files. Send a single file that contains all the data.' };
      const { codec } = meta_data!;
      if (!['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)].includes(codec))
        return { problem: `${codec} compression isn't supported. Use Zstandard, Snappy, gzip, or Brotli.` };
    }
    layout.groups.push({ rows: Number(num_rows), ranges: chosen.map(rangeOf) });
  }
  return layout;
}

/**
 * Decodes rows. Runs in a sandboxed worker process, because the file is untrusted.
 *
 * @throws Error if the file is damaged
 */
export async function decodeParquetRows(input: ParquetRows): Promise<DecodedRows | ParquetProblem> {
  const { footer, size, columns, chunks, rowStart, rowEnd, maxBytes, maxRowBytes } = input;
  const metadata = parquetMetadata(footer, { geoparquet: false });
  const fields = chooseFields(metadata, input);
  if ('problem' in fields) return fields;
  const slice = (start: number, end: number): ArrayBuffer => {
    const bytes = new Uint8Array(end - start);
    for (const chunk of chunks) {
      const from = Math.max(start, chunk.start);
      const to = Math.min(end, chunk.start + chunk.bytes.length);
      if (from < to) bytes.set(chunk.bytes.subarray(from - chunk.start, to - chunk.start), from - start);
    }
    return bytes.buffer;
  };
  checkPages(metadata, fields, input, slice);
  const rows = await parquetReadObjects({
    ...{ file: { byteLength: size, slice }, metadata, rowStart, rowEnd, compressors: COMPRESSORS, parsers: PARSERS },
    columns: fields.map(({ element }) => element.name),
  });
  if (rows.length !== rowEnd - rowStart) throw new Error('rows are missing');
  const keys = fields.map(({ element: { name } }) => ({
    name,
    json: JSON.stringify(columns ? columnName(name) : name),
  }));
  const lines: string[] = [];
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const cells: string[] = [];
    for (const { name, json } of keys) {
      const value: unknown = row[name];
      // hyparquet returns null for a null value, so undefined means that the file doesn't contain the value.
      if (value === undefined) throw new Error('values are missing');
      if (value !== null || columns !== null) cells.push(`${json}:${jsonOf(value)}`);
    }
    const line = `{${cells.join(',')}}\n`;
    const size = Buffer.byteLength(line);
    if (size > maxRowBytes) return { problem: `Row ${rowStart + index + 1} is too long.` };
    if (bytes + size > maxBytes) break;
    bytes += size;
    lines.push(line);
  }
  return { rows: lines.length, lines: Buffer.from(lines.join('')) };
}

const columnName = (name: string) => name.replace('\ufeff', '').trim().toLowerCase();

/** Returns the fields to read, in file order. */
function chooseFields(metadata: FileMetaData, { columns }: ParquetFile): SchemaTree[] | ParquetProblem {
  const { children } = parquetSchema(metadata);
  if (columns === null) return children;
  const fields = children.filter(({ element }) => columns.includes(columnName(element.name)));
  const names = fields.map(({ element }) => columnName(element.name));
  if (!names.includes(columns[0]!)) return { problem: `The file has no column named ${columns[0]}.` };
  if (new Set(names).size < names.length) return { problem: 'The file has two columns with the same name.' };
  for (const [index, { children, element }] of fields.entries()) {
    const annotation = element.converted_type ?? element.logical_type?.type ?? 'UTF8';
    const isScalar = children.length === 0 && element.repetition_type !== 'REPEATED';
    if (!isScalar || !TYPES.has(element.type ?? '') || !ANNOTATIONS.test(annotation))
      return { problem: `The column named ${names[index]} must contain text or numbers.` };
  }
  return fields;
}

/** Returns a column's location in a row group, computed in the same way as in hyparquet. */
function rangeOf({ meta_data }: ColumnChunk): ByteRange {
  const { dictionary_page_offset, data_page_offset, total_compressed_size } = meta_data!;
  const start = Number(dictionary_page_offset || data_page_offset);
  return { start, end: start + Number(total_compressed_size) };
}

/**
 * Checks every page header, because hyparquet allocates as much memory as a header specifies and treats missing pages
 * as missing rows.
 *
 * @throws Error if a page is too large, or if a column's pages don't contain all of its values
 */
function checkPages(
  metadata: FileMetaData,
  fields: readonly SchemaTree[],
  { rowStart, rowEnd }: ParquetRows,
  slice: (start: number, end: number) => ArrayBuffer,
): void {
  const names = fields.map(({ element }) => element.name);
  let groupStart = 0;
  for (const { num_rows, columns } of metadata.row_groups) {
    const groupEnd = groupStart + Number(num_rows);
    const isRead = groupStart < rowEnd && groupEnd > rowStart;
    groupStart = groupEnd;
    if (!isRead) continue;
    for (const column of columns) {
      const { path_in_schema, num_values } = column.meta_data!;
      if (!names.includes(path_in_schema[0]!)) continue;
      const { start, end } = rangeOf(column);
      const reader = { view: new DataView(slice(start, end)), offset: 0 };
      let values = 0;
      while (reader.offset < reader.view.byteLength - 1) {
        const header = parquetHeader(reader);
        const { compressed_page_size: compressed, uncompressed_page_size: uncompressed } = header;
        const { num_values: inPage = 0 } = header.data_page_header ?? header.data_page_header_v2 ?? {};
        const inDictionary = header.dictionary_page_header?.num_values ?? 0;
        if (!isWithin(compressed, reader.view.byteLength - reader.offset)) throw new Error('a page is truncated');
        if (!isWithin(uncompressed, MAX_PAGE_BYTES)) throw new Error('a page is too large');
        if (![inPage, inDictionary].every(each => isWithin(each, MAX_PAGE_VALUES))) throw new Error('too many values');
        reader.offset += compressed;
        values += inPage;
      }
      const isFlat = path_in_schema.length === 1;
      if (values !== Number(num_values) || (isFlat && values !== Number(num_rows)))
        throw new Error('values are missing');
    }
  }
}

const isWithin = (value: number, limit: number) => Number.isInteger(value) && value >= 0 && value <= limit;

/** Parsers that return dates in the API's format. */
const PARSERS = {
  dateFromDays: (days: number) => (days === null ? null : new Date(days * 86_400_000).toISOString().slice(0, 10)),
};

/** Converts a value to JSON. Null fields in nested values are omitted, because null means unset. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? `${value}` : `"${value}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return JSON.parse(jsonOf(each));
    return each === null ? undefined : each;
  });
}
