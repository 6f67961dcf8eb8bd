import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type DatabaseFacts,
  findSqliteDamage,
  inspectDatabase,
  inspectPdfs,
  openBlobs,
  StoreError,
  type StoreLocation,
} from '@compliance/store';
import type { CheckResult } from './check-result.ts';

/**
 * Thresholds for the clock difference between this process and the database, in milliseconds. Above these thresholds,
 * rate limits and signed links become unreliable.
 */
const CLOCK_SKEW = { warn: 2_000, fail: 60_000 };

/** Maximum number of stored PDFs to verify. Reading that many takes a few seconds. */
const VERIFIED_PDFS = 1000;

const MIB = 2 ** 20;
const FREE_SPACE = { warn: 2048 * MIB, fail: 200 * MIB };

/** Linux file system type numbers for NFS, SMB, CIFS, and SMB 2. */
const NETWORK_FILE_SYSTEMS = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/**
 * Test PDF. Stored PDFs can't be deleted, so the content is always the same, and repeated runs store only one file.
 */
const PROBE = Buffer.from('%PDF-1.7\n% written by compliance doctor to check that PDFs can be stored\n');

/** Explanations of PostgreSQL error codes (listed in the PostgreSQL documentation) and Node.js connection errors. */
const DATABASE_ERRORS: readonly [RegExp, found: string, todo: string][] = [
  [
    /^28P01$/,
    'The password in DATABASE_URL is wrong.',
    "Set DATABASE_URL to the service's database URL. Percent-encode special characters in the password.",
  ],
  [
    /^28000$/,
    "The user in DATABASE_URL doesn't exist or isn't allowed to connect from this host.",
    'Correct the user in DATABASE_URL, or allow the connection in pg_hba.conf.',
  ],
  [
    /^3D000$/,
    "The database in DATABASE_URL doesn't exist on this server.",
    'Correct the database name (the last part of DATABASE_URL), or create the database.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    "The hostname in DATABASE_URL can't be resolved.",
    'Correct the hostname in DATABASE_URL, or check your DNS configuration.',
  ],
  [
    /^(ECONNREFUSED|ENOENT)$/,
    'No server accepts connections at the host and port in DATABASE_URL.',
    'Start PostgreSQL, or correct the host and port in DATABASE_URL.',
  ],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|no code)$/,
    "The host in DATABASE_URL doesn't respond.",
    'Correct the host in DATABASE_URL, or check the network and firewall.',
  ],
  [/^53300$/, 'The PostgreSQL server has no free connections.', 'Raise max_connections, or close other connections.'],
];

/** Explains a failed database connection. Returns null for other errors. */
function explainDatabaseError(error: unknown, { databaseUrl }: StoreLocation): CheckResult | null {
  if (!databaseUrl || !(error instanceof StoreError) || error.code !== 'database_unavailable') return null;
  const code = /\(([\w ]+)\)/.exec(error.message)?.[1] ?? '';
  const [, found, todo] = DATABASE_ERRORS.find(([pattern]) => pattern.test(code)) ?? [];
  if (!found || !todo) return null;
  return { check: 'database', status: 'fail', found: `${found} ${error.message.replace(/\. .*/, '.')}`, todo };
}

/** Results of the database checks, and the operator secret's hash, which the secrets check needs. */
export interface DatabaseCheck {
  results: CheckResult[];
  operatorSecretHash: string | null;
}

/**
 * Checks that the database is intact, reachable, and writable, that its schema matches this release, that its clock
 * agrees with this machine's clock, and that an HTS export has been imported.
 */
export async function checkDatabase(location: StoreLocation): Promise<DatabaseCheck> {
  const failed = (result: CheckResult): DatabaseCheck => ({ results: [result], operatorSecretHash: null });
  const isHere = !location.databaseUrl && location.dataDir && existsSync(join(location.dataDir, 'compliance.sqlite'));
  const damage = isHere ? findSqliteDamage(location.dataDir!) : null;
  if (damage !== null) {
    const todo =
      'Stop the service, and keep a copy of the data folder. Restore the newest backup into a new folder (compliance restore BACKUP --data NEW_FOLDER), and start the service with that folder.';
    return failed({ check: 'database', status: 'fail', found: `compliance.sqlite ${damage}.`, todo });
  }
  const facts = await inspectDatabase(location, Date.now).catch(error => {
    const explained = explainDatabaseError(error, location);
    if (!explained) throw error;
    return explained;
  });
  if (facts && 'check' in facts) return failed(facts);
  if (!facts) {
    const found = "The data folder doesn't contain a database.";
    return failed({
      check: 'database',
      status: 'fail',
      found,
      todo: "Specify the service's data folder, or start the service once.",
    });
  }
  const { operatorSecretHash } = facts;
  return { results: [checkTables(facts), checkClock(facts), checkNomenclature(facts)], operatorSecretHash };
}

