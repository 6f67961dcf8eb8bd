import { join } from 'node:path';

/** Returns the folder of the installed lists in a data folder. */
export function listsFolder(dataDir: string): string {
  return join(dataDir, 'lists');
}
