import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { StoreError } from '../../errors.ts';
import { hasTable } from '../has-table.ts';
import type { Database } from '../schema.ts';
import { up as keysLimitsUsageAudit } from './0001-keys-limits-usage-audit.ts';
import { up as certificatesIdempotency } from './0002-certificates-idempotency.ts';
import { up as waitlistOperatorAttempts } from './0003-waitlist-operator-attempts.ts';
import { up as shops } from './0004-shops.ts';
import { up as certificateWords } from './0005-certificate-words.ts';
import { up as certificateStatus } from './0006-certificate-status.ts';
import { up as targetRates } from './0007-target-rates.ts';
import { up as codeSupport } from './0008-code-support.ts';
import { up as watches } from './0009-watches.ts';
import { up as fairJobs } from './0010-fair-jobs.ts';
import { up as bulkJobs } from './0011-bulk-jobs.ts';
import { up as jobInputs } from './0012-job-inputs.ts';
import { up as webhookJobs } from './0013-webhook-jobs.ts';
import { up as alerts } from './0014-alerts.ts';
import { up as variantDuties } from './0015-variant-duties.ts';
import { up as productFacts } from './0016-product-facts.ts';
import { up as renderings } from './0017-renderings.ts';
import { up as failedJobs } from './0018-failed-jobs.ts';
import { up as draftAttachments } from './0019-draft-attachments.ts';
import { up as flowTriggers } from './0020-flow-triggers.ts';
import { up as variantCosts } from './0021-variant-costs.ts';
import { up as variantImages } from './0022-variant-images.ts';
import { up as productCosts } from './0023-product-costs.ts';
import { up as variantChecks } from './0024-variant-checks.ts';
import { up as catalogVersion } from './0025-catalog-version.ts';

/** A change to the tables. */
export interface SchemaMigration {
  readonly up: (db: Kysely<never>) => Promise<void>;
  /**
   * The last migration of the oldest release whose code can use the tables after this migration. For a migration that
   * only adds to the tables, this is the last migration of the previous release, so that operators can roll back. For a
   * migration that removes something, this is the last migration of the release whose code stopped using the removed
   * tables or columns.
   */
  readonly oldestCode: string;
}

/**
 * Migrations for both the service and the Shopify app, sorted by name. Never change a released migration. Instead, add
 * a migration with the next number. See the instructions in CONTRIBUTING.md.
 */
export const SCHEMA_MIGRATIONS: Readonly<Record<string, SchemaMigration>> = {
  '0001-keys-limits-usage-audit': { up: keysLimitsUsageAudit, oldestCode: '0001-keys-limits-usage-audit' },
  '0002-certificates-idempotency': { up: certificatesIdempotency, oldestCode: '0002-certificates-idempotency' },
  '0003-waitlist-operator-attempts': { up: waitlistOperatorAttempts, oldestCode: '0003-waitlist-operator-attempts' },
  '0004-shops': { up: shops, oldestCode: '0004-shops' },
  '0005-certificate-words': { up: certificateWords, oldestCode: '0005-certificate-words' },
  '0006-certificate-status': { up: certificateStatus, oldestCode: '0006-certificate-status' },
  '0007-target-rates': { up: targetRates, oldestCode: '0007-target-rates' },
  // Earlier releases don't check this table, and reject every database that has unknown migrations.
  '0008-code-support': { up: codeSupport, oldestCode: '0008-code-support' },
  '0009-watches': { up: watches, oldestCode: '0008-code-support' },
  '0010-fair-jobs': { up: fairJobs, oldestCode: '0008-code-support' },
  '0011-bulk-jobs': { up: bulkJobs, oldestCode: '0008-code-support' },
  '0012-job-inputs': { up: jobInputs, oldestCode: '0008-code-support' },
  // No release has used the columns that this migration removes from `watch_events`.
  '0013-webhook-jobs': { up: webhookJobs, oldestCode: '0008-code-support' },
  '0014-alerts': { up: alerts, oldestCode: '0008-code-support' },
  '0015-variant-duties': { up: variantDuties, oldestCode: '0008-code-support' },
  '0016-product-facts': { up: productFacts, oldestCode: '0008-code-support' },
  '0017-renderings': { up: renderings, oldestCode: '0008-code-support' },
  '0018-failed-jobs': { up: failedJobs, oldestCode: '0008-code-support' },
  '0019-draft-attachments': { up: draftAttachments, oldestCode: '0008-code-support' },
  '0020-flow-triggers': { up: flowTriggers, oldestCode: '0008-code-support' },
  '0021-variant-costs': { up: variantCosts, oldestCode: '0008-code-support' },
  '0022-variant-images': { up: variantImages, oldestCode: '0008-code-support' },
  '0023-product-costs': { up: productCosts, oldestCode: '0008-code-support' },
  '0024-variant-checks': { up: variantChecks, oldestCode: '0008-code-support' },
  '0025-catalog-version': { up: catalogVersion, oldestCode: '0008-code-support' },
};

