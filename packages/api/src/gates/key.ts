import type { KeyRecord, Store } from '@compliance/store';
import type { Context } from 'hono';
import { ApiError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';

/** The word that opens the beta gate. */
const DELEGATE = /(^|[\s,;])delegate:on($|[\s,;])/;

/**
 * How long a caller without a working key waits for the answer, and how much longer for each other who waits: a flood stays
 * below a thousand refusals a second, over however many connections it comes.
 */
const REFUSAL_MS = 20;
const REFUSAL_BESIDE_MS = 1;

/** The key of a request. @throws ApiError `unauthorized` when it is missing or does not work. */
export function createKeyGate(store: Store): (c: Context) => Promise<KeyRecord> {
  let waiting = 0;
  return async c => {
    const [, presented] = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '') ?? [];
    const key = presented === undefined ? null : await store.keys.authenticate(presented);
    if (key) return key;
    const wait = REFUSAL_MS + REFUSAL_BESIDE_MS * waiting++;
    await new Promise(resolve => setTimeout(resolve, wait));
    waiting--;
    throw new ApiError('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };
}

/** Whether a key with this note passes the beta gate. */
export function opensBetaGate(note: string): boolean {
  return DELEGATE.test(note);
}

/** Lets a key through that is flagged for delegate access and is for the product area. @throws ApiError `beta`, `scope` */
export function admit(key: KeyRecord, operation: Operation): void {
  if (!opensBetaGate(key.note)) throw new ApiError('beta');
  if (key.scope !== 'all' && key.scope !== operation.scope) throw new ApiError('scope');
}
