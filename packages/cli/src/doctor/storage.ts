import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DatabaseFacts, inspectDatabase, openBlobs, type StorePlace } from '@compliance/store';
import type { Finding } from './finding.ts';

/** Processes and database may differ by this much before limits and links come out wrong, in ms. */
const SKEW = { warn: 2_000, fail: 60_000 };

const MIB = 2 ** 20;
const ROOM = { warn: 2048 * MIB, fail: 200 * MIB };

/** File systems over a network, by the number that Linux gives them: NFS, SMB, CIFS, SMB 2. */
const REMOTE = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/** The same bytes each time, so that it is kept once however often the doctor comes: nothing can remove a PDF. */
const PROBE = Buffer.from('%PDF-1.7\n% compliance doctor was here to see whether PDFs can be kept\n');

/** Whether the tables can be reached and written, are those of this release, and agree on the time. */
export async function databaseFindings(place: StorePlace): Promise<Finding[]> {
  const facts = await inspectDatabase(place, Date.now);
  if (!facts)
    return [{ check: 'database', status: 'ok', found: 'None yet: the first start makes it in the data folder.' }];
  return [tables(facts), clock(facts), nomenclature(facts)];
}

function tables({ engine, place, version, pending, unknown, writable }: DatabaseFacts): Finding {
  const check = 'database';
  const found = `${place} (${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version})`;
  if (unknown.length > 0) {
    const todo = 'Run the newest release that has opened it, or restore a backup of this one elsewhere.';
    return { check, status: 'fail', found: `${found} is of a newer release: ${unknown.join(', ')}.`, todo };
  }
  if (!writable) {
    const todo =
      'Let the service’s user write the folder, or grant its role CREATE on the schema; a replica cannot be used.';
    return { check, status: 'fail', found: `${found} cannot be written.`, todo };
  }
  if (pending.length > 0) {
    const todo = 'The next start brings it up to date. Make a backup before it: compliance backup.';
    return { check, status: 'warn', found: `${found} is of an earlier release: ${pending.join(', ')} to come.`, todo };
  }
  return { check, status: 'ok', found: `${found} answers, is writable and up to date.` };
}

function clock({ clockAheadMs }: DatabaseFacts): Finding {
  const check = 'clock';
  if (clockAheadMs === null) return { check, status: 'ok', found: 'The database has this machine’s clock.' };
  const off = Math.abs(clockAheadMs);
  const found = `The database’s clock is ${off} ms ${clockAheadMs < 0 ? 'behind' : 'ahead'}.`;
  if (off < SKEW.warn) return { check, status: 'ok', found };
  const todo = 'Let NTP set the clocks of all machines: limits, links and sessions are counted by them.';
  return { check, status: off < SKEW.fail ? 'warn' : 'fail', found, todo };
}

function nomenclature({ nomenclature }: DatabaseFacts): Finding {
  const check = 'HTS export';
  if (nomenclature !== null) return { check, status: 'ok', found: `${nomenclature} is imported.` };
  const todo = 'Download the export of the USITC and run: compliance hts import FILE';
  return { check, status: 'warn', found: 'None is imported: answers do not say whether a code exists.', todo };
}

/** Whether a PDF can be written and comes back as it was. */
export async function pdfFindings(place: StorePlace): Promise<Finding[]> {
  const check = 'PDFs';
  if (!place.s3 && place.dataDir && !existsSync(place.dataDir)) {
    return [{ check, status: 'ok', found: 'None yet: the first start makes their folder.' }];
  }
  if (place.databaseUrl && !place.s3) {
    const found = 'The tables are in PostgreSQL and the PDFs in the data folder of this machine.';
    const todo = 'That serves one machine. For several, set S3_BUCKET and its companions.';
    return [await probe(place), { check, status: 'warn', found, todo }];
  }
  return [await probe(place)];
}

async function probe(place: StorePlace): Promise<Finding> {
  const blobs = openBlobs(place);
  const bytes = await blobs.get(await blobs.put(PROBE));
  if (!bytes || !PROBE.equals(bytes)) {
    const todo = 'Look whether the folder or bucket is emptied by another program or a lifecycle rule.';
    return { check: 'PDFs', status: 'fail', found: 'What was written is not there afterwards.', todo };
  }
  const where = place.s3 ? 'The bucket' : 'The folder blobs of the data folder';
  return { check: 'PDFs', status: 'ok', found: `${where} takes a PDF and gives it back.` };
}

/** Whether the data folder has room, and is on a disk of this machine. */
export async function diskFindings({ dataDir, databaseUrl }: StorePlace): Promise<Finding[]> {
  let folder = resolve(dataDir ?? '.');
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize, type } = await statfs(folder);
  const check = 'disk';
  if (!databaseUrl && REMOTE.includes(type)) {
    const todo = 'Put it on a disk of this machine, or set DATABASE_URL.';
    return [
      { check, status: 'fail', found: 'The data folder is on a network, where SQLite’s locks do not hold.', todo },
    ];
  }
  const free = bavail * bsize;
  const found = `${(free / 1024 / MIB).toFixed(1)} GiB are free for the data folder.`;
  if (free >= ROOM.warn) return [{ check, status: 'ok', found }];
  const todo = 'Make room: when the disk is full, no certificate is issued and no request is counted.';
  return [{ check, status: free < ROOM.fail ? 'fail' : 'warn', found, todo }];
}
