import { sql } from 'kysely';
import { type AuditLog, createAppendAudit, createAuditLog } from './audit/audit.ts';
import type { Blobs } from './blobs/blobs.ts';
import { type Certificates, createCertificates } from './certificates/certificates.ts';
import { createIdempotency, type Idempotency } from './certificates/idempotency.ts';
import { createIds } from './database/ids.ts';
import { migrate } from './database/migrations/index.ts';
import type { Connections } from './database/schema.ts';
import { StoreError } from './errors.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createLimits, type LimitQuotas, type Limits } from './keys/limits.ts';
import { createUsage, type Usage } from './keys/usage.ts';
import { createNomenclatures, type Nomenclatures } from './nomenclatures.ts';
import { type Attempts, createAttempts } from './operator/attempts.ts';
import { createOperator, type Operator } from './operator/operator.ts';
import { createWaitlist, type Waitlist } from './operator/waitlist.ts';
import { createSharedTargetRate, type SharedTargetRate } from './targets/shared-target-rate.ts';

/**
 * The service's data, stored on either engine. Use `openStore` to open this store.
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
  /**
   * Resolves if the database responds, which makes this function suitable for readiness probes.
   *
   * @throws StoreError with `database_unavailable`
   */
  ready(): Promise<void>;
  /** Stores pending counts and then closes all connections. Calling this function again has no effect. */
  close(): Promise<void>;
}

/** Options for {@link startStore}. */
export interface StartOptions {
  readonly clock: () => number;
  readonly limits?: Partial<LimitQuotas> | undefined;
  readonly blobs: Blobs;
}

/**
 * Starts the store with open connections to a database on either engine, and migrates the tables. Closes the
 * connections if the store can't be started.
 */
export async function startStore(connections: Connections, { clock, limits, blobs }: StartOptions): Promise<Store> {
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
    ready: () => ping(connections),
    async close() {
      await usage.settled();
      await Promise.all([durable.destroy(), bestEffort.destroy()]);
    },
  };

  try {
    await store.ready();
    await migrate(durable);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Resolves if the database responds. The thrown error includes only the original error's code, because a driver's error
 * messages may include the connection string.
 *
 * @throws StoreError with `database_unavailable`
 */
export async function ping({ durable, bestEffort, location }: Connections): Promise<void> {
  try {
    await Promise.all([durable, bestEffort].map(db => sql`select 1`.execute(db)));
  } catch (error) {
    const code = (error as { code?: unknown }).code ?? 'no code';
    throw new StoreError(
      'database_unavailable',
      `${location} doesn't respond (${code}). Make sure that the database is running and accepts connections from this user.`,
    );
  }
}
