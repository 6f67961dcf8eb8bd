/**
 * What one capture may cost. Bytes are counted after decompression; times are milliseconds.
 *
 * The page, its scripts and every robots.txt share `totalBytes` and `totalMs`.
 */
export type Limits = {
  pageBytes: number;
  scriptBytes: number;
  robotsBytes: number;
  totalBytes: number;
  /** Size of all response headers of one answer. */
  headerBytes: number;
  /** Largest decompressed : compressed ratio, looked at once `ratioFromBytes` have come out. */
  ratio: number;
  ratioFromBytes: number;
  dnsMs: number;
  connectMs: number;
  tlsMs: number;
  headersMs: number;
  /** Longest silence within a body. */
  idleMs: number;
  totalMs: number;
  /** How long a name lookup or refusal takes at least, so that its time tells nothing about private networks. */
  refusalMs: number;
  redirects: number;
  scripts: number;
};

/** Limits that fit a large real storefront with room to spare. */
export const defaultLimits: Limits = {
  pageBytes: 5_000_000,
  scriptBytes: 2_000_000,
  // RFC 9309 §2.5: at least 500 kibibytes must be parsed.
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
};
