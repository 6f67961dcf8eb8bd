import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OperatorAccess } from '@compliance/api';
import type { Store } from '@compliance/store';
import { Failure } from '../failure.ts';
import { keptSecret } from './kept-secret.ts';
import { isSample } from './sample.ts';

/** The shortest secret that is taken in production. */
const MIN_LENGTH = 32;

/** N = 2^15, r = 8, p = 1: some 32 MiB and a tenth of a second for each try. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const HASH_FORM = /^\$scrypt\$ln=15,r=8,p=1\$([\w+/]{22})\$([\w+/]{43})$/;

const derive: (secret: string, salt: Buffer) => Promise<Buffer> = async (secret, salt) =>
  (await promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)(
    secret.normalize('NFC'),
    salt,
    32,
    COST,
  )) as Buffer;

/** The operator's secret, and where it came from in words for the start of the service. */
export interface OperatorSecret {
  readonly secret: string;
  readonly origin: string;
}

/**
 * The secret to sign in to the operator pages with: `OPERATOR_SECRET`, or, outside production, the one in
 * `<data>/operator-secret`, which is made on the first start and readable by its owner alone.
 *
 * @throws Failure in production when the secret is missing, short or a sample
 * @example
 * operatorSecret('./data', process.env).origin // 'in ./data/operator-secret'
 */
export function operatorSecret(dataDir: string, env: NodeJS.ProcessEnv): OperatorSecret {
  const { OPERATOR_SECRET: given, NODE_ENV } = env;
  if (NODE_ENV === 'production') refuseWeak(given);
  if (given) return { secret: given, origin: 'in OPERATOR_SECRET' };
  const file = join(dataDir, 'operator-secret');
  return {
    secret: keptSecret(dataDir, 'operator-secret', () => randomBytes(32).toString('base64url')),
    origin: `in ${file}`,
  };
}

function refuseWeak(secret: string | undefined): void {
  const advice = 'Set it to a random text of at least 32 characters, for example: openssl rand -base64 32';
  if (!secret) throw new Failure(`OPERATOR_SECRET is not set. ${advice}`);
  if (isSample(secret)) throw new Failure(`OPERATOR_SECRET looks like a sample. ${advice}`);
  if (secret.length < MIN_LENGTH) throw new Failure(`OPERATOR_SECRET is too short. ${advice}`);
}

/**
 * Who may sign in. The secret's hash is kept in the store, so that all processes share their sessions; another secret
 * takes its place there, and ends them.
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

/** A secret's hash in the PHC form: `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const [shownSalt, shownHash] = [salt, await derive(secret, salt)].map(bytes =>
    bytes.toString('base64').replace(/=+$/, ''),
  );
  return `$scrypt$ln=15,r=8,p=1$${shownSalt}$${shownHash}`;
}

/** Whether a text is the secret of a hash; never for a hash of another form. */
export async function verifySecret(presented: string, hash: string): Promise<boolean> {
  const [, salt, expected] = HASH_FORM.exec(hash) ?? [];
  if (salt === undefined || expected === undefined) return false;
  return timingSafeEqual(await derive(presented, Buffer.from(salt, 'base64')), Buffer.from(expected, 'base64'));
}
