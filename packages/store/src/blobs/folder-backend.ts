import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobBackend } from './blobs.ts';

/**
 * Bytes that `check` writes. The test file is as large as a large certificate, because a smaller file might still fit
 * on a disk that's almost full.
 */
const TEST_BYTES = Buffer.alloc(256 * 1024, 'written to check that PDFs can be stored\n');

/**
 * Creates a backend that stores blobs in `<dataDir>/blobs`, a folder that only its owner can read. The folder must be
 * on a local disk.
 */
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
      for (const made of [unfinished, folder]) await makeFolder(made);

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
      await makeFolder(unfinished);
      const temporary = join(unfinished, randomUUID());
      try {
        await writeFile(temporary, TEST_BYTES, { flag: 'wx', mode: 0o600, flush: true });
      } finally {
        await rm(temporary, { force: true });
      }
    },

    remove: path => rm(join(root, path), { force: true }),
    removeFolder: path => rm(join(root, path), { recursive: true, force: true }),

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

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // On a read-only file system, Node.js reports that the folder doesn't exist, so find the actual cause.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') await requireWritable(dirname(folder));
    throw error;
  }
}

/** Throws the access error for the nearest existing folder if that folder isn't writable. */
async function requireWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await requireWritable(dirname(folder));
  }
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
