import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { LinkKeys } from '@compliance/api';
import { Failure } from '../failure.ts';
import { keptSecret } from './kept-secret.ts';
import { isSample } from './sample.ts';

const FORM = /^[a-z0-9-]{1,32}:[A-Za-z0-9_-]{43,}$/;
const ADVICE = 'Set it to id:secret with at least 32 random bytes in base64url, such as k1:<43 characters>.';

/**
 * The secrets that links to certificates are signed with: `LINK_KEYS`, or, outside production, those in `<data>/link-keys`,
 * which are made on the first start and readable by their owner alone. Written as `id:secret`, several with spaces between;
 * the first one signs, all of them are taken.
 *
 * @throws Failure when they are malformed, or in production missing or a sample
 * @example
 * createLinks(linkKeys('./data', process.env));
 */
export function linkKeys(dataDir: string, env: NodeJS.ProcessEnv): LinkKeys {
  const { LINK_KEYS: given, NODE_ENV } = env;
  if (!given && NODE_ENV === 'production') throw new Failure(`LINK_KEYS is not set. ${ADVICE}`);
  const text = given || keptSecret(dataDir, 'link-keys', () => `k1:${randomBytes(32).toString('base64url')}`);
  const fault = faultOf(text, NODE_ENV === 'production');
  if (fault !== null && given) throw new Failure(`LINK_KEYS ${fault}. ${ADVICE}`);
  if (fault !== null) {
    throw new Failure(`${join(dataDir, 'link-keys')} ${fault}. Remove it, and the next start makes new keys.`);
  }
  const keys = entriesOf(text);
  return {
    active: keys[0]![0],
    keys: Object.fromEntries(keys.map(([id, secret]) => [id, Buffer.from(secret, 'base64url')])),
  };
}

/** Why a text does not hold good keys; null when it does. */
function faultOf(text: string, isProduction: boolean): string | null {
  if (
    !text
      .trim()
      .split(/\s+/)
      .every(entry => FORM.test(entry))
  )
    return 'is malformed';
  const ids = entriesOf(text).map(([id]) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `has the id ${twice} twice`;
  return isProduction && entriesOf(text).some(([, secret]) => isSample(secret)) ? 'looks like a sample' : null;
}

function entriesOf(text: string): [id: string, secret: string][] {
  return text
    .trim()
    .split(/\s+/)
    .map(entry => entry.split(':') as [string, string]);
}
