import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { Database } from '../schema.ts';
import { up as keysLimitsUsageAudit } from './0001-keys-limits-usage-audit.ts';
import { up as certificatesIdempotency } from './0002-certificates-idempotency.ts';
import { up as waitlistOperatorAttempts } from './0003-waitlist-operator-attempts.ts';
import { up as shops } from './0004-shops.ts';
import { up as certificateWords } from './0005-certificate-words.ts';
import { up as certificateStatus } from './0006-certificate-status.ts';
import { up as targetRates } from './0007-target-rates.ts';

/**
 * Migrations for both the service and the Shopify app, sorted by name. Never change a released migration. Instead, add
 * a migration with the next number.
 */
const migrations = {
  '0001-keys-limits-usage-audit': { up: keysLimitsUsageAudit },
  '0002-certificates-idempotency': { up: certificatesIdempotency },
  '0003-waitlist-operator-attempts': { up: waitlistOperatorAttempts },
  '0004-shops': { up: shops },
  '0005-certificate-words': { up: certificateWords },
  '0006-certificate-status': { up: certificateStatus },
  '0007-target-rates': { up: targetRates },
};

/** Names of this release's migrations, in order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations);

function migratorOf(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Migrates the tables to the latest migration or to the specified migration. Several processes can call this function
 * at the same time: one migrates and the others wait.
 */
export async function migrate(db: Database, to?: string): Promise<void> {
  const migrator = migratorOf(db);
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error) throw error;
}

/** Returns the names of applied migrations, including those from newer releases. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
