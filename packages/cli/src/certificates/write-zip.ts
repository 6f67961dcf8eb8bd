import { createWriteStream } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeZip } from 'client-zip';
import { fileError } from '../cli-error.ts';

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
    for (const entry of entries)
      yield { name: basename(entry.path), lastModified: entry.modified, input: await readFile(entry.path) };
  }
  const part = `${path}.part`;
  try {
    await pipeline(Readable.fromWeb(makeZip(files()) as never), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    throw fileError(`Can't write ${path}`, error);
  }
}
