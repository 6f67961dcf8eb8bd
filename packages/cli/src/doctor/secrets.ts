import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { fingerprintOf, type SecretOrigin } from '../data-folder/service-record.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorSecret, verifySecret } from '../secrets/operator-secret.ts';
import type { CheckResult, Environment } from './check-result.ts';

/**
 * Checks that the secrets are set, are strong enough for production, and match those that the service started with.
 *
 * @param operatorSecretHash hash of the operator secret from the database, or null if unknown
 */
export async function checkSecrets(
  environment: Environment,
  operatorSecretHash: string | null,
): Promise<CheckResult[]> {
  const { dataDir, env, record } = environment;
  const strict = { ...env, NODE_ENV: 'production' };
  const operator = checkSecret(environment, {
    name: 'OPERATOR_SECRET',
    file: 'operator-secret',
    origin: record?.last_start?.operator_secret,
    read: () => operatorSecret(dataDir, strict),
  });
  const links = checkSecret(environment, {
    name: 'LINK_KEYS',
    file: 'link-keys',
    origin: record?.last_start?.link_keys.origin,
    read: () => linkKeys(dataDir, strict),
  });
  return [
    operator.status === 'fail' ? operator : ((await otherOperatorSecret(environment, operatorSecretHash)) ?? operator),
    links.status === 'fail' ? links : (otherLinkKeys(environment) ?? links),
  ];
}

interface Secret {
  name: string;
  file: string;
  origin: SecretOrigin | undefined;
  read: () => unknown;
}

function checkSecret({ dataDir, env, isProduction }: Environment, { name, file, origin, read }: Secret): CheckResult {
  if (!env[name] && !isProduction) {
    const path = join(dataDir, file);
    if (existsSync(path)) return { check: name, status: 'ok', found: `The secret is in ${path}.` };
    const found =
      origin === 'environment'
        ? `${name} isn't set here, but the service reads it from its environment.`
        : `${name} isn't set, and ${path} doesn't exist, so this isn't the service's environment.`;
    return { check: name, status: 'fail', found, todo: `Run doctor with the service's settings, including ${name}.` };
  }
  try {
    read();
    return {
      check: name,
      status: 'ok',
      found: "The secret is set, is long enough, and doesn't look like a sample value.",
    };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const [found, todo] = error.message.split(/(?<=\.) /, 2) as [string, string];
    return { check: name, status: isProduction ? 'fail' : 'warn', found, todo };
  }
}

const RESTART =
  "If you changed this setting, restart the service. If you didn't, correct the setting, or run doctor with the service's settings.";

async function otherOperatorSecret({ dataDir, env }: Environment, hash: string | null): Promise<CheckResult | null> {
  if (hash === null || !(env.OPERATOR_SECRET || existsSync(join(dataDir, 'operator-secret')))) return null;
  if (await verifySecret(operatorSecret(dataDir, { ...env, NODE_ENV: '' }).secret, hash)) return null;
  const found = "OPERATOR_SECRET isn't the secret that the service started with.";
  return { check: 'OPERATOR_SECRET', status: 'fail', found, todo: RESTART };
}

/**
 * Compares the link keys with the fingerprints that the service recorded. During a rotation, `LINK_KEYS` starts with a
 * new key that the service uses only after a restart, and the old key is removed later.
 */
function otherLinkKeys({ dataDir, env, record }: Environment): CheckResult | null {
  const check = 'LINK_KEYS';
  const started = record?.last_start?.link_keys;
  if (!record || !started || !(env.LINK_KEYS || existsSync(join(dataDir, 'link-keys')))) return null;
  const { active, keys } = linkKeys(dataDir, { ...env, NODE_ENV: '' });
  const isKnown = (id: string) =>
    keys[id] !== undefined && started.fingerprints[id] === fingerprintOf(record.id, id, keys[id]);
  if (isKnown(active)) return null;
  const found = Object.keys(keys).some(isKnown)
    ? `LINK_KEYS starts with ${active}, but the service still signs links with ${started.active}.`
    : "LINK_KEYS doesn't contain any of the keys that the service started with, so links from the last hour will stop working after a restart.";
  return { check, status: 'fail', found, todo: RESTART };
}
