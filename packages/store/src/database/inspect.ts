import { sql } from 'kysely';
import { connect, isNewPlace, type StorePlace } from '../open.ts';
import { ping } from '../store.ts';
import { appliedMigrations, MIGRATIONS } from './migrations/index.ts';
import type { Connections, Database } from './schema.ts';

/** What can be told of a store's tables without changing them. */
export interface DatabaseFacts {
  readonly engine: 'sqlite' | 'postgres';
  /** Where it is; holds no secret. */
  readonly place: string;
  /** The engine's version, such as `3.51.0` or `18.4`. */
  readonly version: string;
  /** Migrations of this release that the tables have not gone through; the next start does them. */
  readonly pending: readonly string[];
  /** Migrations of a newer release that they have gone through. */
  readonly unknown: readonly string[];
  /** Whether this process may write and change tables. */
  readonly writable: boolean;
  /** How far the database's clock is ahead, in ms; null on SQLite, which has none of its own. */
  readonly clockAheadMs: number | null;
  /** The edition of the imported HTS export, or null. */
  readonly nomenclature: string | null;
}

/**
 * Looks at the tables of a store as they are: nothing is made, migrated or kept. Null where no store was opened yet.
 *
 * @throws StoreError `database_unavailable`, `config_invalid`
 * @example
 * const facts = await inspectDatabase({ dataDir: './data' }, Date.now);
 */
export async function inspectDatabase(place: StorePlace, clock: () => number): Promise<DatabaseFacts | null> {
  if (isNewPlace(place)) return null;
  const connections = connect(place);
  const { engine, ledger } = connections;
  try {
    await ping(connections);
    const applied = await appliedMigrations(ledger);
    return {
      engine,
      place: connections.place,
      version: await versionOf(connections),
      pending: MIGRATIONS.filter(name => !applied.includes(name)),
      unknown: applied.filter(name => !MIGRATIONS.includes(name)),
      writable: await isWritable(ledger),
      clockAheadMs: engine === 'postgres' ? await clockAhead(ledger, clock) : null,
      nomenclature: await nomenclatureOf(ledger),
    };
  } finally {
    await Promise.all([ledger.destroy(), connections.counters.destroy()]);
  }
}

async function versionOf({ engine, ledger }: Connections): Promise<string> {
  const asked =
    engine === 'sqlite'
      ? sql<{ version: string }>`select sqlite_version() as version`
      : sql<{ version: string }>`select split_part(current_setting('server_version'), ' ', 1) as version`;
  return (await asked.execute(ledger)).rows[0]?.version ?? 'of an unknown version';
}

/** Makes a table and takes it back: what a migration needs, and nobody sees it. */
async function isWritable(ledger: Database): Promise<boolean> {
  const taken = new Error('taken back');
  try {
    await ledger.transaction().execute(async trx => {
      await trx.schema.createTable('compliance_probe').addColumn('n', 'integer').execute();
      throw taken;
    });
  } catch (error) {
    return error === taken;
  }
  return true;
}

/** Against the middle of the question's way there and back. */
async function clockAhead(ledger: Database, clock: () => number): Promise<number> {
  const asked = clock();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(ledger);
  return Math.round((rows[0]?.now ?? 0) - (asked + clock()) / 2);
}

async function nomenclatureOf(ledger: Database): Promise<string | null> {
  const tables = await ledger.introspection.getTables();
  if (!tables.some(({ name }) => name === 'nomenclatures')) return null;
  const row = await ledger
    .selectFrom('nomenclatures')
    .select('edition')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.edition ?? null;
}
