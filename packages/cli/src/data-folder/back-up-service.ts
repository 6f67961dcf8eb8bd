import { resolve } from 'node:path';
import { createListsSource } from '@compliance/lists/installed';
import { type Backup, backUp, refuseNewLocation, type StoreLocation } from '@compliance/store';
import { version } from '../version.ts';
import { listsFolder } from './lists-folder.ts';
import { updateServiceRecord } from './service-record.ts';

/**
 * Backs up the service's store to a folder. Includes the service ID, the release, and the date of the lists in the
 * backup, and records the backup's path and time in the data folder for `doctor`.
 */
export async function backUpService(location: StoreLocation, folder: string): Promise<Backup> {
  refuseNewLocation(location);
  const now = Date.now();
  const service = updateServiceRecord(location, {}, now)?.id;
  const lists = createListsSource({ folder: listsFolder(location.dataDir ?? '') });
  lists.close();
  const origin = { service, release: version, lists: lists.status().known_through };
  const backup = await backUp(location, { folder, clock: () => now, origin });
  updateServiceRecord(location, { last_backup: { file: resolve(backup.file), made_at: backup.madeAt } }, now);
  return backup;
}
