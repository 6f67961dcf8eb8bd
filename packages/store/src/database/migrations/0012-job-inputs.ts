import type { Kysely } from 'kysely';

/**
 * Adds columns to bulk jobs: the result format, the URL of an input that the service fetches, and the last fetch error.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['result_format', 'source', 'input_error'])
    await db.schema.alterTable('bulk_jobs').addColumn(name, 'text').execute();
}
