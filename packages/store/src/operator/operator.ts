import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/schema.ts';

/** Session of a signed-in operator. `csrfToken` is an unguessable CSRF token for the session's forms. */
export interface OperatorSession {
  readonly csrfToken: string;
  /** Time when the session was opened, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/**
 * Operator page sessions and the operator secret's hash. All processes share both. The store keeps only the SHA-256
 * hash of a session token. Each session is bound to the secret hash that was current when the session was opened, so
 * changing the secret ends the session.
 */
export interface Operator {
  /** Returns the current secret hash, or null if no secret has been set. */
  secretHash(): Promise<string | null>;
  /**
   * Replaces the hash `known` with `next`, unless another process replaced it first. Returns the current hash.
   *
   * @example
   * const hash = await store.operator.replaceSecretHash({ known: null, next: '$scrypt$…' });
   */
  replaceSecretHash(change: { readonly known: string | null; readonly next: string }): Promise<string>;
  /**
   * Opens a session and returns its token. The token can't be retrieved again, so store it only in the session cookie.
   *
   * @example
   * const { token } = await store.operator.openSession(hash);
   */
  openSession(secretHash: string): Promise<{ readonly token: string; readonly session: OperatorSession }>;
  /**
   * Returns the session for a token and restarts the session's one-hour inactivity period. Returns null if the session
   * is unknown or has ended. A session ends one hour after its last use, 12 hours after it was opened, or when the
   * secret changes, whichever comes first. If a clock was ahead when the session was opened, the session is treated as
   * if it had just been opened.
   */
  session(token: string, secretHash: string): Promise<OperatorSession | null>;
  /** Ends a session. */
  closeSession(token: string): Promise<void>;
}

const HOUR_MS = 3_600_000;
const IDLE_MS = HOUR_MS;
const LONGEST_MS = 12 * HOUR_MS;

/** ID of the only row in `operator_secret`. */
const CURRENT = 'current';

export function createOperator(durable: Database, clock: () => number): Operator {
  async function secretHash(): Promise<string | null> {
    const row = await durable.selectFrom('operator_secret').select('hash').where('id', '=', CURRENT).executeTakeFirst();
    return row?.hash ?? null;
  }

  const endedBefore = () => ({ lastUse: clock() - IDLE_MS, opening: clock() - LONGEST_MS });

  return {
    secretHash,

    async replaceSecretHash({ known, next }) {
      await durable
        .insertInto('operator_secret')
        .values({ id: CURRENT, hash: next, set_at: clock() })
        .onConflict(conflict =>
          conflict
            .column('id')
            .doUpdateSet(eb => ({ hash: eb.ref('excluded.hash'), set_at: eb.ref('excluded.set_at') }))
            .where('operator_secret.hash', '=', known ?? ''),
        )
        .execute();
      return (await secretHash()) ?? next;
    },

    async openSession(hash) {
      const token = randomBytes(32).toString('base64url');
      const now = clock();
      const { lastUse, opening } = endedBefore();
      await durable
        .deleteFrom('operator_sessions')
        .where(eb => eb.or([eb('last_used_at', '<=', lastUse), eb('created_at', '<=', opening)]))
        .execute();
      await durable
        .insertInto('operator_sessions')
        .values({ sha256: sha256(token), secret_sha256: sha256(hash), created_at: now, last_used_at: now })
        .execute();
      return { token, session: { csrfToken: csrfToken(token), createdAt: now } };
    },

    async session(token, hash) {
      const { lastUse, opening } = endedBefore();
      const now = clock();
      const row = await durable
        .updateTable('operator_sessions')
        .set(eb => ({
          last_used_at: now,
          created_at: eb.case().when('created_at', '>', now).then(now).else(eb.ref('created_at')).end(),
        }))
        .where('sha256', '=', sha256(token))
        .where('secret_sha256', '=', sha256(hash))
        .where('last_used_at', '>', lastUse)
        .where('created_at', '>', opening)
        .returning('created_at')
        .executeTakeFirst();
      return row ? { csrfToken: csrfToken(token), createdAt: row.created_at } : null;
    },

    async closeSession(token) {
      await durable.deleteFrom('operator_sessions').where('sha256', '=', sha256(token)).execute();
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Derives the CSRF token from the session token, so that the CSRF token doesn't need to be stored. The session token
 * can't be computed from the CSRF token.
 */
function csrfToken(token: string): string {
  return sha256(`form ${token}`);
}
