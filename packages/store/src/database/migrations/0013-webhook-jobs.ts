import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Moves webhook deliveries from the event table to a job table. */
export async function up(db: Kysely<never>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const id = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('webhook_jobs')
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
    .addUniqueConstraint('webhook_jobs_one_live', ['family', 'kind', 'live_key'])
    .execute();
  for (const [index, where] of [
    ['key on webhook_jobs (key)', null],
    ['turn on webhook_jobs (priority desc, turn, id)', 'turn is not null'],
    ['own_turn on webhook_jobs (family, priority, turn)', 'turn is not null'],
    ['served on webhook_jobs (priority, served)', 'served is not null'],
    ['own_served on webhook_jobs (family, priority, served)', 'served is not null'],
    ['unplaced on webhook_jobs (due_at, id)', 'turn is null and due_at is not null'],
  ] as const) {
    await sql.raw(`create index webhook_jobs_${index}${where ? ` where ${where}` : ''}`).execute(db);
  }
  const key = isSqlite
    ? sql`e.watch_id || '/' || printf('%010d', e.seq)`
    : sql`e.watch_id || '/' || lpad(cast(e.seq as text), 10, '0')`;
  await sql`insert into webhook_jobs
      (id, family, kind, key, live_key, state, due_at, attempts, max_attempts, run_at, created_at, finished_at, error, payload)
    select 'job_' || ${key}, w.family, 'webhook', ${key},
      case e.delivery when 'pending' then ${key} end,
      case e.delivery when 'pending' then 'queued' when 'dead' then 'failed' else 'done' end,
      e.due_at, e.attempts, 10, coalesce(e.due_at, e.created_at), e.created_at,
      case e.delivery when 'pending' then null else e.created_at end, e.error, 'null'
    from watch_events e join watches w on w.id = e.watch_id where e.delivery <> 'none'`.execute(db);
  await db.schema.dropIndex('watch_events_due').execute();
  for (const column of ['delivery', 'attempts', 'due_at', 'lease', 'error'])
    await db.schema.alterTable('watch_events').dropColumn(column).execute();
}
