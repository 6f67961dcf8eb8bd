import { randomUUID } from 'node:crypto';
import type { Database } from '../database/schema.ts';

/**
 * A request with an idempotency key. The store makes sure that the request is processed only once, even if a client
 * repeats it.
 */
export interface IdempotentRequest {
  /** The caller's key family. The same idempotency key in another family is treated as a different key. */
  readonly family: string;
  readonly operation: string;
  /** The idempotency key: at most 255 characters, none of them NUL. */
  readonly key: string;
  /** Text that identifies the request body, such as the SHA-256 hash of the body's canonical form. */
  readonly fingerprint: string;
  /** How long the key is remembered, in milliseconds. Defaults to 24 hours. */
  readonly lifeMs?: number | undefined;
}

/** Exclusive right to process a request, valid for a few seconds unless `extend` is called. */
export interface IdempotentRun {
  /**
   * Random UUID of the request. The UUID doesn't change when another run takes over. Use this ID for the result that
   * the request creates. If a result with this ID already exists, an earlier run created the result but died before
   * responding.
   */
  readonly id: string;
  /** Sequence number of this run. The number is greater than 1 if earlier runs were abandoned or died. */
  readonly attempt: number;
}

/**
 * - `new`: the caller must process the request, then call `finish`, or `abandon` if processing failed.
 * - `running`: another run is processing the request. If that run dies, another run can take over after `retryAfterMs`,
 *   which is at most five seconds.
 * - `done`: the request was processed, and `response` is the stored response.
 * - `mismatch`: the idempotency key was used with a different request body and hasn't expired yet.
 */
export type IdempotentState =
  | { readonly state: 'new'; readonly run: IdempotentRun }
  | { readonly state: 'running'; readonly retryAfterMs: number }
  | { readonly state: 'done'; readonly response: string }
  | { readonly state: 'mismatch' };

/**
 * Idempotency keys, which make sure that a request is processed only once, even if a client repeats the request or
 * several processes receive it. The keys are remembered for 24 hours by default.
 */
export interface Idempotency {
  /**
   * Tries to acquire the right to process a request. If several callers try at the same time, exactly one succeeds.
   *
   * @example
   * const begun = await store.idempotency.begin({ family, operation: 'entry.gcc.generate', key, fingerprint });
   * if (begun.state === 'done') return JSON.parse(begun.response);
   */
  begin(request: IdempotentRequest): Promise<IdempotentState>;
  /**
   * Extends this run's lease. Call this function every second while the request is being processed. Does nothing if
   * another run has taken over or the request is done.
   *
   * @example
   * const heartbeat = setInterval(() => store.idempotency.extend(begun.run), HEARTBEAT_MS);
   */
  extend(run: IdempotentRun): Promise<void>;
  /**
   * Stores and returns this run's response. If another run has already stored a response, returns that response
   * instead. If another run took over a slow run, both runs must send the response from the run that finished first.
   * The response must not contain secrets.
   *
   * @example
   * const kept = await store.idempotency.finish(begun.run, JSON.stringify({ gcc_id: begun.run.id }));
   */
  finish(run: IdempotentRun, response: string): Promise<string>;
  /**
   * Releases the lease so that a request with the same body can be retried immediately. A request with a different body
   * still results in `mismatch`, because part of the work might already have been done. Does nothing if another run has
   * taken over.
   *
   * @example
   * await store.idempotency.abandon(begun.run);
   */
  abandon(run: IdempotentRun): Promise<void>;
}

/**
 * Duration of a lease. After this time, a retry can take over the request of a process that died. The lease spans
 * several heartbeats, because a busy process can send them late.
 */
const LEASE_MS = 5_000;
/** How long a key is remembered by default. */
const LIFE_MS = 86_400_000;

