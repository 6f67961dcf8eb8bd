import { type Kysely, sql } from 'kysely';

/** Number of certificates per query. */
const BATCH = 200;

/** Adds the status that each certificate's record determines, so that certificates can be found by status. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('certificate_words')
    .addColumn('initial_status', 'text', column => column.notNull().defaultTo('draft'))
    .execute();

  for (let last = ''; ; ) {
    const { rows } = await sql<{ id: string; record: string }>`
      select id, record from certificates where id > ${last} order by id limit ${BATCH}`.execute(db);
    for (const { id, record } of rows) {
      await sql`update certificate_words set initial_status = ${statusOf(record)} where id = ${id}`.execute(db);
    }
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

/** Returns the status of a record whose format predates this migration. Records in other formats are drafts. */
function statusOf(record: string): string {
  const { request, completeness } = JSON.parse(record) ?? {};
  if (!request?.attestation) return 'draft';
  return completeness?.status === 'complete' ? 'complete' : 'incomplete';
}
