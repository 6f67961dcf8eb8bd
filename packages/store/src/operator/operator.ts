import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/schema.ts';

/** A signed-in operator. `formToken` belongs in every form of the session; it cannot be told from outside. */
export interface OperatorSession {
  readonly formToken: string;
  /** ms since epoch. */
  readonly createdAt: number;
}

/**
 * Sessions of the operator pages, and the hash of the operator secret that all processes share. Of a session only the
 * SHA-256 of its token is stored. A session belongs to the hash it was opened under: a new secret ends it.
 */
export interface Operator {
  /** The hash that is in force, or null before the first one. */
  secretHash(): Promise<string | null>;
  /**
   * Puts `next` in the place of `known`, unless another process put something else there first, and gives the hash that
   * is in force then.
   *
   * @example
   * const hash = await store.operator.replaceSecretHash({ known: null, next: '$scrypt$…' });
   */
  replaceSecretHash(change: { readonly known: string | null; readonly next: string }): Promise<string>;
  /**
   * Opens a session. Its token is given once; it goes into the cookie and nowhere else.
   *
   * @example
   * const { token } = await store.operator.openSession(hash);
   */
  openSession(secretHash: string): Promise<{ readonly token: string; readonly session: OperatorSession }>;
  /**
   * The session of a token, and one more hour for it; null when there is none or it has ended: an hour after its last use,
   * twelve after it was opened, or by another secret.
   */
  session(token: string, secretHash: string): Promise<OperatorSession | null>;
  /** Ends a session. */
  closeSession(token: string): Promise<void>;
}

const HOUR_MS = 3_600_000;
const IDLE_MS = HOUR_MS;
const LONGEST_MS = 12 * HOUR_MS;

/** The one row of `operator_secret`. */
const CURRENT = 'current';

export function createOperator(ledger: Database, clock: () => number): Operator {
  async function secretHash(): Promise<string | null> {
    const row = await ledger.selectFrom('operator_secret').select('hash').where('id', '=', CURRENT).executeTakeFirst();
    return row?.hash ?? null;
  }

  const endedBefore = () => ({ lastUse: clock() - IDLE_MS, opening: clock() - LONGEST_MS });

  return {
    secretHash,

    async replaceSecretHash({ known, next }) {
      await ledger
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
      await ledger
        .deleteFrom('operator_sessions')
        .where(eb => eb.or([eb('last_used_at', '<=', lastUse), eb('created_at', '<=', opening)]))
        .execute();
      await ledger
        .insertInto('operator_sessions')
        .values({ sha256: sha256(token), secret_sha256: sha256(hash), created_at: now, last_used_at: now })
        .execute();
      return { token, session: { formToken: formToken(token), createdAt: now } };
    },

    async session(token, hash) {
      const { lastUse, opening } = endedBefore();
      const row = await ledger
        .updateTable('operator_sessions')
        .set({ last_used_at: clock() })
        .where('sha256', '=', sha256(token))
        .where('secret_sha256', '=', sha256(hash))
        .where('last_used_at', '>', lastUse)
        .where('created_at', '>', opening)
        .returning('created_at')
        .executeTakeFirst();
      return row ? { formToken: formToken(token), createdAt: row.created_at } : null;
    },

    async closeSession(token) {
      await ledger.deleteFrom('operator_sessions').where('sha256', '=', sha256(token)).execute();
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Made from the session's token, so that it need not be stored; the token cannot be found from it. */
function formToken(token: string): string {
  return sha256(`form ${token}`);
}
