import { parseTarget } from './address/parse-target.ts';
import { siteOf } from './address/site.ts';
import type { StorefrontCapture } from './capture.ts';
import type { LookupFailure } from './connect/ssrf-guard.ts';
import type { Transport } from './connect/transport.ts';
import { userAgent } from './contact.ts';
import { openCrawlSession } from './http/session.ts';
import { type CrawlLimits, defaultCrawlLimits } from './limits.ts';
import { createCaptureCompleter } from './page/complete-capture.ts';
import { fetchPage } from './page/fetch-page.ts';
import { type JobRunner, withCpuBudget } from './pool/index.ts';
import { createTargetRate, type TargetRate } from './rate/target-rate.ts';
import { createRobotsCheck } from './robots/robots.ts';

/** Options for {@link FetchCapture}. */
export type FetchOptions = {
  /** Contact for site owners: an HTTPS or mailto URL, which the crawler sends in the user agent. */
  contact: string;
  /** Pool that parses untrusted input, or one caller's share of the pool. */
  pool: JobRunner;
  /**
   * Whether to fetch Tag Manager containers (`gtm.js`) and Google tags (`gtag/js`), so that the scan can read the tags
   * in them. Defaults to true.
   */
  googleTags?: boolean;
  limits?: Partial<CrawlLimits>;
  /**
   * Rate limit per target. Defaults to a limit that applies only to this process. If several processes run scans, pass
   * a shared limit (`store.targetRate`).
   */
  targetRate?: TargetRate;
  /**
   * Called for each hostname that has no address or a private address. The service must not reveal the cause to its
   * callers, but the operator can log it.
   */
  onLookupFailure?: (failure: LookupFailure) => void;
  /** Signal that aborts the capture. An aborted capture throws the signal's reason. */
  signal?: AbortSignal;
};

/**
 * Fetches one page and its scripts.
 *
 * @throws ScanFailed if the URL doesn't return a page that can be scanned. A script that can't be fetched causes only a
 * note, not an error.
 * @throws PoolError with `busy` if the pool's queue is full
 * @throws TypeError if `contact` isn't an HTTPS or mailto URL
 */
export type FetchCapture = (url: string, options: FetchOptions) => Promise<StorefrontCapture>;

/**
 * Creates a `fetchCapture` function that uses the given network access. The package's own `fetchCapture` uses
 * `publicTransport`.
 *
 * @example const fetchCapture = createCrawler({ ...publicTransport, resolve: createResolver(['9.9.9.9']) })
 */
export function createCrawler(transport: Transport): FetchCapture {
  const ownRate = createTargetRate(Date.now);
  return async (address, options) => {
    const { contact, googleTags = true, signal: stopped } = options;
    const limits = { ...defaultCrawlLimits, ...options.limits };
    const agent = userAgent(contact);
    const url = parseTarget(address);
    const session = openCrawlSession(transport, limits, agent, {
      targetRate: ownRate,
      ...options,
      site: siteOf(url),
    });
    const pool = withCpuBudget(options.pool, limits.cpuMs);
    try {
      const mayVisit = createRobotsCheck(session, pool);
      const complete = createCaptureCompleter(session, { pool, googleTags, mayVisit });
      return await complete(url, await fetchPage(session, url, mayVisit));
    } catch (error) {
      if (stopped?.aborted) throw stopped.reason;
      throw error;
    } finally {
      await session.guard.agent.destroy();
    }
  };
}
