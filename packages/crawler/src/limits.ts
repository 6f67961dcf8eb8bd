/**
 * Limits for one capture, or for all captures of a site. Bytes are counted after decompression. Times are in
 * milliseconds.
 *
 * The pages, their scripts, and all robots.txt files together must stay within `totalBytes`, `totalMs`, and `requests`.
 */
export type CrawlLimits = {
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
  /** Minimum duration of failed DNS lookups and rejections, so that timing reveals nothing about private networks. */
  refusalMs: number;
  redirects: number;
  /** Maximum number of scripts per page. */
  scripts: number;
  /** Maximum number of requests, including redirects and robots.txt files. */
  requests: number;
};

/** Default limits, which are generous enough for large storefronts. */
export const defaultCrawlLimits: CrawlLimits = {
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
  refusalMs: 2_000,
  redirects: 5,
  scripts: 20,
  // Twenty scripts that each redirect five times stay below this limit.
  requests: 200,
};

/**
 * Default limits for a site. A site has one page of each type, and most of its scripts are on every page. The time limit
 * leaves enough time to return the result before the clients' default timeout of 30 seconds.
 */
export const defaultSiteLimits: CrawlLimits = {
  ...defaultCrawlLimits,
  totalBytes: 60_000_000,
  totalMs: 20_000,
  requests: 100,
};
