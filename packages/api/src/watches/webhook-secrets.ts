import { createHmac } from 'node:crypto';
import type { LinkKeys } from '../certificates/links.ts';

/**
 * One of a watch's secrets. A secret is derived from a service signing key, the watch ID, and a number, so the secret
 * itself isn't in the database. `until` is the time when a replaced secret expires (milliseconds since the Unix epoch),
 * or null.
 */
interface SecretEntry {
  kid: string;
  number: number;
  until: number | null;
}

/** How long webhooks are also signed with the previous secret after a rotation, in milliseconds: 24 hours. */
const OVERLAP_MS = 86_400_000;

/** Functions that manage the secrets used to sign watch webhooks. */
export interface WebhookSecrets {
  /** Returns the text to store for a new watch. The text identifies the watch's first secret. */
  create(): string;
  /** Adds a new secret and returns the text to store. The previous secret also stays active for 24 hours. */
  rotate(stored: string, now: number): string;
  /** Returns the newest secret in the Standard Webhooks format: `whsec_` followed by the secret in base64. */
  current(stored: string, watchId: string): string;
  /** Returns the active secrets, newest first. Secrets whose signing key was removed from the service are omitted. */
  active(stored: string, watchId: string, now: number): Buffer[];
}

/**
 * Creates the functions that manage webhook secrets.
 *
 * @param keys the service's signing keys; as long as a secret is in use, its key must be configured
 * @example createWebhookSecrets({ active: 'k1', keys: { k1: randomBytes(32) } }).create() // '[{"kid":"k1","number":1,"until":null}]'
 */
export function createWebhookSecrets({ active: activeKey, keys }: LinkKeys): WebhookSecrets {
  const derive = ({ kid, number }: SecretEntry, watchId: string): Buffer | null => {
    const key = Object.hasOwn(keys, kid) ? keys[kid]! : null;
    return key && createHmac('sha256', key).update(['webhook', 'v1', kid, watchId, number].join('\n')).digest();
  };
  const entriesOf = (stored: string): SecretEntry[] => JSON.parse(stored);
  return {
    create: () => JSON.stringify([{ kid: activeKey, number: 1, until: null }]),
    rotate(stored, now) {
      const [newest] = entriesOf(stored) as [SecretEntry];
      const next: SecretEntry = { kid: activeKey, number: newest.number + 1, until: null };
      return JSON.stringify([next, { ...newest, until: now + OVERLAP_MS }]);
    },
    current(stored, watchId) {
      const secret = derive(entriesOf(stored)[0]!, watchId);
      if (!secret) throw new RangeError("This secret's signing key is no longer configured.");
      return `whsec_${secret.toString('base64')}`;
    },
    active: (stored, watchId, now) =>
      entriesOf(stored)
        .filter(({ until }) => until === null || until > now)
        .flatMap(entry => derive(entry, watchId) ?? []),
  };
}
