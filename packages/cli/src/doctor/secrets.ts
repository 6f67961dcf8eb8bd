import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorSecret } from '../secrets/operator-secret.ts';
import type { Finding, Patient } from './finding.ts';

/** Whether the secrets are there and good enough for production. */
export function secretFindings({ dataDir, env, isProduction }: Patient): Finding[] {
  const strict = { ...env, NODE_ENV: 'production' };
  const secrets = [
    { name: 'OPERATOR_SECRET', file: 'operator-secret', read: () => operatorSecret(dataDir, strict) },
    { name: 'LINK_KEYS', file: 'link-keys', read: () => linkKeys(dataDir, strict) },
  ];
  return secrets.map(({ name, file, read }): Finding => {
    if (!env[name] && !isProduction) {
      const made = existsSync(join(dataDir, file));
      return {
        check: name,
        status: 'ok',
        found: `${made ? 'Is' : 'Will be made on the first start'} in ${join(dataDir, file)}.`,
      };
    }
    try {
      read();
      return { check: name, status: 'ok', found: 'Is set, long enough and no sample.' };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const [found, todo] = error.message.split(/(?<=\.) /, 2) as [string, string];
      return { check: name, status: isProduction ? 'fail' : 'warn', found, todo };
    }
  });
}

/** Whether others on the machine can read what is in the data folder. */
export function modeFindings({ dataDir }: Patient): Finding[] {
  const check = 'file modes';
  if (process.platform === 'win32') return [];
  const paths = ['', 'operator-secret', 'link-keys', 'compliance.sqlite', 'compliance.sqlite-wal', 'blobs'];
  const open = paths
    .map(name => join(dataDir, name))
    .filter(path => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0)
    return [{ check, status: 'ok', found: 'Only their owner can read the files of the data folder.' }];
  const found = `Others on this machine can read or change: ${open.join(', ')}.`;
  return [{ check, status: 'fail', found, todo: `Run: chmod go= ${open.join(' ')}` }];
}
