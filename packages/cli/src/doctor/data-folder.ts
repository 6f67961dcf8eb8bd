import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dataOwner, describeUser } from '../data-folder/owner.ts';
import type { CheckResult, Environment } from './check-result.ts';

const CHECK = 'data folder';

const RUN_AS_SERVICE =
  "Run doctor under the service's user account, with the service's settings (systemd: sudo compliance doctor; Docker Compose: docker compose exec app compliance doctor). Alternatively, specify the data folder with --data or COMPLIANCE_DATA.";

/**
 * Checks that the data folder belongs to the service: that it exists, contains the service's record or database, and is
 * owned by this user. If this check fails, don't run the checks that write to the store.
 */
export function checkDataFolder({ dataDir, location, record }: Environment): CheckResult[] {
  const folder = resolve(dataDir);
  const fail = (found: string, todo = RUN_AS_SERVICE): CheckResult[] => [{ check: CHECK, status: 'fail', found, todo }];
  const isElsewhere = Boolean(location.databaseUrl && location.s3);
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (!entry) {
    if (!isElsewhere) return fail(`${folder} doesn't exist, so it isn't a service's data folder.`);
    const found = `${folder} doesn't exist, so doctor can't compare these settings with the service's settings.`;
    return [{ check: CHECK, status: 'warn', found, todo: RUN_AS_SERVICE }];
  }
  if (!entry.isDirectory()) return fail(`${folder} isn't a folder.`);
  const owner = dataOwner(folder);
  if (owner !== null && owner !== process.getuid?.()) {
    const user = describeUser(process.getuid!());
    return fail(`${folder} belongs to ${describeUser(owner)}, but doctor runs as ${user}.`);
  }
  if (!isAccessible(folder)) {
    return fail(`The owner of ${folder} doesn't have full access to it.`, `Run: chmod u=rwx ${folder}`);
  }
  if (!record && !location.databaseUrl && !existsSync(join(folder, 'compliance.sqlite'))) {
    return fail(`${folder} isn't the service's data folder: it contains neither service.json nor compliance.sqlite.`);
  }
  if (!record?.last_start) {
    const found = `${folder} doesn't contain a record of the service's settings, because the service hasn't been started with this release yet.`;
    return [{ check: CHECK, status: 'warn', found, todo: 'Start the service, and run doctor again.' }];
  }
  const { id, last_start } = record;
  return [
    { check: CHECK, status: 'ok', found: `${folder} belongs to service ${id}, last started at ${last_start.at}.` },
  ];
}

function isAccessible(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks that other users on the machine can't read the files in the data folder. */
export function checkFileModes({ dataDir }: Environment): CheckResult[] {
  const check = 'file modes';
  if (process.platform === 'win32') return [];
  const names = [
    '',
    'service.json',
    'operator-secret',
    'link-keys',
    'compliance.sqlite',
    'compliance.sqlite-wal',
    'blobs',
  ];
  const open = names
    .map(name => join(dataDir, name))
    .filter(path => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0)
    return [{ check, status: 'ok', found: 'Only the owner can read the files in the data folder.' }];
  const found = `Other users on this machine can read or change these files: ${open.join(', ')}.`;
  return [{ check, status: 'fail', found, todo: `Run: chmod go= ${open.join(' ')}` }];
}
