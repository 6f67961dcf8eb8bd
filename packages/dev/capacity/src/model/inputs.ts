/**
 * Assumptions for the capacity page. Service times come from `pnpm capacity`, except where a comment names another
 * source. Replace the prices with your provider's prices.
 */
export const INPUTS = {
  /** Date of the assumptions. */
  date: '2026-11-23',
  /** Prices in US dollars: round numbers close to the list prices of large cloud providers. */
  prices: { coreHour: 0.04, databaseGbMonth: 0.115, objectGbMonth: 0.023 },
  /** Maximum time from the upload until the last row is done, in hours. Scans must finish overnight. */
  hours: { codes: 1, scans: 8, certificates: 24 },
  /**
   * Maximum utilization of a core or the database, from 0 to 1. The limit leaves headroom so that bursts don't cause a
   * backlog.
   */
  use: 0.7,
  scan: {
    /**
     * Time to fetch a storefront and its scripts, in seconds. This time is assumed, not measured, because real
     * storefronts are slower than our test servers.
     */
    fetchSeconds: 3,
    /**
     * CPU time in milliseconds for the p95 page in `pnpm bench scan`. The p95 time leaves headroom for starting the
     * pool's processes and for garbage collection.
     */
    cpuMs: 60,
    /** Size of a result row in bytes. */
    resultBytes: 300,
  },
  shops: {
    variants: 500,
    /** Product webhooks per shop per day. */
    webhooks: 50,
    /** Scans per shop per day. */
    scans: 1,
    /** Database rows written per variant that is read, per webhook, and per scan. */
    rows: { variant: 1, webhook: 8, scan: 30 },
    /** CPU time in milliseconds per variant, webhook, and scan, from `pnpm bench catalog` and `pnpm bench scan`. */
    cpuMs: { variant: 0.15, webhook: 20, scan: 300 },
    /**
     * Size in bytes of a variant's row (including indexes) and a scan (including findings), and the number of scans
     * kept per shop.
     */
    bytes: { variant: 1_500, scan: 40_000, keptScans: 30 },
  },
  /** Size in bytes of a certificate's rows (including indexes) and of its PDF. Certificates are never deleted. */
  certificateBytes: { rows: 6_000, pdf: 28_000 },
} as const;