/** Names of this release's migrations, oldest first. */
export const MIGRATIONS: readonly string[] = Object.keys(SCHEMA_MIGRATIONS);

/** Table whose only row records the oldest release that can use the tables. */
const SUPPORT = { table: 'code_support', id: 'current' };

/**
 * Migrates the tables to the latest migration or to the specified migration. Several processes can call this function
 * at the same time: one migrates and the others wait. Does nothing if a newer release has migrated the tables in a way
 * that this release supports.
 *
 * @param known this release's migrations
 * @throws StoreError with `database_newer` if a newer release has migrated the tables and this release can't use them
 */
export async function migrate(db: Database, to?: string, known = SCHEMA_MIGRATIONS): Promise<void> {
  const { applied, newer, usable } = await compatibility(db, known);
  if (!usable) {
    throw new StoreError(
      'database_newer',
      `A newer release has migrated the database (${newer.at(-1)}), and this release can't use it. Run a newer release, or ` +
        'use this release to restore one of its own backups to an empty location: compliance restore <backup>',
    );
  }
  if (newer.length > 0) return;
  if (to !== undefined || applied.length < Object.keys(known).length) {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
    const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
    if (error) throw error;
  }
  await recordOldestCode(db, known);
}

/**
 * Compares the applied migrations with a release's migrations.
 *
 * @returns the applied migrations, the applied migrations that the release doesn't include, and whether the release can
 * use the tables
 */
export async function compatibility(
  db: Database,
  known = SCHEMA_MIGRATIONS,
): Promise<{ readonly applied: readonly string[]; readonly newer: readonly string[]; readonly usable: boolean }> {
  const names = Object.keys(known);
  const applied = await appliedMigrations(db);
  const newer = applied.filter(name => !names.includes(name));
  if (newer.length === 0) return { applied, newer, usable: true };
  const oldest = await oldestCode(db);
  const isComplete = names.every(name => applied.includes(name));
  return { applied, newer, usable: oldest !== null && isComplete && oldest <= names.at(-1)! };
}

/** Records the oldest release that can use the tables. The record never reverts to an older release. */
async function recordOldestCode(db: Database, known: typeof SCHEMA_MIGRATIONS): Promise<void> {
  const applied = await appliedMigrations(db);
  const oldest = applied
    .map(name => known[name]?.oldestCode ?? name)
    .sort()
    .at(-1);
  const recorded = await oldestCode(db);
  if (oldest === undefined || recorded === null || recorded >= oldest) return;
  await sql`insert into ${sql.table(SUPPORT.table)} (id, oldest) values (${SUPPORT.id}, ${oldest})
    on conflict (id) do update set oldest = excluded.oldest`.execute(db);
}

/** Returns the recorded oldest release, an empty string if nothing is recorded, or null if the table doesn't exist. */
async function oldestCode(db: Database): Promise<string | null> {
  if (!(await hasTable(db, SUPPORT.table))) return null;
  const { rows } = await sql<{ oldest: string }>`
    select oldest from ${sql.table(SUPPORT.table)} where id = ${SUPPORT.id}`.execute(db);
  return rows[0]?.oldest ?? '';
}

/** Returns the names of applied migrations, including those from newer releases. */
export async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await hasTable(db, DEFAULT_MIGRATION_TABLE))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
