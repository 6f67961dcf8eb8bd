import type { KeyChange, OperatorSession, Store } from '@compliance/store';
import type { Context } from 'hono';
import type { Connection } from '../gates/client-address.ts';

/** Who may sign in to the operator pages. Made where the secret is known; the pages see only its hash. */
export interface OperatorAccess {
  /** The stored hash of the secret; a session belongs to it, so that a new secret ends all sessions. */
  readonly secretHash: string;
  /** Whether a text is the secret. Slow on purpose. */
  verify(secret: string): Promise<boolean>;
}

/** What the operator pages work with. */
export interface OperatorDeps {
  store: Store;
  /** Milliseconds since 1970. */
  clock: () => number;
  operator: OperatorAccess;
  baseUrl?: string | undefined;
  trustedProxies?: number | undefined;
  onFailure?: ((failure: unknown, requestId: string) => void) | undefined;
}

/** `session` is there on every page but the one to sign in. */
export interface OperatorEnv {
  Bindings: Connection;
  Variables: { requestId: string; session?: OperatorSession };
}

/** A request of the operator pages. */
export type OperatorContext = Context<OperatorEnv>;

/** Who the audit log names for changes made on these pages. */
const ACTOR = 'operator';

/** What every change on these pages is written down with. */
export function changeOf(c: OperatorContext): KeyChange {
  return { actor: ACTOR, requestId: c.get('requestId') };
}
