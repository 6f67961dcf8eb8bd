import { sql } from 'kysely';
import { isSqlite } from './is-sqlite.ts';
import type { Database } from './schema.ts';

/** Returns whether a database has a table. Kysely's introspection is slower, because it also reads every column. */
export async function hasTable(db: Database, name: string): Promise<boolean> {
  const found = isSqlite(db)
    ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
    : sql`select 1 where to_regclass(${name}) is not null`;
  return (await found.execute(db)).rows.length > 0;
}
