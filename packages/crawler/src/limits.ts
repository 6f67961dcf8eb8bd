/**
 * Budget for one page or site scan, and limits for its individual requests, responses, and jobs. Bytes are counted
 * after decompression. Times are in milliseconds.
 *
 * Together, the pages, their scripts, all robots.txt files, and all redirects must stay within `requests`,
 * `requestsPerHost`, `totalBytes`, `totalMs`, and `cpuMs`.
 */
export type CrawlLimits = {
  /** Maximum number of requests to all hosts combined. */
  requests: number;
  /** Maximum number of requests to any one hostname or IP address. */
  requestsPerHost: number;
  /**
   * Maximum combined number of requests that all scans send to one target in any minute (see `TargetRate`). The rate
   * limit in `@compliance/store` supports at most 63.
   */
  requestsPerTargetMinute: number;
  /**
   * Maximum time that a scan waits for busy targets, in addition to `totalMs`. Only background jobs should wait. If the
   * value is 0, a scan of a busy target fails immediately.
   */
  targetWaitMs: number;
  pageBytes: number;
  scriptBytes: number;
  robotsBytes: number;
  totalBytes: number;
  /** Maximum total size of the headers in one response. */
  headerBytes: number;
  /** Maximum ratio of decompressed to compressed size, checked once the decompressed size exceeds `ratioFromBytes`. */
  ratio: number;
  ratioFromBytes: number;
  dnsMs: number;
  connectMs: number;
  tlsMs: number;
  headersMs: number;
  /** Maximum pause between two chunks of a body. */
  idleMs: number;
  totalMs: number;
  /** Maximum time that the scan's jobs can occupy a pool worker, checked before each job. */
  cpuMs: number;
  /** Minimum duration of failed DNS lookups and rejections, so that timing reveals nothing about private networks. */
  refusalMs: number;
  /** Maximum number of simultaneous requests. */
  connections: number;
  /** Maximum number of consecutive redirects. */
  redirects: number;
  /** Maximum number of scripts per page. */
  scripts: number;
};

/**
 * Default limits for a page. An ordinary page needs at most 27 requests: one for the page, 20 for scripts, and the rest
 * for the hosts' robots.txt files. As a result, an ordinary storefront can reach the limit only because of redirects.
 */
export const defaultCrawlLimits: CrawlLimits = {
  requests: 40,
  requestsPerHost: 25,
  requestsPerTargetMinute: 60,
  targetWaitMs: 0,
  pageBytes: 5_000_000,
  scriptBytes: 2_000_000,
  // A crawler must parse at least 500 kibibytes of a robots.txt file (RFC 9309 §2.5).
  robotsBytes: 512 * 1024,
  totalBytes: 20_000_000,
  headerBytes: 16 * 1024,
  ratio: 100,
  ratioFromBytes: 1_000_000,
  dnsMs: 2_000,
  connectMs: 3_000,
  tlsMs: 3_000,
  headersMs: 5_000,
  idleMs: 5_000,
  totalMs: 15_000,
  cpuMs: 20_000,
  refusalMs: 2_000,
  connections: 6,
  redirects: 5,
  scripts: 20,
};

/**
 * Default limits for a site. A site scan has the same request limit as a page scan, because it covers only one page of
 * each type, and most scripts are on every page. The time limit leaves enough time to return the result before the
 * clients' default timeout of 30 seconds.
 */
export const defaultSiteLimits: CrawlLimits = {
  ...defaultCrawlLimits,
  totalBytes: 60_000_000,
  totalMs: 20_000,
};
