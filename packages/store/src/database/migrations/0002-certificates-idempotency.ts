import { type Kysely, SqliteAdapter, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('certificates')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('size', 'integer', column => column.notNull())
    .addColumn('record', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('supersedes', 'text', column => column.unique().references('certificates.id'))
    .addColumn('voided_at', 'bigint')
    .addColumn('void_reason', 'text')
    .addCheckConstraint('certificates_void_has_reason', sql`(voided_at is null) = (void_reason is null)`)
    .execute();
  await db.schema.createIndex('certificates_by_time').on('certificates').columns(['created_at', 'id']).execute();
  await db.schema
    .createIndex('certificates_by_family')
    .on('certificates')
    .columns(['family', 'created_at', 'id'])
    .execute();
  await keepCertificates(db);

  await db.schema
    .createTable('idempotency')
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('operation', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('attempt', 'integer', column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('response', 'text')
    .addColumn('leased_until', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('idempotency_pk', ['family', 'operation', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_expires_at').on('idempotency').column('expires_at').execute();
}

/**
 * Creates triggers that prevent certificates from being deleted or rewritten. The engines differ in how a trigger
 * raises an error and in which statements bypass row-level triggers.
 */
async function keepCertificates(db: Kysely<never>): Promise<void> {
  const words = 'certificates are kept as issued: void or supersede instead';
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const refuse = isSqlite ? `begin select raise(abort, '${words}'); end` : 'execute function certificates_refuse()';
  const refuseRow = (name: string, event: string, when = '1 = 1') =>
    sql
      .raw(`create trigger certificates_no_${name} ${event} on certificates for each row when (${when}) ${refuse}`)
      .execute(db);

  if (isSqlite) {
    // `insert or replace` deletes the row without firing the delete trigger.
    const takesPlace = 'exists (select 1 from certificates where id = new.id or supersedes = new.supersedes)';
    await refuseRow('replace', 'before insert', takesPlace);
  } else {
    await sql
      .raw(`create function certificates_refuse() returns trigger language plpgsql as
            $$ begin raise exception '${words}'; end $$`)
      .execute(db);
    await sql
      .raw(`create trigger certificates_no_truncate before truncate on certificates for each statement ${refuse}`)
      .execute(db);
  }
  await refuseRow('delete', 'before delete');
  await refuseRow('rewrite', 'before update of id, family, sha256, size, record, created_at, supersedes');
  await refuseRow('unvoid', 'before update of voided_at, void_reason', 'old.voided_at is not null');
}
