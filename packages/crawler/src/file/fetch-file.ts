import { parseHttpsUrl } from '../address/parse-target.ts';
import { refusePrivateHost } from '../connect/ssrf-guard.ts';
import type { Transport } from '../connect/transport.ts';
import { userAgent } from '../contact.ts';
import { readChunks } from '../http/body.ts';
import { discard, follow } from '../http/follow.ts';
import { openCrawlSession } from '../http/session.ts';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import type { TargetRate } from '../rate/target-rate.ts';
import { ScanFailed } from '../scan-failed.ts';

/** Fetches files from untrusted HTTPS URLs. */
export interface FileFetcher {
  /**
   * Checks a URL without connecting to its server.
   *
   * @throws ScanFailed with `invalid_url` or `refused_address`
   */
  check(url: string): void;
  /**
   * Yields the file's bytes.
   *
   * @param options maximum number of bytes, and a signal that stops the download
   * @throws ScanFailed (`too_large` if the file is larger than `maxBytes`), or the signal's reason
   */
  fetch(url: string, options: { readonly maxBytes: number; readonly signal: AbortSignal }): AsyncGenerator<Uint8Array>;
}

/** Options for {@link createFileFetcher}. */
export interface FileFetcherOptions {
  /** Contact for site owners: an HTTPS or mailto URL, which is sent in the user agent. */
  readonly contact: string;
  readonly targetRate: TargetRate;
  readonly limits?: Partial<CrawlLimits>;
}

/** Maximum time to fetch a file, in milliseconds. */
const TOTAL_MS = 900_000;

/**
 * Creates a file fetcher that's hardened against SSRF in the same way as the crawler: every host is resolved once,
 * every address must be public, and each redirect must pass the same checks. The fetcher doesn't read robots.txt,
 * because the owner of the fetched file provides the URL.
 *
 * @example
 * const files = createFileFetcher(publicTransport, { contact, targetRate });
 * for await (const chunk of files.fetch(url, { maxBytes: 1_000_000, signal })) use(chunk);
 */
export function createFileFetcher(
  transport: Transport,
  { contact, targetRate, limits: changed = {} }: FileFetcherOptions,
): FileFetcher {
  const check = (text: string): URL => {
    const url = parseHttpsUrl(text);
    refusePrivateHost(url, transport);
    return url;
  };
  return {
    check,
    async *fetch(text, { maxBytes, signal }) {
      const limits = { ...defaultCrawlLimits, totalMs: TOTAL_MS, totalBytes: maxBytes, connections: 1, ...changed };
      const session = openCrawlSession(transport, limits, userAgent(contact), { signal, targetRate });
      try {
        const answer = await follow(session, check(text), async () => {});
        if (answer.status !== 200) {
          discard(answer);
          throw new ScanFailed('http_error', answer.status);
        }
        const cut = yield* readChunks(session, answer, maxBytes);
        if (cut !== null) throw new ScanFailed('too_large');
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        await session.guard.agent.destroy();
      }
    },
  };
}
