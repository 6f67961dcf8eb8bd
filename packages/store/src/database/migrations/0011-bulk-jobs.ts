import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds bulk jobs, whose input is a file, and the queue of their parts. */
export async function up(db: Kysely<never>): Promise<void> {
  const id = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('bulk_jobs')
    .addColumn('id', id, column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('key_id', 'text', column => column.notNull())
    .addColumn('operation', 'text', column => column.notNull())
    .addColumn('format', 'text', column => column.notNull())
    .addColumn('options', 'text', column => column.notNull())
    .addColumn('header', 'text', column => column.notNull())
    .addColumn('rows', 'integer', column => column.notNull())
    .addColumn('parts', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('upload', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('cancelled_at', 'bigint')
    .execute();
  await db.schema.createIndex('bulk_jobs_family').on('bulk_jobs').columns(['family', 'id']).execute();
  await db.schema
    .createTable('bulk_parts')
    .addColumn('id', id, column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('key', id, column => column.notNull())
    .addColumn('live_key', 'text')
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('worker', 'text')
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('max_attempts', 'integer', column => column.notNull())
    .addColumn('run_at', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('error', 'text')
    .addColumn('payload', 'text', column => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('result', 'text')
    .addColumn('again', 'text')
    .addColumn('priority', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('turn', 'bigint')
    .addColumn('served', 'bigint')
    .addUniqueConstraint('bulk_parts_one_live', ['family', 'kind', 'live_key'])
    .execute();
  for (const [index, where] of [
    ['key on bulk_parts (key)', null],
    ['turn on bulk_parts (priority desc, turn, id)', 'turn is not null'],
    ['own_turn on bulk_parts (family, priority, turn)', 'turn is not null'],
    ['served on bulk_parts (priority, served)', 'served is not null'],
    ['own_served on bulk_parts (family, priority, served)', 'served is not null'],
    ['unplaced on bulk_parts (due_at, id)', 'turn is null and due_at is not null'],
  ] as const) {
    await sql.raw(`create index bulk_parts_${index}${where ? ` where ${where}` : ''}`).execute(db);
  }
}
