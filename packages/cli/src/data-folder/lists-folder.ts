import { join } from 'node:path';

/** Returns the path of the installed lists' folder within a data folder. */
export function listsFolder(dataDir: string): string {
  return join(dataDir, 'lists');
}
