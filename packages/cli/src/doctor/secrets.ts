import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../cli-error.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorSecret } from '../secrets/operator-secret.ts';
import type { CheckResult, Environment } from './check-result.ts';

/** Checks that the secrets are set and strong enough for production. */
export function checkSecrets({ dataDir, env, isProduction }: Environment): CheckResult[] {
  const strict = { ...env, NODE_ENV: 'production' };
  const secrets = [
    { name: 'OPERATOR_SECRET', file: 'operator-secret', read: () => operatorSecret(dataDir, strict) },
    { name: 'LINK_KEYS', file: 'link-keys', read: () => linkKeys(dataDir, strict) },
  ];
  return secrets.map(({ name, file, read }): CheckResult => {
    if (!env[name] && !isProduction) {
      const path = join(dataDir, file);
      const found = existsSync(path)
        ? `The secret is in ${path}.`
        : `The service creates the secret in ${path} on first start.`;
      return { check: name, status: 'ok', found };
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
  });
}

/** Checks that other users on the machine can't read the files in the data folder. */
export function checkFileModes({ dataDir }: Environment): CheckResult[] {
  const check = 'file modes';
  if (process.platform === 'win32') return [];
  const paths = ['', 'operator-secret', 'link-keys', 'compliance.sqlite', 'compliance.sqlite-wal', 'blobs'];
  const open = paths
    .map(name => join(dataDir, name))
    .filter(path => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0)
    return [{ check, status: 'ok', found: 'Only the owner can read the files in the data folder.' }];
  const found = `Other users on this machine can read or change these files: ${open.join(', ')}.`;
  return [{ check, status: 'fail', found, todo: `Run: chmod go= ${open.join(' ')}` }];
}
