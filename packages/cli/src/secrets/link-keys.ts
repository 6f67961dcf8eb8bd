import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { LinkKeys } from '@compliance/api';
import { CliError } from '../cli-error.ts';
import { isSample } from './sample.ts';
import { readOrCreateSecret } from './secret-file.ts';

const FORMAT = /^[a-z0-9-]{1,32}:[A-Za-z0-9_-]{43,}$/;
const ADVICE =
  'Set LINK_KEYS to id:secret, where the secret is at least 32 random bytes in base64url, as in k1:<43 characters>.';

/**
 * Returns the secrets used to sign certificate links. The secrets are in `LINK_KEYS` or, outside production, in the
 * file `<data>/link-keys`, which is created on first start and readable only by its owner. The format is one or more
 * `id:secret` pairs separated by spaces. The first secret signs new links, and any of the secrets can verify a link.
 *
 * @throws `CliError` if the secrets are malformed or, in production, if they are missing or look like sample values
 * @example
 * createLinks(linkKeys('./data', process.env));
 */
export function linkKeys(dataDir: string, env: NodeJS.ProcessEnv): LinkKeys {
  const { LINK_KEYS: configured, NODE_ENV } = env;
  if (!configured && NODE_ENV === 'production') throw new CliError(`LINK_KEYS is not set. ${ADVICE}`);
  const text =
    configured || readOrCreateSecret(dataDir, 'link-keys', () => `k1:${randomBytes(32).toString('base64url')}`);
  const problem = problemWith(text, NODE_ENV === 'production');
  if (problem !== null && configured) throw new CliError(`LINK_KEYS ${problem}. ${ADVICE}`);
  if (problem !== null) {
    throw new CliError(
      `${join(dataDir, 'link-keys')} ${problem}. Delete the file, and restart the service to create new keys.`,
    );
  }
  const keys = entriesOf(text);
  return {
    active: keys[0]![0],
    keys: Object.fromEntries(keys.map(([id, secret]) => [id, Buffer.from(secret, 'base64url')])),
  };
}

/** Describes the problem with the link keys, or returns null if the keys are valid. */
function problemWith(text: string, isProduction: boolean): string | null {
  if (
    !text
      .trim()
      .split(/\s+/)
      .every(entry => FORMAT.test(entry))
  )
    return 'is malformed';
  const ids = entriesOf(text).map(([id]) => id);
  const duplicate = ids.find((id, at) => ids.indexOf(id) !== at);
  if (duplicate !== undefined) return `contains the ID ${duplicate} twice`;
  return isProduction && entriesOf(text).some(([, secret]) => isSample(secret)) ? 'looks like a sample value' : null;
}

function entriesOf(text: string): [id: string, secret: string][] {
  return text
    .trim()
    .split(/\s+/)
    .map(entry => entry.split(':') as [string, string]);
}
