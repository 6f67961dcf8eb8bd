import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OperatorAccess } from '@compliance/api';
import type { Store } from '@compliance/store';
import { CliError } from '../cli-error.ts';
import { isSample } from './sample.ts';
import { readOrCreateSecret } from './secret-file.ts';

/** Minimum length of the operator secret in production. */
const MIN_LENGTH = 32;

/**
 * scrypt parameters N = 2^15, r = 8, and p = 1. Computing a hash takes about 32 MiB of memory and a tenth of a second.
 */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const HASH_FORMAT = /^\$scrypt\$ln=15,r=8,p=1\$([\w+/]{22})\$([\w+/]{43})$/;

const derive: (secret: string, salt: Buffer) => Promise<Buffer> = async (secret, salt) =>
  (await promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)(
    secret.normalize('NFC'),
    salt,
    32,
    COST,
  )) as Buffer;

/** Operator secret, and a description of its location for the welcome message. */
export interface OperatorSecret {
  readonly secret: string;
  readonly origin: string;
}

/**
 * Returns the secret for signing in to the operator pages. The secret is in `OPERATOR_SECRET` or, outside production,
 * in the file `<data>/operator-secret`, which is created on first start and readable only by its owner.
 *
 * @throws `CliError` in production if the secret is missing, is too short, or looks like a sample value
 * @example
 * operatorSecret('./data', process.env).origin // 'in ./data/operator-secret'
 */
export function operatorSecret(dataDir: string, env: NodeJS.ProcessEnv): OperatorSecret {
  const { OPERATOR_SECRET: configured, NODE_ENV } = env;
  if (NODE_ENV === 'production') rejectWeak(configured);
  if (configured) return { secret: configured, origin: 'in OPERATOR_SECRET' };
  const file = join(dataDir, 'operator-secret');
  return {
    secret: readOrCreateSecret(dataDir, 'operator-secret', () => randomBytes(32).toString('base64url')),
    origin: `in ${file}`,
  };
}

function rejectWeak(secret: string | undefined): void {
  const advice =
    'Set OPERATOR_SECRET to a random string of at least 32 characters, such as the output of: openssl rand -base64 32';
  if (!secret) throw new CliError(`OPERATOR_SECRET is not set. ${advice}`);
  if (isSample(secret)) throw new CliError(`OPERATOR_SECRET looks like a sample value. ${advice}`);
  if (secret.length < MIN_LENGTH) throw new CliError(`OPERATOR_SECRET is too short. ${advice}`);
}

/**
 * Returns a hash of the operator secret and a function that verifies secrets against it. The hash is in the store so
 * that all processes share operator sessions. Changing the secret replaces the hash and ends all sessions.
 *
 * @example
 * createApi({ store, clock: Date.now, operator: await operatorAccess(store, secret) });
 */
export async function operatorAccess(store: Store, secret: string): Promise<OperatorAccess> {
  for (;;) {
    const known = await store.operator.secretHash();
    if (known !== null && (await verifySecret(secret, known))) {
      return { secretHash: known, verify: presented => verifySecret(presented, known) };
    }
    await store.operator.replaceSecretHash({ known, next: await hashSecret(secret) });
  }
}

/** Hashes a secret in PHC string format: `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const [encodedSalt, encodedHash] = [salt, await derive(secret, salt)].map(bytes =>
    bytes.toString('base64').replace(/=+$/, ''),
  );
  return `$scrypt$ln=15,r=8,p=1$${encodedSalt}$${encodedHash}`;
}

/** Checks whether a secret matches a hash. Hashes in other formats never match. */
export async function verifySecret(presented: string, hash: string): Promise<boolean> {
  const [, salt, expected] = HASH_FORMAT.exec(hash) ?? [];
  if (salt === undefined || expected === undefined) return false;
  return timingSafeEqual(await derive(presented, Buffer.from(salt, 'base64')), Buffer.from(expected, 'base64'));
}
