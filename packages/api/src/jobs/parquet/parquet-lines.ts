import { type Pool, PoolError, siblingModule } from '@compliance/crawler/pool';
import { ApiError } from '../../errors/api-error.ts';
import { fromPoolError } from '../../errors/from-pool-error.ts';
import { MAX_ROW_BYTES } from '../bulk-operations.ts';
import { invalidFile, tooManyRows } from '../input-errors.ts';
import type { StoredUpload } from '../stored-upload.ts';
import type { ByteRange, decodeParquetRows, ParquetFile, ParquetLayout, readParquetLayout } from './decode-parquet.ts';

/** Options for reading a Parquet file. */
interface ParquetOptions {
  /** Lowercase names of the columns to read, or null to read all columns. Only the first column is required. */
  readonly columns: readonly string[] | null;
  readonly maxRows: number;
  /** The job's key family. */
  readonly tenant: string;
}

/**
 * Reads a Parquet file as lines of JSON, one for each row.
 *
 * @throws ApiError `invalid_request` if the file can't be read, `body_too_large` if it has too many rows, `unavailable`
 *   if the pool is at capacity
 */
export type ReadParquet = (file: StoredUpload, options: ParquetOptions) => AsyncGenerator<string>;

/** Maximum time to read a file, including queue time, in milliseconds. */
const TOTAL_MS = 900_000;

/**
 * Maximum sizes in bytes: metadata, columns of a row group, row groups in a call, lines returned by a call, and all
 * lines.
 */
const MAX_FOOTER_BYTES = 16 * 2 ** 20;
const MAX_GROUP_BYTES = 64 * 2 ** 20;
const MAX_CALL_BYTES = 16 * 2 ** 20;
const MAX_LINES_BYTES = 8 * 2 ** 20;
const MAX_TOTAL_BYTES = 4 * 2 ** 30;

/** Maximum number of rows to decode in a call. Many programs write row groups of up to 122,880 rows. */
const ROWS_PER_CALL = 150_000;

/**
 * If a call with more than `FEW_ROWS` rows takes too much memory or time, its rows are decoded in smaller calls, each
 * with 1/`SPLIT` of the rows. If a call with at most `FEW_ROWS` rows takes too much memory or time, the file is
 * rejected.
 */
const FEW_ROWS = 2_000;
const SPLIT = 8;

/** Minimum file size in bytes: two magic numbers and the metadata length. */
const MIN_BYTES = 12;

const MAGIC = 'PAR1';
const ENCRYPTED_MAGIC = 'PARE';

const DAMAGED =
  "This file is truncated or damaged, or uses a Parquet feature that isn't supported. Write the file again with default settings.";
const TOO_COMPLEX =
  'This file takes too much memory or time to read. Write the file again with at most 100,000 rows per row group.';

/**
 * Creates a function that reads Parquet files in the pool's sandboxed worker processes. These workers never parse web
 * pages or render certificates, and this process only copies byte ranges.
 *
 * @example for await (const line of createParquetReader(pool)(file, { columns: ['code'], maxRows: 1_000, tenant })) use(line);
 */
export function createParquetReader(pool: Pool): ReadParquet {
  const module = siblingModule(import.meta.url, 'decode-parquet');
  return async function* readParquet(file, { columns, maxRows, tenant }) {
    const runner = pool.as({ lane: 'keyed', tenant, target: 'files', signal: AbortSignal.timeout(TOTAL_MS) }, 'files');
    const footer = await readFooter(file);
    const input: ParquetFile = { footer, size: file.size, columns };
    const layout = await decoded(runner.run<typeof readParquetLayout>(module, 'readParquetLayout', input));
    const groups = boundsOf(layout, file.size - footer.length, maxRows);
    let total = 0;
    let rowsPerCall = ROWS_PER_CALL;
    for (let first = 0, next = 0; first < groups.length; ) {
      const called = groupsInCall(groups, first);
      const chunks: { start: number; bytes: Uint8Array }[] = [];
      for (const { start, end } of called.flatMap(({ ranges }) => ranges))
        chunks.push({ start, bytes: await file.read(start, end) });
      const end = called.at(-1)!.rowEnd;
      while (next < end) {
        const rowEnd = Math.min(end, next + rowsPerCall);
        const call = {
          ...input,
          rowStart: next,
          rowEnd,
          chunks,
          maxBytes: MAX_LINES_BYTES,
          maxRowBytes: MAX_ROW_BYTES,
        };
        const reply = await decoded(runner.run<typeof decodeParquetRows>(module, 'decodeParquetRows', call)).catch(
          (error: unknown) => {
            if (!(error instanceof TooComplex) || rowEnd - next <= FEW_ROWS) throw error;
            rowsPerCall = Math.ceil((rowEnd - next) / SPLIT);
          },
        );
        if (!reply) continue;
        const { rows, lines } = reply;
        const split = new TextDecoder().decode(lines).split('\n');
        total += lines.length;
        // Check the reply, because the worker process could be compromised.
        if (rows < 1 || rows > rowEnd - next || split.length !== rows + 1) throw invalidFile(DAMAGED);
        if (total > MAX_TOTAL_BYTES)
          throw invalidFile('This file contains too much data. Split it into several smaller files.');
        yield* split.slice(0, -1);
        next += rows;
      }
      first += called.length;
    }
  };
}