function checkTables({ engine, location, version, pending, unknown, usable, writable }: DatabaseFacts): CheckResult {
  const check = 'database';
  const database = `${location} (${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version})`;
  if (unknown.length > 0 && usable && writable) {
    const found = `${database} is from a newer release, but this release can still use it. Unknown migrations: ${unknown.join(', ')}.`;
    return { check, status: 'warn', found, todo: 'To finish the upgrade, run the newer release on every machine.' };
  }
  if (unknown.length > 0 && !usable) {
    const todo =
      'Run the newest release that has used this database. Alternatively, restore to another location from a backup that this release created.';
    return {
      check,
      status: 'fail',
      found: `${database} is from a newer release. Unknown migrations: ${unknown.join(', ')}.`,
      todo,
    };
  }
  if (!writable) {
    const todo =
      "Give the service's operating system user write access to the data folder, or grant the service's database role the CREATE privilege on the schema. Read-only replicas aren't supported.";
    return { check, status: 'fail', found: `${database} is read-only.`, todo };
  }
  if (pending.length > 0) {
    const todo =
      'The service migrates the database the next time it starts. Back up the store first (compliance backup), and then restart the service.';
    return {
      check,
      status: 'fail',
      found: `${database} is from an earlier release. Pending migrations: ${pending.join(', ')}.`,
      todo,
    };
  }
  return { check, status: 'ok', found: `${database} is reachable, writable, and up to date.` };
}

function checkClock({ clockAheadMs }: DatabaseFacts): CheckResult {
  const check = 'clock';
  if (clockAheadMs === null) return { check, status: 'ok', found: "The database uses this machine's clock." };
  const skew = Math.abs(clockAheadMs);
  const found = `The database's clock is ${skew} ms ${clockAheadMs < 0 ? 'behind' : 'ahead of'} this machine's clock.`;
  if (skew < CLOCK_SKEW.warn) return { check, status: 'ok', found };
  const todo =
    'Synchronize the clocks of all machines with NTP, because rate limits, links, and sessions depend on accurate clocks.';
  return { check, status: skew < CLOCK_SKEW.fail ? 'warn' : 'fail', found, todo };
}

function checkNomenclature({ nomenclature }: DatabaseFacts): CheckResult {
  const check = 'HTS export';
  if (nomenclature !== null) return { check, status: 'ok', found: `${nomenclature} is imported.` };
  const todo = 'Download the export from the USITC and run: compliance hts import FILE';
  return {
    check,
    status: 'warn',
    found: "No HTS export has been imported, so responses don't indicate whether a code exists.",
    todo,
  };
}

/**
 * Checks that a PDF can be stored and retrieved unchanged and, with `verify`, that certificate PDFs are intact.
 * Verification requires a readable database.
 */
export async function checkPdfs(location: StoreLocation, { verify }: { verify: boolean }): Promise<CheckResult[]> {
  const results = [await probe(location)];
  if (verify && results[0]!.status === 'ok') results.push(await verifyPdfs(location));
  if (!location.databaseUrl || location.s3) return results;
  const found = "The tables are in PostgreSQL, but the PDFs are in this machine's data folder.";
  const todo =
    'This setup works on only one machine. To use several machines, set S3_BUCKET and the other S3 settings.';
  return [...results, { check: 'PDFs', status: 'warn', found, todo }];
}

async function probe(location: StoreLocation): Promise<CheckResult> {
  const blobs = openBlobs(location);
  const bytes = await blobs.get(await blobs.put(PROBE));
  if (!bytes || !PROBE.equals(bytes)) {
    const todo = 'Check whether another program or a lifecycle rule changes or deletes files in the folder or bucket.';
    return {
      check: 'PDFs',
      status: 'fail',
      found: "The test PDF can't be read back, or differs from the stored PDF.",
      todo,
    };
  }
  const storage = location.s3 ? 'The S3 bucket' : 'The blobs folder in the data folder';
  return { check: 'PDFs', status: 'ok', found: `${storage} stores and returns PDFs.` };
}

/** Checks the PDFs of the most recent certificates. */
async function verifyPdfs(location: StoreLocation): Promise<CheckResult> {
  const check = 'stored PDFs';
  const { certificates, checked, missing, damaged } = await inspectPdfs(location, { limit: VERIFIED_PDFS });
  if (missing.length === 0 && damaged.length === 0) {
    if (checked === 0) return { check, status: 'ok', found: 'No certificate PDFs to check.' };
    const found = `Certificate PDFs checked: ${checked} of ${certificates}. All are stored and match their SHA-256 hashes.`;
    return { check, status: 'ok', found };
  }
  const some = (what: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${what}: ${ids.length} of ${checked}, including the PDF of ${ids[0]}.`];
  const found = [
    ...some('Missing certificate PDFs', missing),
    ...some("Certificate PDFs that don't match their SHA-256 hashes", damaged),
  ].join(' ');
  const todo =
    "Restore the files from a backup's blobs folder to the service's blobs folder or bucket, and find out what changed or deleted them.";
  return { check, status: 'fail', found, todo };
}

/** Checks that the data folder has enough free space and is on a local disk. */
export async function checkDisk({ dataDir, databaseUrl }: StoreLocation): Promise<CheckResult[]> {
  let folder = resolve(dataDir ?? '.');
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize, type } = await statfs(folder);
  const check = 'disk';
  if (!databaseUrl && NETWORK_FILE_SYSTEMS.includes(type)) {
    const found = "The data folder is on a network file system, where SQLite's file locking isn't reliable.";
    return [{ check, status: 'fail', found, todo: 'Move the data folder to a local disk, or set DATABASE_URL.' }];
  }
  return [judgeFreeSpace(bavail * bsize)];
}

/** Returns the result of checking the free space, in bytes, on the data folder's disk. */
export function judgeFreeSpace(free: number): CheckResult {
  const check = 'disk';
  const found = `The data folder has ${(free / 1024 / MIB).toFixed(1)} GiB of free space.`;
  if (free >= FREE_SPACE.warn) return { check, status: 'ok', found };
  const todo = "Free up disk space. If the disk is full, the service can't issue certificates or count requests.";
  return { check, status: free < FREE_SPACE.fail ? 'fail' : 'warn', found, todo };
}
