import type { KeyScope } from '@compliance/store';

/** Operation that a bulk job can run on each row of a file. */
interface BulkOperation {
  readonly scope: Exclude<KeyScope, 'all'>;
  /** Maximum number of rows in a file, and per account and day. */
  readonly maxRows: number;
  /** Number of rows that a worker processes at a time. */
  readonly rowsPerPart: number;
  readonly formats: readonly ('csv' | 'ndjson')[];
  /** Columns of a result in CSV. */
  readonly columns: readonly string[];
}

/** Operations of bulk jobs, by the ID of the operation for a single request. */
export const BULK_OPERATIONS = {
  'tariff.hts.lookup': {
    scope: 'tariff',
    maxRows: 10_000_000,
    rowsPerPart: 5_000,
    formats: ['csv', 'ndjson'],
    columns: [
      ...['row', 'reference', 'code', 'status', 'hit', 'in_scope', 'normalized', 'programs', 'message'],
      ...['error', 'error_message'],
    ],
  },
  'pixel.scan': {
    scope: 'pixel',
    maxRows: 100_000,
    rowsPerPart: 10,
    formats: ['csv', 'ndjson'],
    columns: ['row', 'reference', 'url', 'score', 'findings', 'rules', 'error', 'error_message'],
  },
  'entry.gcc.generate': { scope: 'entry', maxRows: 100_000, rowsPerPart: 10, formats: ['ndjson'], columns: [] },
} as const satisfies Record<string, BulkOperation>;

/** ID of an operation that a bulk job can run. */
export type BulkOperationId = keyof typeof BULK_OPERATIONS;

/** IDs of the operations that a bulk job can run. */
export const BULK_OPERATION_IDS = Object.keys(BULK_OPERATIONS) as [BulkOperationId, ...BulkOperationId[]];

/** Maximum size of a file in bytes. */
export const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** Maximum size of a row in bytes. */
export const MAX_ROW_BYTES = 256 * 1024;

/** How long a job and its files are kept, in milliseconds: 7 days. */
export const KEEP_MS = 7 * 86_400_000;
