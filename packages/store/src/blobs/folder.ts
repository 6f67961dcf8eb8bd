import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Shelf } from './blobs.ts';

/** Keeps blobs in `<dataDir>/blobs`, readable by its owner alone. The folder must be on a local disk. */
export function createFolderShelf(dataDir: string): Shelf {
  const root = join(dataDir, 'blobs');
  // What a process that dies leaves here is never read; it may be removed when none runs.
  const unfinished = join(root, '.unfinished');

  return {
    place: 'The folder blobs in the data folder',

    async write(path, bytes) {
      const file = join(root, path);
      const folder = dirname(file);
      for (const made of [unfinished, folder]) await mkdir(made, { recursive: true, mode: 0o700 });

      const temporary = join(unfinished, randomUUID());
      try {
        await writeFile(temporary, bytes, { flag: 'wx', mode: 0o600, flush: true });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      // A name is durable with its folder, and so is a folder: also one that another process made a moment ago.
      for (const named of [folder, dirname(folder), root, dataDir]) await syncFolder(named);
    },

    async read(path) {
      try {
        return await readFile(join(root, path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no such call: it opens no folder for it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
