import { fetchFromStorage } from '../../admin/storage.ts';

/** Maximum file size in bytes, enough for about 700,000 variants. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Maximum line length in characters, greater than the length of any object that the app queries. */
const MAX_LINE_LENGTH = 1024 * 1024;

/** Timeout for downloading a whole file, in milliseconds. */
const TIMEOUT_MS = 10 * 60_000;

/** Thrown when a file can't be read completely. */
export class TruncatedFileError extends Error {
  override readonly name = 'TruncatedFileError';
}

/**
 * Streams the objects in a JSON Lines file from Shopify.
 *
 * @throws TruncatedFileError if the URL, the response, or a line is invalid, or if the file is too large. The generator
 * yields all earlier objects before it throws the error.
 * @example
 * for await (const line of readJsonLines(url, signal)) …
 */
export async function* readJsonLines(url: string, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    const response = await fetchFromStorage(url, { signal, timeoutMs: TIMEOUT_MS });
    if (!response.ok || !response.body) throw new TruncatedFileError(`status ${response.status}`);
    const decoder = new TextDecoder();
    let size = 0;
    let rest = '';
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new TruncatedFileError('too large');
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > MAX_LINE_LENGTH) throw new TruncatedFileError('a line is too long');
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest.trim() !== '') yield JSON.parse(rest);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TruncatedFileError ? error : new TruncatedFileError('broken', { cause: error });
  }
}
