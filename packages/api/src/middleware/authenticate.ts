import { hasDelegateAccess, includesScope, type KeyRecord, type KeyScope, type Store } from '@compliance/store';
import type { Context } from 'hono';
import { ApiError } from '../errors/api-error.ts';

/**
 * Minimum delay before a 401 response, and the additional delay for each pending 401 response, in milliseconds.
 * Together, these delays limit a flood of invalid keys to fewer than 1,000 responses per second per process, regardless
 * of the number of connections.
 */
const REFUSAL_DELAY_MS = 20;
const PENDING_REFUSAL_DELAY_MS = 1;

/**
 * Creates a function that authenticates a request and returns its API key.
 *
 * @throws ApiError `unauthorized` from the returned function if the key is missing or invalid
 */
export function createAuthenticator(store: Store): (c: Context) => Promise<KeyRecord> {
  let pendingRefusals = 0;
  return async c => {
    const [, presented] = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const key = presented === undefined ? null : await store.keys.authenticate(presented);
    if (key) return key;
    const delay = REFUSAL_DELAY_MS + PENDING_REFUSAL_DELAY_MS * pendingRefusals++;
    await new Promise(resolve => setTimeout(resolve, delay));
    pendingRefusals--;
    throw new ApiError('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
}

/**
 * Checks that a key has delegate access and the required scope. If the required scope is `any`, every scope is
 * sufficient.
 *
 * @throws ApiError `beta`, `scope`
 */
export function authorize(key: KeyRecord, requiredScope: KeyScope | 'any'): void {
  if (!hasDelegateAccess(key.note)) throw new ApiError('beta');
  if (requiredScope !== 'any' && !includesScope(key.scope, requiredScope)) throw new ApiError('scope');
}
