import { type Kysely, sql } from 'kysely';

/** How many certificates are read at a time. */
const BATCH = 200;

/** The names that certificates are searched by, apart from the records, which are long. */
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

/** Of a record in the form that there was until now; another has no words, and is found by its number alone. */
function wordsOf(record: string): string {
  const { name, model, sku } = JSON.parse(record)?.request?.product_info ?? {};
  return [name, model, sku]
    .filter(text => typeof text === 'string')
    .map(text => text.toWellFormed().replaceAll('\0', ' ').normalize('NFKC').toLowerCase())
    .join('\n');
}
