import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { CliError, fileError } from '../cli-error.ts';

/** Common headers for HTS code columns, normalized to lowercase letters and digits. */
const COMMON_HEADERS = ['hts', 'htscode', 'htsno', 'htsus', 'hscode', 'harmonizedsystemcode', 'tariffcode', 'code'];

/** Number of codes per batch when reading from arguments or standard input. */
const BATCH = 250;

/** Number of bytes to read from a file at a time. */
const READ_SIZE = 64 * 1024;

/** Maximum size of a row in bytes. A row longer than this usually means that a closing quotation mark is missing. */
const MAX_ROW_SIZE = 1_000_000;

/** Maximum number of bytes to read when detecting the delimiter in the header. */
const MAX_HEADER_SIZE = 64 * 1024;

/** Options that specify the input file and its columns. */
export interface InputOptions {
  csv?: string;
  column?: string;
  originColumn?: string;
  dateColumn?: string;
  valueColumn?: string;
}

/** A row with an HTS code. */
export interface CodeRow {
  /** Row number. In a CSV file, row 1 is the header. */
  readonly row: number;
  /** The row's cells, unchanged. If the codes aren't from a CSV file, the code is the only cell. */
  readonly cells: readonly string[];
}

/** A table with a column of HTS codes. */
export interface CodeTable {
  /** Column headers. For codes that aren't from a CSV file, the only header is `code`. */
  readonly header: readonly string[];
  /** Index of each column, or -1 if the column isn't used. */
  readonly columns: { readonly code: number; readonly origin: number; readonly date: number; readonly value: number };
  readonly delimiter: string;
  /** Whether the file starts with a byte order mark. */
  readonly bom: boolean;
  readonly batches: AsyncIterable<readonly CodeRow[]>;
  /** Returns the fraction of the input read so far, from 0 to 1, or null if the input size isn't known. */
  readShare(): number | null;
}

/** Reads codes from the arguments, a column in a CSV file, or standard input (one code per line). */
export async function readCodes(args: string[], options: InputOptions): Promise<CodeTable> {
  if (options.csv !== undefined) {
    if (args.length > 0) throw new CliError('Specify codes or --csv, not both.', 2);
    if (options.csv === '-') return await readCsv(process.stdin, 'standard input', options);
    const file = createReadStream(options.csv, { highWaterMark: READ_SIZE });
    const size = statSync(options.csv, { throwIfNoEntry: false })?.size ?? 0;
    const readShare = () => (size > 0 ? Math.min(1, file.bytesRead / size) : null);
    return { ...(await readCsv(file, options.csv, options)), readShare };
  }
  if (options.column !== undefined) throw new CliError('--column requires --csv.', 2);
  const codes = args.length > 0 && args.join() !== '-' ? args : linesOf(process.stdin);
  return {
    header: ['code'],
    columns: { code: 0, origin: -1, date: -1, value: -1 },
    delimiter: ',',
    bom: false,
    batches: inBatches(codes),
    readShare: () => null,
  };
}

/**
 * Reads a CSV file row by row. Detects the delimiter (comma, semicolon, or tab) and the encoding (UTF-8, or UTF-16 with
 * a byte order mark). Skips empty rows.
 *
 * @param name filename to show in messages
 * @throws `CliError` if the file can't be read, isn't a CSV file, is empty, or doesn't have a requested column.
 * Iterating over the batches can throw the same error.
 * @example
 * const { columns, batches } = await readCsv(Readable.from([Buffer.from('sku,hts\nA,7318.15\n')]), 'codes.csv', {});
 */
async function readCsv(source: Readable, name: string, options: Omit<InputOptions, 'csv'>): Promise<CodeTable> {
  const { header, delimiter, bom, batches } = await openCsv(source, name);
  if (!header) throw new CliError(`${name} is empty. The first line of a CSV file must be a header row.`);
  const named = (wanted: string | undefined) => (wanted === undefined ? -1 : columnIndex(header, [wanted]));
  return {
    header,
    columns: {
      code: columnIndex(header, options.column === undefined ? COMMON_HEADERS : [options.column]),
      origin: named(options.originColumn),
      date: named(options.dateColumn),
      value: named(options.valueColumn),
    },
    delimiter,
    bom,
    batches,
    readShare: () => null,
  };
}

/**
 * Reads one code per row from a column in a CSV file and returns the codes unchanged.
 *
 * @param name filename to show in messages
 * @param column column header (default: a common header for HTS codes)
 * @throws `CliError` if the file can't be read, isn't a CSV file, is empty, or doesn't have the specified column
 * @example await readColumn(Readable.from([Buffer.from('hts\n7318.15\n')]), 'codes.csv') // ['7318.15']
 */
export async function readColumn(source: Readable, name: string, column?: string): Promise<string[]> {
  const { columns, batches } = await readCsv(source, name, column === undefined ? {} : { column });
  const codes: string[] = [];
  for await (const rows of batches) for (const { cells } of rows) codes.push(cells[columns.code] ?? '');
  return codes;
}

async function* linesOf(source: NodeJS.ReadStream): AsyncGenerator<string> {
  if (source.isTTY)
    throw new CliError(
      'Specify HTS codes as arguments, in a CSV file with --csv, or on standard input, one per line.',
      2,
    );
  for await (const line of createInterface({ input: source })) {
    if (line.trim() !== '') yield line;
  }
}

