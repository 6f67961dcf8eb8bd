import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { JobRow } from '../jobs/job.ts';

/** Format of a bulk job's input or result. */
export type BulkFormat = 'csv' | 'ndjson' | 'parquet';

/**
 * A bulk job. `upload` identifies the upload whose files are the job's input, and `header` is the first line of a CSV
 * file. If `result_format` is null, the result has the input's format. `source` is the URL of an input that the service
 * fetches, and `input_error` is the error from the latest attempt, as JSON.
 */
export interface BulkJobRow {
  id: string;
  family: string;
  key_id: string;
  operation: string;
  format: BulkFormat;
  result_format: BulkFormat | null;
  options: string;
  header: string;
  rows: number;
  parts: number;
  created_at: number;
  upload: string | null;
  source: string | null;
  input_error: string | null;
  started_at: number | null;
  cancelled_at: number | null;
}

/**
 * A part of a bulk job, or an input that a worker must fetch, stored as a job in a queue. The key consists of the bulk
 * job's ID, a slash, and the part's number or `input`.
 */
interface BulkPartRow extends JobRow {
  family: string;
}

/** Bulk job tables. The column conventions in `../database/schema.ts` apply. */
interface BulkSchema {
  bulk_jobs: BulkJobRow;
  bulk_parts: BulkPartRow;
}

/** Database connection for statements on the bulk job tables. */
export type BulkDatabase = Kysely<BulkSchema>;

/** Returns the same connection, typed for statements on the bulk job tables. */
export function withBulkTables(db: Database): BulkDatabase {
  return db as unknown as BulkDatabase;
}
