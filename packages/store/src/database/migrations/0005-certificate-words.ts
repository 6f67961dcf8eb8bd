import { type Kysely, sql } from 'kysely';

/** Number of certificates per query. */
const BATCH = 200;

/** Creates a table for searchable certificate names, separate from the long records. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('certificate_words')
    .addColumn('id', 'text', column => column.primaryKey().references('certificates.id'))
    .addColumn('words', 'text', column => column.notNull())
    .execute();

  for (let last = ''; ; ) {
    const { rows } = await sql<{ id: string; record: string }>`
      select id, record from certificates where id > ${last} order by id limit ${BATCH}`.execute(db);
    for (const { id, record } of rows) {
      await sql`insert into certificate_words (id, words) values (${id}, ${wordsOf(record)})`.execute(db);
    }
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.id;
  }
}

/**
 * Returns the names in a record whose format predates this migration. Records in other formats don't have names, so
 * their certificates can be found only by ID or SHA-256 hash.
 */
function wordsOf(record: string): string {
  const { name, model, sku } = JSON.parse(record)?.request?.product_info ?? {};
  return [name, model, sku]
    .filter(text => typeof text === 'string')
    .map(text => text.toWellFormed().replaceAll('\0', ' ').normalize('NFKC').toLowerCase())
    .join('\n');
}
