import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_ATTACHED_BYTES } from '@compliance/core/entry';

/** Reads a certificate attachment by filename. Returns the file's content, or a problem with the file. */
export type ReadAttachment = (filename: string) => Promise<{ bytes: Uint8Array } | { problem: string }>;

/**
 * Creates a function that reads files by name, but only from one folder. The person who starts the server chooses the
 * folder, because the agent can be misled by prompt injection.
 *
 * @param folder the folder, or null if the server can't read files
 * @example await attachmentFolder('./reports')('../secret.pdf') // { problem: 'must be the name of a file in …' }
 */
export function attachmentFolder(folder: string | null): ReadAttachment {
  return async filename => {
    if (folder === null)
      return { problem: 'can’t be read, because this server has no attachments folder; send the file’s content' };
    const problem = 'must be the name of a file in the attachments folder (for any other file, send its content)';
    if (/[/\\\0]/.test(filename)) return { problem };
    try {
      const path = join(await realpath(folder), filename);
      // A symbolic link could point to a file elsewhere, and reading a device or a pipe might never end.
      const file = (await realpath(path)) === path ? await stat(path) : null;
      if (!file?.isFile()) return { problem };
      if (file.size > MAX_ATTACHED_BYTES) return { problem: `must not exceed ${MAX_ATTACHED_BYTES / 1_000_000} MB` };
      return { bytes: await readFile(path) };
    } catch {
      return { problem };
    }
  };
}
