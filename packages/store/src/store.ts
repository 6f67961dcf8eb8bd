import { sql } from 'kysely';
import { type AuditLog, createAppendAudit, createAuditLog } from './audit/audit.ts';
import type { Blobs } from './blobs/blobs.ts';
import { type BulkJobs, createBulkJobs } from './bulk/bulk-jobs.ts';
import { type Certificates, createCertificates } from './certificates/certificates.ts';
import { createIdempotency, type Idempotency } from './certificates/idempotency.ts';
import { createIds } from './database/ids.ts';
import { appliedMigrations, migrate } from './database/migrations/index.ts';
import type { Connections, Database, DatabaseFigures } from './database/schema.ts';
import { StoreError } from './errors.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createLimits, type LimitQuotas, type Limits } from './keys/limits.ts';
import { createUsage, type Usage } from './keys/usage.ts';
import { createNomenclatures, type Nomenclatures } from './nomenclatures.ts';
import { type Attempts, createAttempts } from './operator/attempts.ts';
import { createOperator, type Operator } from './operator/operator.ts';
import { createWaitlist, type Waitlist } from './operator/waitlist.ts';
import { databaseUnavailable } from './storage-failure.ts';
import { createSharedTargetRate, type SharedTargetRate } from './targets/shared-target-rate.ts';
import { createWatches, type Watches } from './watches/watches.ts';

/**
 * The service's data, stored in SQLite or PostgreSQL. Use `openStore` to open a store.
 *
 * @example
 * const store = await openStore({ dataDir: './data', clock: Date.now });
 * const { key } = await store.keys.issue({ scope: 'tariff', actor: 'operator' });
 * await store.close();
 */
export interface Store {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly usage: Usage;
  readonly audit: AuditLog;
  readonly nomenclatures: Nomenclatures;
  readonly certificates: Certificates;
  readonly blobs: Blobs;
  readonly idempotency: Idempotency;
  readonly waitlist: Waitlist;
  readonly operator: Operator;
  readonly attempts: Attempts;
  readonly targetRate: SharedTargetRate;
  readonly watches: Watches;
  readonly bulkJobs: BulkJobs;
  /**
   * Resolves if the database responds.
   *
   * @throws StoreError with `database_unavailable`, `database_damaged`, `storage_full`, or `storage_read_only`
   */
  ready(): Promise<void>;
  /**
   * Writes a few bytes to the database and to the PDF storage, and returns the outcomes. Suitable for readiness probes,
   * but limit how often you call this function, because each call writes to disk or to the bucket.
   *
   * @example
   * const { database, pdfs } = await store.health(); // { database: null, pdfs: null } if both accept writes
   */
  health(): Promise<StoreHealth>;
  /**
   * Returns the size of the database and the state of this process's connections to it.
   *
   * @example
   * (await store.measure()).connections // { busy: 1, idle: 2, waiting: 0 }
   */
  measure(): Promise<DatabaseFigures>;
  /** Stores pending counts and then closes all connections. Calling this function again has no effect. */
  close(): Promise<void>;
}

/** Outcome of each test write: null if the write succeeded, or the error otherwise. */
export interface StoreHealth {
  readonly database: Error | null;
  readonly pdfs: Error | null;
}

/** Options for {@link startStore}. */
export interface StartOptions {
  readonly clock: () => number;
  readonly limits?: Partial<LimitQuotas> | undefined;
  /** Whether to create the tables if the database doesn't contain a store yet. Defaults to true. */
  readonly create?: boolean;
  readonly blobs: Blobs;
}

/**
 * Starts the store on a connected SQLite or PostgreSQL database, and migrates the tables. Closes the connections if the
 * store can't be started.
 */
export async function startStore(
  connections: Connections,
  { clock, limits, create = true, blobs }: StartOptions,
): Promise<Store> {
  const { durable, bestEffort } = connections;
  const newId = createIds(clock);
  const appendAudit = createAppendAudit(clock, newId);

  const keys = createKeys(durable, bestEffort, clock, newId, appendAudit);
  const usage = createUsage(bestEffort, clock);

  const store: Store = {
    keys,
    limits: createLimits(bestEffort, clock, limits),
    usage,
    audit: createAuditLog(durable, appendAudit),
    nomenclatures: createNomenclatures(durable, clock, newId),
    certificates: createCertificates(durable, clock, blobs, appendAudit),
    blobs,
    idempotency: createIdempotency(durable, clock),
    waitlist: createWaitlist(durable, clock, newId, appendAudit, keys.issueWithin),
    operator: createOperator(durable, clock),
    attempts: createAttempts(bestEffort, clock),
    targetRate: createSharedTargetRate(bestEffort, clock),
    watches: createWatches(durable, clock, newId),
    bulkJobs: createBulkJobs(durable, clock, newId),
    ready: () => ping(connections),
    async health() {
      const [database, pdfs] = await Promise.all([writeTest(bestEffort), blobs.check()].map(errorOf));
      return { database: database ?? null, pdfs: pdfs ?? null };
    },
    measure: () => connections.measure(),
    async close() {
      await usage.settled();
      await Promise.all([durable.destroy(), bestEffort.destroy()]);
    },
  };

  try {
    await store.ready();
    if (!create && (await appliedMigrations(durable)).length === 0) {
      throw new StoreError('store_missing', `${connections.location} doesn't contain a store.`);
    }
    await migrate(durable);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Checks that the database accepts writes, by writing the same row each time. The row has the format of an expired
 * attempt window, so the routine that deletes expired windows also deletes the row.
 */
async function writeTest(bestEffort: Database): Promise<void> {
  await bestEffort
    .insertInto('attempts')
    .values({ name: 'health check', count: 1, reset_at: 0 })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ count: eb('attempts.count', '+', 1) })))
    .execute();
}

async function errorOf(work: Promise<void>): Promise<Error | null> {
  return await work.then(
    () => null,
    (error: Error) => error,
  );
}

/**
 * Resolves if the database responds. The thrown error includes only the original error's code, because a driver's error
 * messages can include the connection string.
 *
 * @throws StoreError with `database_unavailable`, `database_damaged`, `storage_full`, or `storage_read_only`
 */
export async function ping({ durable, bestEffort, location }: Connections): Promise<void> {
  try {
    await Promise.all([durable, bestEffort].map(db => sql`select 1`.execute(db)));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw databaseUnavailable(location, `${(error as { code?: unknown }).code ?? 'no code'}`);
  }
}
