import type { Dataset } from '@compliance/core/tariff';
import type { KeyChange, OperatorSession, Store } from '@compliance/store';
import type { Context } from 'hono';
import type { PageEnv } from '../../http/context.ts';

/**
 * Operator secret check. The operator pages have access to the hash of the configured secret, but not to the secret.
 */
export interface OperatorAccess {
  /** The stored hash of the secret. Sessions are bound to the hash, so changing the secret ends all sessions. */
  readonly secretHash: string;
  /** Checks whether a string is the operator secret. This check is deliberately slow. */
  verify(secret: string): Promise<boolean>;
}

/** Operator page dependencies. */
export interface OperatorDeps {
  store: Store;
  /** Returns milliseconds since the Unix epoch. */
  clock: () => number;
  /** Returns the data set for a request. */
  dataset: () => Dataset;
  operator: OperatorAccess;
  baseUrl?: string | undefined;
  trustedProxies?: number | undefined;
}

/** Request data for the operator pages. `session` is set on all pages except sign-in. */
export interface OperatorEnv extends PageEnv {
  Variables: PageEnv['Variables'] & { session?: OperatorSession };
}

/** The request context for the operator pages. */
export type OperatorContext = Context<OperatorEnv>;

/** The actor in the audit log for changes made on these pages. */
const ACTOR = 'operator';

/** Returns the actor and request ID that are recorded with a change. */
export function changeOf(c: OperatorContext): KeyChange {
  return { actor: ACTOR, requestId: c.get('requestId') };
}