/** Error for a call that takes too much memory or time. */
class TooComplex extends ApiError {
  constructor() {
    super('invalid_request', { detail: invalidFile(TOO_COMPLEX).detail });
  }
}

/** Returns the file's footer, which contains the metadata. @throws ApiError `invalid_request` */
async function readFooter(file: StoredUpload): Promise<Uint8Array> {
  const { size } = file;
  const textAt = async (start: number) => {
    return size < MIN_BYTES ? '' : Buffer.from(await file.read(start, start + MAGIC.length)).toString('latin1');
  };
  const [head, tail] = [await textAt(0), await textAt(size - MAGIC.length)];
  if (head === ENCRYPTED_MAGIC || tail === ENCRYPTED_MAGIC)
    throw invalidFile("Encrypted Parquet files aren't supported.");
  if (head !== MAGIC) throw invalidFile("This file isn't a Parquet file.");
  if (tail !== MAGIC) throw invalidFile('This file is truncated. Upload it again.');
  const end = size - MAGIC.length;
  const length = Buffer.from(await file.read(end - 4, end)).readUInt32LE();
  if (length > size - MIN_BYTES) throw invalidFile(DAMAGED);
  if (length > MAX_FOOTER_BYTES) throw invalidFile(TOO_COMPLEX);
  return await file.read(end - 4 - length, size);
}

/** A row group with at least one row. */
interface RowGroup {
  readonly rowEnd: number;
  readonly ranges: readonly ByteRange[];
  readonly bytes: number;
}

/**
 * Checks the size and location of every row group and returns the row groups that have rows.
 *
 * @throws ApiError `invalid_request`, `body_too_large`
 */
function boundsOf({ groups }: ParquetLayout, dataEnd: number, maxRows: number): RowGroup[] {
  let rowEnd = 0;
  const bounded: RowGroup[] = [];
  for (const { rows, ranges } of groups) {
    const isInFile = ranges.every(({ start, end }) => start >= MAGIC.length && start <= end && end <= dataEnd);
    if (!(rows >= 0) || !isInFile) throw invalidFile(DAMAGED);
    rowEnd += rows;
    if (rowEnd > maxRows) throw tooManyRows(maxRows);
    const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    if (bytes > MAX_GROUP_BYTES) throw invalidFile(TOO_COMPLEX);
    if (rows > 0) bounded.push({ rowEnd, ranges, bytes });
  }
  return bounded;
}

/**
 * Returns the row groups to read in one call. Small row groups are combined, because a file can have one row group per
 * row.
 */
function groupsInCall(groups: readonly RowGroup[], first: number): readonly RowGroup[] {
  const start = groups[first - 1]?.rowEnd ?? 0;
  let bytes = 0;
  let next = first;
  do bytes += groups[next++]!.bytes;
  while (
    next < groups.length &&
    groups[next]!.rowEnd - start <= ROWS_PER_CALL &&
    bytes + groups[next]!.bytes <= MAX_CALL_BYTES
  );
  return groups.slice(first, next);
}

/** Returns a call's result. @throws ApiError if the call fails or the file has a problem */
async function decoded<T extends object>(call: Promise<T | { readonly problem: string }>): Promise<T> {
  const result = await call.catch((error: unknown) => {
    if (!(error instanceof PoolError)) throw error;
    if (error.reason === 'threw') throw invalidFile(DAMAGED);
    if (error.blamesInput) throw new TooComplex();
    throw fromPoolError(error);
  });
  if ('problem' in result) throw invalidFile(result.problem);
  return result;
}
