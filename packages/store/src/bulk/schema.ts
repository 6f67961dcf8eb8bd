import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { JobRow } from '../jobs/job.ts';

/** A bulk job. `upload` identifies the upload whose files are the job's input, and `header` is the first line of a CSV file. */
export interface BulkJobRow {
  id: string;
  family: string;
  key_id: string;
  operation: string;
  format: 'csv' | 'ndjson';
  options: string;
  header: string;
  rows: number;
  parts: number;
  created_at: number;
  upload: string | null;
  started_at: number | null;
  cancelled_at: number | null;
}

/** A part of a bulk job, stored as a job in a queue. Its key is the bulk job's ID, a slash, and the part's number. */
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
