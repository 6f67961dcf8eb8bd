import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeZip } from 'client-zip';
import { CliError, fileError } from '../cli-error.ts';

/** A file to add to a ZIP file, and its modification time. */
export interface ZipEntry {
  readonly path: string;
  readonly modified: Date;
}

/**
 * Writes a ZIP file without compression, because PDF files are already compressed. Reads one file at a time.
 *
 * @throws CliError if the ZIP file can't be written or a file can't be read
 */
export async function writeZip(path: string, entries: readonly ZipEntry[]): Promise<void> {
  async function* files() {
    for (const { path: file, modified } of entries) {
      const input = await readFile(file).catch(error => {
        throw fileError(`Can't read ${file}`, error);
      });
      yield { name: basename(file), lastModified: modified, input };
    }
  }
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(makeZip(files()) as never), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error instanceof CliError ? error : fileError(`Can't write ${path}`, error);
  }
}
