import { type Kysely, sql } from 'kysely';

/**
 * Adds a partial index for failed jobs to the service's queues, so that listing and counting failed jobs doesn't read
 * the other ended jobs. The Shopify app's queue already has this index.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const table of ['bulk_parts', 'webhook_jobs'])
    await sql.raw(`create index ${table}_failed on ${table} (id) where state = 'failed'`).execute(db);
}
