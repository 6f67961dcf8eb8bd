import { readFile, stat } from 'node:fs/promises';
import { CliError, fileError } from '../cli-error.ts';

/** Maximum size of a certificate PDF, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a PDF file. @throws CliError if the file can't be read or is too large */
export async function readPdf(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new CliError(`${path} is ${size} bytes. The limit is ${MOST_BYTES} bytes.`, 2);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw fileError(`Can't read ${path}`, error);
  }
}
