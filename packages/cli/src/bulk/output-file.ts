import { realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { CliError, fileError } from '../cli-error.ts';

/** Destination for text that is written in parts. */
export interface Output {
  /** Writes text and resolves when the write is complete. */
  write(text: string): Promise<void>;
  /** Completes the output. */
  close(): Promise<void>;
  /** Deletes the incomplete output file, if any. */
  discard(): Promise<void>;
}

/** Returns an output that writes to standard output. */
export function standardOutput(): Output {
  const encode = createEncoder();
  const write = (text: string) =>
    // If the reader closes the pipe early, the error listener in main.ts handles the error.
    new Promise<void>(resolve => process.stdout.write(encode(text), () => resolve()));
  return { write, close: async () => {}, discard: async () => {} };
}

/**
 * Returns an output that writes to a temporary file and renames it when the output is complete. If `file` is a special
 * file, such as a pipe, the output writes to it directly.
 *
 * @param input path of the input file, which must not be the output file
 * @throws `CliError` if the file can't be written
 */
export async function outputFile(file: string, input: string | undefined): Promise<Output> {
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing && input !== undefined && input !== '-' && isSameFile(file, input)) {
    throw new CliError(`--out ${file}: choose a file other than the input file.`, 2);
  }
  const isSpecial = existing !== undefined && !existing.isFile();
  const target = isSpecial ? file : `${file}.${process.pid}.part`;
  const encode = createEncoder();
  const attempt = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      throw fileError(`Can't write ${file}`, error);
    }
  };
  const handle = await attempt(open(target, 'w'));
  return {
    write: text => attempt(writeAll(handle, encode(text))),
    async close() {
      await attempt(handle.close());
      if (!isSpecial) await attempt(rename(target, file));
    },
    async discard() {
      await handle.close().catch(() => {});
      if (!isSpecial) await rm(target, { force: true });
    },
  };
}

/**
 * Returns a function that encodes every string into the same buffer. Creating a buffer for each string would use much
 * more memory.
 */
function createEncoder(): (text: string) => Buffer {
  let buffer = Buffer.alloc(0);
  return text => {
    const size = text.length * 3;
    if (buffer.length < size) buffer = Buffer.allocUnsafeSlow(size * 2);
    return buffer.subarray(0, buffer.write(text));
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; ) {
    start += (await handle.write(bytes, start)).bytesWritten;
  }
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
