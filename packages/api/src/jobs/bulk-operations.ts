import type { BulkFormat, KeyScope } from '@compliance/store';

/** Operation that a bulk job can run on each row of a file. */
interface BulkOperation {
  readonly scope: Exclude<KeyScope, 'all'>;
  /** Maximum number of rows per file, which is also an account's daily row quota. */
  readonly maxRows: number;
  /** Number of rows that a worker processes at a time. */
  readonly rowsPerPart: number;
  readonly formats: readonly BulkFormat[];
  readonly resultFormats: readonly BulkFormat[];
  /** Optional request fields that the operation supports. */
  readonly options: readonly BulkOption[];
  /**
   * Whether each row is a certificate request. If so, the service parses CSV files on receipt, because their cells can
   * contain line breaks. Otherwise, each line of a CSV file is a row that a worker parses.
   */
  readonly issuesCertificates: boolean;
  /**
   * Input columns that the operation uses, or null if it uses all columns. The first column in this list is required.
   */
  readonly inputColumns: readonly string[] | null;
  /** Columns of a CSV or Parquet result. */
  readonly columns: readonly string[];
}

/** Optional request fields that only some operations support. */
export const BULK_OPTIONS = ['as_of', 'programs', 'origin', 'journey', 'template'] as const;

type BulkOption = (typeof BULK_OPTIONS)[number];

/** File formats. */
export const BULK_FORMATS = ['csv', 'ndjson', 'parquet'] as const satisfies readonly BulkFormat[];

/** Properties shared by the operations for both certificate types. */
const CERTIFICATES = {
  scope: 'entry',
  maxRows: 100_000,
  rowsPerPart: 10,
  formats: BULK_FORMATS,
  resultFormats: ['ndjson'],
  options: ['template'],
  issuesCertificates: true,
  inputColumns: null,
  columns: [],
} as const satisfies BulkOperation;

/** Bulk job operations, by the ID of the matching single-request operation. `pixel.render` runs only as a job. */
export const BULK_OPERATIONS = {
  'tariff.hts.lookup': {
    scope: 'tariff',
    maxRows: 10_000_000,
    rowsPerPart: 5_000,
    formats: BULK_FORMATS,
    resultFormats: BULK_FORMATS,
    options: ['as_of', 'programs', 'origin'],
    issuesCertificates: false,
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
    options: [],
    issuesCertificates: false,
    inputColumns: ['url', 'reference'],
    columns: ['row', 'reference', 'url', 'score', 'findings', 'rules', 'error', 'error_message'],
  },
  'pixel.render': {
    scope: 'render',
    maxRows: 1_000,
    rowsPerPart: 1,
    formats: BULK_FORMATS,
    resultFormats: BULK_FORMATS,
    options: ['journey'],
    issuesCertificates: false,
    inputColumns: ['url', 'reference'],
    columns: [
      ...['row', 'reference', 'url', 'score', 'static_score', 'findings', 'rules', 'confirmed', 'refuted', 'unseen'],
      ...['traffic', 'events', 'steps', 'cut', 'isolation', 'error', 'error_message'],
    ],
  },
  'entry.gcc.generate': CERTIFICATES,
  'entry.cpc.generate': CERTIFICATES,
} as const satisfies Record<string, BulkOperation>;

/** ID of an operation that a bulk job can run. */
export type BulkOperationId = keyof typeof BULK_OPERATIONS;

/** IDs of the operations that a bulk job can run. */
export const BULK_OPERATION_IDS = Object.keys(BULK_OPERATIONS) as [BulkOperationId, ...BulkOperationId[]];

/** Maximum file size in bytes. */
export const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** Maximum row size in bytes. NDJSON rows of certificate jobs can be larger, because they can contain files. */
export const MAX_ROW_BYTES = 256 * 1024;

/** Size, in bytes, at which a part is closed, even if it has fewer than `rowsPerPart` rows. */
export const MAX_PART_BYTES = 16 * 1024 * 1024;

/** Retention period for a job and its files, in milliseconds: 7 days. */
export const KEEP_MS = 7 * 86_400_000;
