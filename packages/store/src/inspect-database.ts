import { sql } from 'kysely';
import { hasTable } from './database/has-table.ts';
import { appliedMigrations, compatibility, MIGRATIONS } from './database/migrations/index.ts';
import type { Connections, Database } from './database/schema.ts';
import { connect, isNewLocation, type StoreLocation } from './open.ts';
import { createOperator } from './operator/operator.ts';
import { ping } from './store.ts';

/** State of a store's tables, read without changing the tables. */
export interface DatabaseFacts {
  readonly engine: 'sqlite' | 'postgres';
  /** Location of the database, without secrets. */
  readonly location: string;
  /** Version of the engine, such as `3.51.0` or `18.4`. */
  readonly version: string;
  /** Migrations in this release that haven't been applied yet, but will run when the store is opened. */
  readonly pending: readonly string[];
  /** Applied migrations that belong to a newer release. */
  readonly unknown: readonly string[];
  /** Whether this release can use the tables, even if a newer release has migrated them. */
  readonly usable: boolean;
  /** Whether this process can write to the database and create tables. */
  readonly writable: boolean;
  /**
   * How far the database clock is ahead of this machine's clock, in milliseconds. Null on SQLite, which uses this
   * machine's clock.
   */
  readonly clockAheadMs: number | null;
  /**
   * Hash, in PHC string format, of the operator secret that was set when the service last started. Null if the service
   * has never started.
   */
  readonly operatorSecretHash: string | null;
  /** Edition of the most recently imported HTS export, or null if no export has been imported. */
  readonly nomenclature: string | null;
}

/**
 * Inspects a store's tables without creating a database, migrating the tables, or storing anything. Returns null if the
 * store uses SQLite and the data folder doesn't contain a database.
 *
 * @throws StoreError with `database_unavailable` or `config_invalid`
 * @example
 * const facts = await inspectDatabase({ dataDir: './data' }, Date.now);
 */
export async function inspectDatabase(location: StoreLocation, clock: () => number): Promise<DatabaseFacts | null> {
  if (isNewLocation(location)) return null;
  const connections = connect(location);
  const { engine, durable } = connections;
  try {
    await ping(connections);
    const applied = await appliedMigrations(durable);
    return {
      engine,
      location: connections.location,
      version: await versionOf(connections),
      pending: MIGRATIONS.filter(name => !applied.includes(name)),
      unknown: applied.filter(name => !MIGRATIONS.includes(name)),
      usable: (await compatibility(durable)).usable,
      writable: await isWritable(durable),
      clockAheadMs: engine === 'postgres' ? await clockAhead(durable, clock) : null,
      operatorSecretHash: await operatorSecretHashOf(durable),
      nomenclature: await nomenclatureOf(durable),
    };
  } finally {
    await Promise.all([durable.destroy(), connections.bestEffort.destroy()]);
  }
}

async function versionOf({ engine, durable }: Connections): Promise<string> {
  const asked =
    engine === 'sqlite'
      ? sql<{ version: string }>`select sqlite_version() as version`
      : sql<{ version: string }>`select split_part(current_setting('server_version'), ' ', 1) as version`;
  return (await asked.execute(durable)).rows[0]?.version ?? 'unknown';
}

/** Checks for the permissions that a migration requires, by creating a table and then rolling back the transaction. */
async function isWritable(durable: Database): Promise<boolean> {
  const taken = new Error('rolled back');
  try {
    await durable.transaction().execute(async trx => {
      await trx.schema.createTable('compliance_probe').addColumn('n', 'integer').execute();
      throw taken;
    });
  } catch (error) {
    return error === taken;
  }
  return true;
}

/**
 * Returns how far the database's clock is ahead, in milliseconds. Compares the database's time with the midpoint
 * between sending the query and receiving the result.
 */
async function clockAhead(durable: Database, clock: () => number): Promise<number> {
  const asked = clock();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(durable);
  return Math.round((rows[0]?.now ?? 0) - (asked + clock()) / 2);
}

async function operatorSecretHashOf(durable: Database): Promise<string | null> {
  if (!(await hasTable(durable, 'operator_secret'))) return null;
  return await createOperator(durable, Date.now).secretHash();
}

async function nomenclatureOf(durable: Database): Promise<string | null> {
  if (!(await hasTable(durable, 'nomenclatures'))) return null;
  const row = await durable
    .selectFrom('nomenclatures')
    .select('edition')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.edition ?? null;
}
