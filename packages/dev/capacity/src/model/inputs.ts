/**
 * Assumptions of the capacity page. Service times come from `pnpm capacity`, except where this module states a source. Replace the
 * prices with those of your provider.
 */
export const INPUTS = {
  /** Date of the assumptions. */
  date: '2026-11-23',
  /** Prices in U.S. dollars: round numbers close to the list prices of large cloud providers. */
  prices: { coreHour: 0.04, databaseGbMonth: 0.115, objectGbMonth: 0.023 },
  /** Time from the upload until the last row is done, in hours. The scans have one night. */
  hours: { codes: 1, scans: 8, certificates: 24 },
  /** Share of a core or of the database that is used at most, so that bursts don't build a queue. */
  use: 0.7,
  scan: {
    /** Time until a storefront and its scripts are fetched, in seconds. An assumption: storefronts are slower than our test servers. */
    fetchSeconds: 3,
    /** CPU time in ms, from `pnpm bench scan`: the p95 page, because the processes of the pool also start and collect garbage. */
    cpuMs: 60,
    /** Size of a result row in bytes. */
    resultBytes: 300,
  },
  shops: {
    variants: 500,
    /** Product webhooks per shop and day. */
    webhooks: 50,
    /** Scans per shop and day. */
    scans: 1,
    /** Database rows written per variant that is read, per webhook, and per scan. */
    rows: { variant: 1, webhook: 8, scan: 30 },
    /** CPU time in ms per variant, webhook, and scan, from `pnpm bench catalog` and `pnpm bench scan`. */
    cpuMs: { variant: 0.15, webhook: 20, scan: 300 },
    /** Size of a variant's row with its indexes, and of a scan with its findings, in bytes. 30 scans are kept per shop. */
    bytes: { variant: 1_500, scan: 40_000, keptScans: 30 },
  },
  /** Days that the files of a job are kept. */
  jobDays: 7,
  /** Size of a certificate's rows with their indexes, and of its PDF, in bytes. Certificates are never deleted. */
  certificateBytes: { rows: 6_000, pdf: 28_000 },
} as const;
