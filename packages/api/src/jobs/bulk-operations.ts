import type { BulkFormat, KeyScope } from '@compliance/store';

/** Operation that a bulk job can run on each row of a file. */
interface BulkOperation {
  readonly scope: Exclude<KeyScope, 'all'>;
  /** Maximum number of rows per file, and per account per day. */
  readonly maxRows: number;
  /** Number of rows that a worker processes at a time. */
  readonly rowsPerPart: number;
  readonly formats: readonly BulkFormat[];
  readonly resultFormats: readonly BulkFormat[];
  /** Columns of the input that the operation uses, or null if it uses all of them. The first one is required. */
  readonly inputColumns: readonly string[] | null;
  /** Columns of a CSV or Parquet result. */
  readonly columns: readonly string[];
}

/** File formats. */
export const BULK_FORMATS = ['csv', 'ndjson', 'parquet'] as const satisfies readonly BulkFormat[];

/** Bulk job operations, by the ID of the matching single-request operation. */
export const BULK_OPERATIONS = {
  'tariff.hts.lookup': {
    scope: 'tariff',
    maxRows: 10_000_000,
    rowsPerPart: 5_000,
    formats: BULK_FORMATS,
    resultFormats: BULK_FORMATS,
    inputColumns: ['code', 'origin', 'reference'],
    columns: [
      ...['row', 'reference', 'code', 'status', 'hit', 'in_scope', 'normalized', 'programs', 'message'],
      ...['error', 'error_message'],
    ],
  },
  'pixel.scan': {
    scope: 'pixel',
    maxRows: 100_000,
    rowsPerPart: 10,
    formats: BULK_FORMATS,
    resultFormats: BULK_FORMATS,
    inputColumns: ['url', 'reference'],
    columns: ['row', 'reference', 'url', 'score', 'findings', 'rules', 'error', 'error_message'],
  },
  'entry.gcc.generate': {
    scope: 'entry',
    maxRows: 100_000,
    rowsPerPart: 10,
    formats: ['ndjson', 'parquet'],
    resultFormats: ['ndjson'],
    inputColumns: null,
    columns: [],
  },
} as const satisfies Record<string, BulkOperation>;

/** ID of an operation that a bulk job can run. */
export type BulkOperationId = keyof typeof BULK_OPERATIONS;

/** IDs of the operations that a bulk job can run. */
export const BULK_OPERATION_IDS = Object.keys(BULK_OPERATIONS) as [BulkOperationId, ...BulkOperationId[]];

/** Maximum file size in bytes. */
export const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** Maximum row size in bytes. */
export const MAX_ROW_BYTES = 256 * 1024;

/** How long a job and its files are kept, in milliseconds: 7 days. */
export const KEEP_MS = 7 * 86_400_000;
