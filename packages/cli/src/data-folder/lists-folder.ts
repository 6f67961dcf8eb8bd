import { join } from 'node:path';

/** Returns the path of a data folder's subfolder for installed lists. */
export function listsFolder(dataDir: string): string {
  return join(dataDir, 'lists');
}