export function createIdempotency(durable: Database, clock: () => number): Idempotency {
  /**
   * Claims an idempotency key in one atomic statement. The key must be new or expired, or its previous run must have
   * been abandoned or have died. Returns undefined if the key can't be claimed.
   */
  async function take(
    { family, operation, key, fingerprint, lifeMs = LIFE_MS }: IdempotentRequest,
    now: number,
  ): Promise<IdempotentRun | undefined> {
    return await durable
      .insertInto('idempotency')
      .values({
        family,
        operation,
        key,
        id: randomUUID(),
        attempt: 1,
        fingerprint,
        response: null,
        leased_until: now + LEASE_MS,
        expires_at: now + lifeMs,
      })
      .onConflict(conflict =>
        conflict
          .columns(['family', 'operation', 'key'])
          .doUpdateSet(eb => {
            const forgotten = eb('idempotency.expires_at', '<=', now);
            return {
              id: eb.case().when(forgotten).then(eb.ref('excluded.id')).else(eb.ref('idempotency.id')).end(),
              attempt: eb
                .case()
                .when(forgotten)
                .then(1)
                .else(eb('idempotency.attempt', '+', 1))
                .end(),
              fingerprint: eb.ref('excluded.fingerprint'),
              response: null,
              leased_until: eb.ref('excluded.leased_until'),
              expires_at: eb
                .case()
                .when(forgotten)
                .then(eb.ref('excluded.expires_at'))
                .else(eb.ref('idempotency.expires_at'))
                .end(),
            };
          })
          .where(eb => {
            const idle = eb.and([eb('idempotency.response', 'is', null), eb('idempotency.leased_until', '<=', now)]);
            const done = eb('idempotency.response', 'is not', null);
            return eb.or([
              eb.and([eb('idempotency.expires_at', '<=', now), eb.or([done, idle])]),
              eb.and([idle, eb('idempotency.fingerprint', '=', fingerprint)]),
            ]);
          }),
      )
      .returning(['id', 'attempt'])
      .executeTakeFirst();
  }

  /** Sets the end of a run's lease, unless another run has taken over or the request is done. */
  async function setLease({ id, attempt }: IdempotentRun, leasedUntil: number): Promise<void> {
    await durable
      .updateTable('idempotency')
      .set({ leased_until: leasedUntil })
      .where('id', '=', id)
      .where('attempt', '=', attempt)
      .where('response', 'is', null)
      .execute();
  }

  /**
   * Deletes one expired entry for each new entry, which keeps the table small. Deleting only one row at a time prevents
   * deadlocks.
   */
  async function sweepOne(now: number): Promise<void> {
    await durable
      .deleteFrom('idempotency')
      .where('id', '=', eb =>
        eb
          .selectFrom('idempotency as forgotten')
          .select('forgotten.id')
          .where('forgotten.expires_at', '<=', now)
          .where('forgotten.leased_until', '<=', now)
          .orderBy('forgotten.expires_at')
          .limit(1),
      )
      .execute();
  }

  return {
    async begin(request) {
      const { family, operation, key, fingerprint } = request;
      const now = clock();
      for (;;) {
        const run = await take(request, now);
        if (run) {
          await sweepOne(now);
          return { state: 'new', run };
        }
        const entry = await durable
          .selectFrom('idempotency')
          .select(['id', 'attempt', 'fingerprint', 'response', 'leased_until'])
          .where('family', '=', family)
          .where('operation', '=', operation)
          .where('key', '=', key)
          .executeTakeFirst();
        // A process whose clock is ahead might have deleted the entry between the two statements.
        if (!entry) continue;
        if (entry.fingerprint !== fingerprint) return { state: 'mismatch' };
        if (entry.response !== null) return { state: 'done', response: entry.response };
        // A lease that starts in the future was created by a process whose clock was ahead, so treat the lease as if it
        // started now.
        if (entry.leased_until > now + LEASE_MS) await setLease(entry, now + LEASE_MS);
        return { state: 'running', retryAfterMs: Math.max(0, Math.min(entry.leased_until - now, LEASE_MS)) };
      }
    },

    extend: run => setLease(run, clock() + LEASE_MS),

    async finish({ id }, response) {
      await durable
        .updateTable('idempotency')
        .set({ response })
        .where('id', '=', id)
        .where('response', 'is', null)
        .execute();
      const entry = await durable.selectFrom('idempotency').select('response').where('id', '=', id).executeTakeFirst();
      return entry?.response ?? response;
    },

    abandon: run => setLease(run, clock()),
  };
}
