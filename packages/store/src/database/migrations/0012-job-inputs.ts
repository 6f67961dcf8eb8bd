import type { Kysely } from 'kysely';

/** Adds the result format of bulk jobs, and the URL of a file that the service fetches with the last error. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['result_format', 'source', 'input_error'])
    await db.schema.alterTable('bulk_jobs').addColumn(name, 'text').execute();
}
