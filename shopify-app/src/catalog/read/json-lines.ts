import { askStorage } from '../../admin/storage.ts';

/** Room for a file: some 700,000 variants. */
const MOST = 256 * 1024 * 1024;

/** No object that is asked for is longer. */
const LONGEST_LINE = 1024 * 1024;

/** For a whole file, in milliseconds. */
const PATIENCE_MS = 10 * 60_000;

/** A file could not be read to its end. */
export class FileCut extends Error {
  override readonly name = 'FileCut';
}

/**
 * The objects of a file that Shopify wrote, one a line, as they come.
 *
 * @throws FileCut when the address, the answer, its size or a line is not as Shopify's are; what came before it is good
 * @example
 * for await (const line of jsonLines(url, signal)) …
 */
export async function* jsonLines(url: string, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    const response = await askStorage(url, { signal, patience: PATIENCE_MS });
    if (!response.ok || !response.body) throw new FileCut(`status ${response.status}`);
    const decoder = new TextDecoder();
    let size = 0;
    let rest = '';
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > MOST) throw new FileCut('too large');
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST_LINE) throw new FileCut('a line is too long');
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest.trim() !== '') yield JSON.parse(rest);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof FileCut ? error : new FileCut('broken', { cause: error });
  }
}
