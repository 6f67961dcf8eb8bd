import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StoreError } from '../errors.ts';
import { readHeader } from './backup-file.ts';

const BACKUP_FILE = /^compliance-.*\.jsonl\.gz$/;

/**
 * Entries that a backup folder can contain in addition to backup files: PDFs, and files that file systems and copy
 * tools add.
 */
const OTHER_ENTRY = /^(blobs|lost\+found|\..*)$/;

/**
 * Returns the paths of the backups in a folder, from oldest to newest according to the time in their names.
 *
 * @example await findBackups('/backups') // ['/backups/compliance-2026-11-21T06-31-00-000Z.jsonl.gz']
 */
export async function findBackups(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => BACKUP_FILE.test(name)).sort();
  return names.map(name => join(folder, name));
}

/** Returns whether a folder contains at least one backup. Returns false if the folder can't be read. */
export async function isBackupFolder(folder: string): Promise<boolean> {
  const found = await findBackups(folder).catch(() => []);
  return found.length > 0;
}

/**
 * Rejects a folder that isn't meant for this service's backups: a folder with other files, a folder inside another
 * backup folder, the data folder, or a folder with another service's backups.
 *
 * @throws StoreError with `backup_refused`
 */
export async function refuseUnsuitableFolder(
  folder: string,
  { service, dataDir }: { readonly service: string | undefined; readonly dataDir: string | undefined },
): Promise<void> {
  const refuse = (reason: string) =>
    new StoreError('backup_refused', `${folder} ${reason}. Nothing was written. Specify an empty or new folder.`);
  if (dataDir && resolve(folder) === resolve(dataDir)) throw refuse("is the service's data folder");
  if (await isBackupFolder(dirname(resolve(folder)))) throw refuse('is inside another backup folder');
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  const foreign = entries.find(name => !BACKUP_FILE.test(name) && !OTHER_ENTRY.test(name));
  if (foreign !== undefined) throw refuse(`isn't a backup folder, because it contains ${foreign}`);
  const newest = (await findBackups(folder)).at(-1);
  const header = newest === undefined ? null : await readHeader(newest).catch(() => null);
  if (header?.service && service && header.service !== service) {
    throw refuse(`contains backups of another service (${header.service})`);
  }
}
