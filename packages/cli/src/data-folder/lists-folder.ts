import { join } from 'node:path';

/** Returns the path of the folder for installed lists within a data folder. */
export function listsFolder(dataDir: string): string {
  return join(dataDir, 'lists');
}
