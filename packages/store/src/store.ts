import { sql } from 'kysely';
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
import { type AuditLog, createAppendAudit, createAuditLog } from './operator/audit.ts';
import { createOperator, type Operator } from './operator/operator.ts';
import { createWaitlist, type Waitlist } from './operator/waitlist.ts';
import { createSessions, type Sessions } from './shop/installation/sessions.ts';
import { createShops, type Shops } from './shop/installation/shops.ts';
import { createWebhooks, type Webhooks } from './shop/installation/webhooks.ts';
import { createJobs, type Jobs } from './shop/jobs/queue.ts';
import { createScope } from './shop/scope.ts';
import { createShop, type Shop } from './shop/shop.ts';

/**
 * Everything that must be remembered, on either engine. Made by `openStore`.
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
  /** The shops that have, or had, the app. */
  readonly shops: Shops;
  /** Sessions of Shopify's library, by id. */
  readonly sessions: Sessions;
  readonly webhooks: Webhooks;
  /** The queue of all shops, for workers. */
  readonly jobs: Jobs;
  /**
   * All that is kept of one shop: every other way to its rows is by a session's id or a claimed job.
   *
   * @throws StoreError `shop_invalid`
   * @example
   * const scans = await store.shop('some-name.myshopify.com').scans.list({ limit: 20 });
   */
  shop(domain: string): Shop;
  /**
   * Resolves when the database answers. For a readiness probe.
   *
   * @throws StoreError `database_unavailable`
   */
  ready(): Promise<void>;
  /** Stores what is still to be counted, then ends every connection. May be called twice. */
  close(): Promise<void>;
}

/** The store over connections of any dialect, its tables brought up to date. Closes them when that fails. */
export async function startStore(
  connections: Connections,
  {
    clock,
    limits,
    blobs,
  }: { readonly clock: () => number; readonly limits?: Partial<LimitQuotas> | undefined; readonly blobs: Blobs },
): Promise<Store> {
  const { ledger, counters } = connections;
  const newId = createIds(clock);
  const appendAudit = createAppendAudit(clock, newId);

  const keys = createKeys(ledger, counters, clock, newId, appendAudit);
  const usage = createUsage(counters, clock);
  const ground = { ledger, clock, newId };

  const store: Store = {
    keys,
    limits: createLimits(counters, clock, limits),
    usage,
    audit: createAuditLog(ledger, appendAudit),
    nomenclatures: createNomenclatures(ledger, clock, newId),
    certificates: createCertificates(ledger, clock, blobs, appendAudit),
    blobs,
    idempotency: createIdempotency(ledger, clock),
    waitlist: createWaitlist(ledger, clock, newId, appendAudit, keys.issueWithin),
    operator: createOperator(ledger, clock),
    attempts: createAttempts(counters, clock),
    shops: createShops(ground),
    sessions: createSessions(ground),
    webhooks: createWebhooks(ground),
    jobs: createJobs(ground),
    shop: domain => createShop(createScope(ground, domain)),
    ready: () => ping(connections),
    async close() {
      await usage.settled();
      await Promise.all([ledger.destroy(), counters.destroy()]);
    },
  };

  try {
    await store.ready();
    await migrate(ledger);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Resolves when the database answers. Drivers may put a connection string into their errors, so only the error's code is
 * passed on.
 *
 * @throws StoreError `database_unavailable`
 */
export async function ping({ ledger, counters, place }: Connections): Promise<void> {
  try {
    await Promise.all([ledger, counters].map(db => sql`select 1`.execute(db)));
  } catch (error) {
    const code = (error as { code?: unknown }).code ?? 'no code';
    throw new StoreError(
      'database_unavailable',
      `${place} does not answer (${code}). Check that it runs and lets you in.`,
    );
  }
}
