import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { Database } from '../schema.ts';
import { up as keysLimitsUsageAudit } from './0001-keys-limits-usage-audit.ts';
import { up as certificatesIdempotency } from './0002-certificates-idempotency.ts';
import { up as waitlistOperatorAttempts } from './0003-waitlist-operator-attempts.ts';
import { up as shops } from './0004-shops.ts';
import { up as certificateWords } from './0005-certificate-words.ts';

/** In the order of their names. A released migration is never changed: add the next number. */
const migrations = {
  '0001-keys-limits-usage-audit': { up: keysLimitsUsageAudit },
  '0002-certificates-idempotency': { up: certificatesIdempotency },
  '0003-waitlist-operator-attempts': { up: waitlistOperatorAttempts },
  '0004-shops': { up: shops },
  '0005-certificate-words': { up: certificateWords },
};

/** The names of the migrations of this release, in their order. */
export const MIGRATIONS: readonly string[] = Object.keys(migrations);

function migratorOf(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } });
}

/**
 * Brings the tables up to date, or to where a migration left them. Safe when several processes do it at the same moment: one
 * works, the others wait.
 */
export async function migrate(db: Database, to?: string): Promise<void> {
  const migrator = migratorOf(db);
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error) throw error;
}

/** The names of the migrations that the tables have gone through, also of releases that are newer than this one. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
