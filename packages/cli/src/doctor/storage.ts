import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DatabaseFacts, inspectDatabase, openBlobs, type StoreLocation } from '@compliance/store';
import type { CheckResult } from './check-result.ts';

/**
 * Thresholds for the clock difference between this process and the database, in ms. Above these thresholds, rate limits
 * and signed links become unreliable.
 */
const CLOCK_SKEW = { warn: 2_000, fail: 60_000 };

const MIB = 2 ** 20;
const FREE_SPACE = { warn: 2048 * MIB, fail: 200 * MIB };

/** Linux file system type numbers of NFS, SMB, CIFS, and SMB 2. */
const NETWORK_FILE_SYSTEMS = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/**
 * Test PDF. The content is always the same, so that repeated runs store only one file. Stored PDFs can't be deleted.
 */
const PROBE = Buffer.from('%PDF-1.7\n% written by compliance doctor to check that PDFs can be stored\n');

/**
 * Checks that the database is reachable and writable, that its schema matches this release, and that its clock agrees with this
 * machine's clock.
 */
export async function checkDatabase(location: StoreLocation): Promise<CheckResult[]> {
  const facts = await inspectDatabase(location, Date.now);
  if (!facts)
    return [
      { check: 'database', status: 'ok', found: 'The service creates the database in the data folder on first start.' },
    ];
  return [checkTables(facts), checkClock(facts), checkNomenclature(facts)];
}

function checkTables({ engine, location, version, pending, unknown, usable, writable }: DatabaseFacts): CheckResult {
  const check = 'database';
  const database = `${location} (${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version})`;
  if (unknown.length > 0 && usable && writable) {
    const found = `${database} is from a newer release, which this release can still use. Unknown migrations: ${unknown.join(', ')}.`;
    return { check, status: 'warn', found, todo: 'Finish the upgrade: run the newer release everywhere.' };
  }
  if (unknown.length > 0 && !usable) {
    const todo =
      'Run the newest release that has used this database, or restore a backup made with this release to another location.';
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
    const todo = 'The service migrates the database on its next start. Back up the store first: compliance backup';
    return {
      check,
      status: 'warn',
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
    found: "No HTS export has been imported, so responses don't say whether a code exists.",
    todo,
  };
}

/** Checks that a PDF can be stored and retrieved unchanged. */
export async function checkPdfs(location: StoreLocation): Promise<CheckResult[]> {
  const check = 'PDFs';
  if (!location.s3 && location.dataDir && !existsSync(location.dataDir)) {
    return [{ check, status: 'ok', found: 'The service creates the PDF folder on first start.' }];
  }
  if (location.databaseUrl && !location.s3) {
    const found = "The tables are in PostgreSQL, but the PDFs are in this machine's data folder.";
    const todo =
      'This setup works on only one machine. To use several machines, set S3_BUCKET and the other S3 settings.';
    return [await probe(location), { check, status: 'warn', found, todo }];
  }
  return [await probe(location)];
}

async function probe(location: StoreLocation): Promise<CheckResult> {
  const blobs = openBlobs(location);
  const bytes = await blobs.get(await blobs.put(PROBE));
  if (!bytes || !PROBE.equals(bytes)) {
    const todo = 'Check whether another program or a lifecycle rule deletes files from the folder or bucket.';
    return {
      check: 'PDFs',
      status: 'fail',
      found: "A test PDF was stored, but couldn't be retrieved unchanged.",
      todo,
    };
  }
  const storage = location.s3 ? 'The S3 bucket' : 'The blobs folder in the data folder';
  return { check: 'PDFs', status: 'ok', found: `${storage} stores and returns PDFs.` };
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
  const free = bavail * bsize;
  const found = `The data folder has ${(free / 1024 / MIB).toFixed(1)} GiB of free space.`;
  if (free >= FREE_SPACE.warn) return [{ check, status: 'ok', found }];
  const todo = "Free up disk space. If the disk is full, the service can't issue certificates or count requests.";
  return [{ check, status: free < FREE_SPACE.fail ? 'fail' : 'warn', found, todo }];
}
