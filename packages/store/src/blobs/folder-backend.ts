import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobBackend } from './blobs.ts';

/** Bytes that `check` writes. A file that isn't empty needs a free block. */
const TEST_BYTES = Buffer.from('written to check that PDFs can be stored\n');

/** Stores blobs in `<dataDir>/blobs`, a folder that only its owner can read. The folder must be on a local disk. */
export function createFolderBackend(dataDir: string): BlobBackend {
  const root = join(dataDir, 'blobs');
  // The store never reads files that a crashed process left in this folder, so you can delete them while no process is
  // running.
  const unfinished = join(root, '.unfinished');

  return {
    location: 'the blobs folder in the data folder',

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
      // A filename is durable only after its folder is synced. The same applies to a folder's name, even if another
      // process has just created the folder.
      for (const named of [folder, dirname(folder), root, dataDir]) await syncFolder(named);
    },

    async check() {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      const temporary = join(unfinished, randomUUID());
      try {
        await writeFile(temporary, TEST_BYTES, { flag: 'wx', mode: 0o600, flush: true });
      } finally {
        await rm(temporary, { force: true });
      }
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

/** Syncs a folder, which makes the names of its entries durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows doesn't support syncing a folder.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
