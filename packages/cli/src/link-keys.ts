import { randomBytes } from 'node:crypto';
import type { LinkKeys } from '@compliance/api';
import { Failure } from './failure.ts';
import { keptSecret } from './kept-secret.ts';

const FORM = /^[a-z0-9-]{1,32}:[A-Za-z0-9_-]{43,}$/;

/**
 * The secrets that links to certificates are signed with: `LINK_KEYS`, or, outside production, those in `<data>/link-keys`,
 * which are made on the first start and readable by their owner alone. Written as `id:secret`, several with spaces between;
 * the first one signs, all of them are taken.
 *
 * @throws Failure when they are malformed, or missing in production
 */
export function linkKeys(dataDir: string, env: NodeJS.ProcessEnv): LinkKeys {
  const { LINK_KEYS: given, NODE_ENV } = env;
  const advice = 'Set LINK_KEYS to id:secret with at least 32 random bytes in base64url, such as k1:<43 characters>.';
  if (!given && NODE_ENV === 'production') throw new Failure(`LINK_KEYS is not set. ${advice}`);
  const entries = (given ?? keptSecret(dataDir, 'link-keys', () => `k1:${randomBytes(32).toString('base64url')}`))
    .trim()
    .split(/\s+/);
  if (!entries.every(entry => FORM.test(entry))) throw new Failure(`The link keys are malformed. ${advice}`);
  const keys = entries.map(entry => entry.split(':') as [string, string]);
  return {
    active: keys[0]![0],
    keys: Object.fromEntries(keys.map(([id, secret]) => [id, Buffer.from(secret, 'base64url')])),
  };
}