async function* inBatches(codes: Iterable<string> | AsyncIterable<string>): AsyncGenerator<CodeRow[]> {
  let batch: CodeRow[] = [];
  let row = 0;
  for await (const code of codes) {
    batch.push({ row: ++row, cells: [code] });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface CsvFile {
  readonly delimiter: string;
  readonly bom: boolean;
  /** The first record, or null if the file is empty. */
  readonly header: readonly string[] | null;
  readonly batches: AsyncIterable<readonly CodeRow[]>;
}

async function openCsv(source: Readable, name: string): Promise<CsvFile> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let start = Buffer.alloc(0);
  try {
    while (!start.includes('\n') && start.length < MAX_HEADER_SIZE) {
      const { done, value } = await chunks.next();
      if (done) break;
      start = Buffer.concat([start, value]);
    }
  } catch (error) {
    throw notCsv(name, error);
  }
  const mark = start.toString('hex', 0, 3);
  const utf16 = mark.startsWith('fffe') ? 'utf-16le' : mark.startsWith('feff') ? 'utf-16be' : null;
  const delimiter = delimiterOf(new TextDecoder(utf16 ?? 'utf-8').decode(start));
  const batches = csvBatches(textBytes(start, chunks, name, utf16), delimiter, name);
  let first: readonly CodeRow[] = [];
  while (first.length === 0) {
    const next = await batches.next();
    if (next.done) break;
    first = next.value;
  }
  return {
    delimiter,
    bom: utf16 !== null || mark === 'efbbbf',
    header: first[0]?.cells ?? null,
    batches: (async function* () {
      yield first.slice(1);
      yield* batches;
    })(),
  };
}

/** Parses CSV. Yields the rows of each chunk as a batch so that only a few rows are in memory at a time. */
async function* csvBatches(
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
  name: string,
): AsyncGenerator<readonly CodeRow[]> {
  let row = 0;
  let batch: CodeRow[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    max_record_size: MAX_ROW_SIZE,
    on_record: (cells: string[]) => {
      row++;
      if (cells.some(cell => cell.includes('\0'))) throw notText(name);
      if (cells.length > 1 || cells[0] !== '') batch.push({ row, cells });
      return null;
    },
  });
  parser.on('error', () => {}).resume();
  const settle = (run: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => run(error => (error ? reject(error) : resolve())));
  const take = () => {
    const taken = batch;
    batch = [];
    return taken;
  };
  try {
    for await (const chunk of bytes) {
      await settle(done => parser.write(chunk, done));
      yield take();
    }
    await settle(done => parser.end(done));
    yield take();
  } catch (error) {
    throw notCsv(name, error);
  }
}

function notCsv(name: string, error: unknown): CliError {
  return error instanceof CliError ? error : fileError(`Can't read ${name} as CSV`, error);
}

/**
 * Yields a file's content, encoded as UTF-8. Rejects text with invalid bytes, because decoding would silently replace
 * those bytes.
 */
async function* textBytes(
  start: Buffer,
  chunks: AsyncIterator<Buffer>,
  name: string,
  utf16: 'utf-16le' | 'utf-16be' | null,
): AsyncGenerator<Buffer> {
  const decoder = utf16 && new TextDecoder(utf16, { fatal: true });
  const decode = (bytes?: Buffer) => {
    try {
      return Buffer.from(decoder!.decode(bytes, { stream: bytes !== undefined }));
    } catch {
      throw notText(name);
    }
  };
  let rest = Buffer.alloc(0);
  for (let next: IteratorResult<Buffer> = { value: start }; !next.done; next = await chunks.next()) {
    if (decoder) {
      yield decode(next.value);
      continue;
    }
    const bytes = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value;
    const end = lastCompleteCharacter(bytes);
    if (!isUtf8(bytes.subarray(0, end))) throw notText(name);
    rest = Buffer.from(bytes.subarray(end));
    yield bytes.subarray(0, end);
  }
  if (rest.length > 0) throw notText(name);
  if (decoder) yield decode();
}

/**
 * Returns the number of bytes before an incomplete UTF-8 character at the end, or the total number of bytes if the last
 * character is complete.
 */
function lastCompleteCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0;
    if (size > 0) return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function notText(name: string): CliError {
  return new CliError(`${name} isn't UTF-8 text. Save the file as a UTF-8 encoded CSV file.`);
}

/** Returns the delimiter that occurs most often outside quotation marks in the header. */
function delimiterOf(text: string): string {
  const [header = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text) ?? [];
  const unquoted = header.replace(/"(?:[^"]|"")*"/g, '');
  return [',', ';', '\t'].sort((a, b) => unquoted.split(b).length - unquoted.split(a).length)[0]!;
}

/**
 * Finds the column whose header exactly matches the first of the given headers. If there's no such column, finds the
 * first column whose header matches any of them, ignoring case and punctuation. Returns -1 if no header matches.
 */
export function findColumn(header: readonly string[], wanted: readonly string[]): number {
  const normalize = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const exact = header.indexOf(wanted[0]!);
  if (exact >= 0) return exact;
  const names = wanted.map(normalize);
  return header.findIndex(name => names.includes(normalize(name)));
}

function columnIndex(header: readonly string[], wanted: readonly string[]): number {
  const index = findColumn(header, wanted);
  if (index >= 0) return index;
  const problem =
    wanted === COMMON_HEADERS
      ? 'Use --column to specify the column that contains the codes'
      : `Column ${wanted[0]} not found`;
  throw new CliError(`${problem}. The file has these columns: ${header.join(', ')}`, 2);
}
