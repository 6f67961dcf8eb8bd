import { randomUUID } from 'node:crypto';
import type { Database } from '../database/schema.ts';

/** A request that names itself by a key, so that it can be sent again without being done again. */
export interface IdempotentRequest {
  /** The key family that asks: another family's key of the same text is another key. */
  readonly family: string;
  readonly operation: string;
  /** The caller's text, at most 255 characters without NUL. */
  readonly key: string;
  /** What the body was, such as the SHA-256 of its canonical form. */
  readonly fingerprint: string;
}

/** The right to do a request's work, for 60 seconds. */
export interface IdempotentRun {
  /**
   * A random UUID that stays with the request when another run takes over. Make what is to be made once under this id:
   * if it is there already, an earlier run made it and died before it could say so.
   */
  readonly id: string;
  /** 1, or higher when earlier runs gave up or died. */
  readonly attempt: number;
}

/**
 * - `new`: do the work, then call `finish`, or `abandon` when it failed.
 * - `running`: another run does it now. It ends within a minute, by finishing, giving up or dying.
 * - `done`: this is the answer.
 * - `mismatch`: the key was used for another body within 24 hours.
 */
export type IdempotentState =
  | { readonly state: 'new'; readonly run: IdempotentRun }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly response: string }
  | { readonly state: 'mismatch' };

/** Requests that are done once however often they are sent, exact across processes. A key is remembered for 24 hours. */
export interface Idempotency {
  /**
   * Asks for the right to do a request's work. Of several who ask at once one gets it.
   *
   * @example
   * const begun = await store.idempotency.begin({ family, operation: 'entry.gcc.generate', key, fingerprint });
   * if (begun.state === 'done') return JSON.parse(begun.response);
   */
  begin(request: IdempotentRequest): Promise<IdempotentState>;
  /**
   * Keeps the answer, and gives the answer that is kept: when a run was so slow that another took over, both must send
   * the answer of the one that finished first. The text must hold no secret.
   *
   * @example
   * const kept = await store.idempotency.finish(begun.run, JSON.stringify({ gcc_id: begun.run.id }));
   */
  finish(run: IdempotentRun, response: string): Promise<string>;
  /**
   * Gives the right back, so that the same body may be tried again at once. Another body is still a mismatch: the work
   * may have gone half its way. Does nothing when another run has taken over.
   *
   * @example
   * await store.idempotency.abandon(begun.run);
   */
  abandon(run: IdempotentRun): Promise<void>;
}

const LEASE_MS = 60_000;
const LIFE_MS = 86_400_000;

export function createIdempotency(ledger: Database, clock: () => number): Idempotency {
  /** One atomic statement: takes a key that is new, forgotten or left by a dead run; else it gives nothing. */
  async function take(
    { family, operation, key, fingerprint }: IdempotentRequest,
    now: number,
  ): Promise<IdempotentRun | undefined> {
    return await ledger
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
        expires_at: now + LIFE_MS,
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

  /** One forgotten entry for each new one keeps the table small, and one row cannot be locked in the wrong order. */
  async function sweepOne(now: number): Promise<void> {
    await ledger
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
        const entry = await ledger
          .selectFrom('idempotency')
          .select(['fingerprint', 'response'])
          .where('family', '=', family)
          .where('operation', '=', operation)
          .where('key', '=', key)
          .executeTakeFirst();
        // None when another process, its clock ahead of ours, swept it between the two statements.
        if (!entry) continue;
        if (entry.fingerprint !== fingerprint) return { state: 'mismatch' };
        return entry.response === null ? { state: 'running' } : { state: 'done', response: entry.response };
      }
    },

    async finish({ id }, response) {
      await ledger
        .updateTable('idempotency')
        .set({ response })
        .where('id', '=', id)
        .where('response', 'is', null)
        .execute();
      const entry = await ledger.selectFrom('idempotency').select('response').where('id', '=', id).executeTakeFirst();
      return entry?.response ?? response;
    },

    async abandon({ id, attempt }) {
      await ledger
        .updateTable('idempotency')
        .set({ leased_until: clock() })
        .where('id', '=', id)
        .where('attempt', '=', attempt)
        .where('response', 'is', null)
        .execute();
    },
  };
}
