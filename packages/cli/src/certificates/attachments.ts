import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type AttachmentFile,
  describeAttachments,
  InvalidRequest,
  type Issue,
  MAX_ATTACHED_BYTES,
} from '@compliance/core/entry';
import { CliError, fileError } from '../cli-error.ts';

/**
 * Reads the files to attach to a certificate.
 *
 * @throws CliError if a file can't be read or can't be attached
 */
export async function readAttachments(paths: readonly string[] = []): Promise<AttachmentFile[]> {
  const files = await Promise.all(paths.map(readAttachment));
  const problem = attachmentProblem(files, paths);
  if (problem !== null) throw new CliError(`Can't attach ${problem}.`, 2);
  return files;
}

/**
 * Reads the files named in a CSV row. Rejects paths to files outside the folder, because the CSV file is untrusted and
 * must not be able to attach other files.
 *
 * @returns the files, or a problem with one of them
 */
export async function readRowAttachments(
  folder: string,
  names: readonly string[],
): Promise<{ files: AttachmentFile[] } | { problem: string }> {
  const outside = names.find(name => /[/\\\0]/.test(name) || name === '.' || name === '..');
  if (outside !== undefined) return { problem: `${outside} isn't a filename; enter the name of a file in ${folder}` };
  try {
    return { files: await Promise.all(names.map(name => readAttachment(join(folder, name)))) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { problem: error.message };
  }
}

/** Returns the first problem that prevents attaching the files together, with the filename, or null if there's none. */
export function attachmentProblem(
  files: readonly AttachmentFile[],
  names: readonly string[] = files.map(({ filename }) => filename),
): string | null {
  try {
    describeAttachments(files);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const [{ path, message }] = error.issues as [Issue];
    const name = names[Number(path.split('.')[1])];
    return `${name ?? 'the files'}: ${name ?? 'they'} ${message}`;
  }
}

async function readAttachment(path: string): Promise<AttachmentFile> {
  try {
    const { size } = await stat(path);
    // Don't load a file into memory if it's too large to attach.
    if (size > MAX_ATTACHED_BYTES)
      throw new CliError(`${path} is ${size} bytes. The limit is ${MAX_ATTACHED_BYTES} bytes.`, 2);
    return { filename: basename(path), bytes: await readFile(path) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw fileError(`Can't read ${path}`, error);
  }
}
