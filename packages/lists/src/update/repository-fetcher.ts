import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BaseFetcher } from 'tuf-js';
import { DownloadHTTPError } from 'tuf-js/dist/error.js';

const TIMEOUT_MS = 30_000;

/** A file that couldn't be fetched. */
export interface FetchFailure {
  /** Path of the file in the repository. */
  readonly path: string;
  readonly isMissing: boolean;
  readonly detail: string;
}

/**
 * Fetches repository files from an HTTP server or a folder. `failure` is the last file that couldn't be fetched. A
 * missing root isn't recorded, because every update requests the next root, which usually doesn't exist.
 */
export class RepositoryFetcher extends BaseFetcher {
  failure: FetchFailure | null = null;
  private readonly base: string;

  /** @param base URL of the repository, with a trailing slash */
  constructor(base: string) {
    super();
    this.base = base;
  }

  override async fetch(url: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const path = url.slice(this.base.length);
    try {
      return url.startsWith('file:') ? readFile(url) : await get(url);
    } catch (error) {
      const isMissing = error instanceof DownloadHTTPError;
      if (!(isMissing && /^metadata\/\d+\.root\.json$/.test(path))) {
        this.failure = { path, isMissing, detail: detailOf(error) };
      }
      throw error;
    }
  }
}

async function get(url: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if ([403, 404, 410].includes(response.status)) throw new DownloadHTTPError('missing', 404);
  if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`);
  return response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
}

function readFile(url: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const path = fileURLToPath(url);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new DownloadHTTPError('missing', 404);
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

function detailOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code } = (cause ?? error) as { code?: string };
  return code ?? message;
}
