import { type Kysely, sql } from 'kysely';

/** Adds priorities and turns to the Shopify app's jobs, so that tenants share the workers fairly. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('shop_jobs')
    .addColumn('priority', 'integer', column => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('shop_jobs').addColumn('turn', 'bigint').execute();
  await db.schema.alterTable('shop_jobs').addColumn('served', 'bigint').execute();
  for (const [index, where] of [
    ['turn on shop_jobs (priority desc, turn, id)', 'turn is not null'],
    ['own_turn on shop_jobs (shop, priority, turn)', 'turn is not null'],
    ['served on shop_jobs (priority, served)', 'served is not null'],
    ['own_served on shop_jobs (shop, priority, served)', 'served is not null'],
    ['unplaced on shop_jobs (due_at, id)', 'turn is null and due_at is not null'],
    ['failed on shop_jobs (id)', "state = 'failed'"],
  ]) {
    await sql.raw(`create index shop_jobs_${index} where ${where}`).execute(db);
  }
}
