import type { Page, PageQuery } from './page.ts';

/** The weight of a finding, as the scan gives it. */
export type FindingSeverity = 'error' | 'warn' | 'info';

/** What started a scan. */
export type ScanTrigger = 'merchant' | 'theme_published' | 'schedule' | 'install';

/** `partial`: some of what should be read was not. `failed`: nothing can be said. */
export type ScanState = 'complete' | 'partial' | 'failed';

/** A finding as a scan saw it. */
export interface SeenFinding {
  /** The same for the same fault in later scans; the `fingerprint` of `@compliance/core/pixel`. */
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  /**
   * What was read when it was seen, as it stands in `covered`: a page of the storefront, a file of the theme. One finding
   * may come several times, once for each place.
   */
  readonly place: string;
  /** The finding itself, any JSON value. */
  readonly detail: unknown;
}

/** A scan that has ended. All but `findings` and `covered` are kept as they are; JSON fields hold any JSON value. */
export interface NewScan {
  /** 1 to 64 letters, digits, hyphens or underscores. Give the id of the job: a scan that was recorded already is not recorded twice. */
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  /** A word for why it is not complete; null when it is. */
  readonly reason: string | null;
  /** ms since epoch. */
  readonly startedAt: number;
  /** 0 to 100, or null when there is none. */
  readonly score: number | null;
  readonly scoreVersion: number;
  /** The lines of the score. */
  readonly breakdown: unknown;
  readonly theme: { readonly id: string; readonly name: string } | null;
  /** What was read and what was not, for people. */
  readonly coverage: unknown;
  /** What was found to be there, the baseline for a comparison. */
  readonly inventory: unknown;
  readonly findings: readonly SeenFinding[];
  /**
   * Every place that was read in full this time, whether or not something was found there. A finding of earlier is only
   * taken for fixed when all places that it was seen in are among these: what was not read is unknown, never gone.
   */
  readonly covered: readonly string[];
}

/** Findings by severity. */
export type SeverityCounts = Readonly<Record<FindingSeverity, number>>;

/** What a scan changed: fingerprints of findings that are new, gone, or back again after they were gone. */
export interface ScanChanges {
  readonly new: readonly string[];
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  /** How many were seen before and are seen again. */
  readonly same: number;
  /** How many open ones could not be judged, their places not having been read. */
  readonly unseen: number;
}

/** A scan in the history. Times are ms since epoch. */
export interface ScanSummary {
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly score: number | null;
  readonly scoreVersion: number;
  /** Findings of this scan, one for each fingerprint. */
  readonly counts: SeverityCounts;
  readonly theme: { readonly id: string; readonly name: string } | null;
  readonly changes: ScanChanges;
}

/** A scan with all that is kept of it. */
export interface Scan extends ScanSummary {
  readonly breakdown: unknown;
  readonly coverage: unknown;
  readonly inventory: unknown;
  readonly findings: readonly SeenFinding[];
  readonly covered: readonly string[];
}

/** One point of the trend. */
export type TrendPoint = Pick<ScanSummary, 'id' | 'finishedAt' | 'state' | 'score' | 'scoreVersion' | 'counts'>;

/** The scans of one shop. */
export interface OwnScans {
  /**
   * Keeps a scan that has ended now and settles the shop's findings by it, in one transaction. Ids are the shop's own: the
   * same one again gives the scan that is there, and changes nothing.
   *
   * @throws StoreError `scan_invalid`; `lease_lost` behind a fence
   * @example
   * const { changes } = await job.shop.scans.record({ id: job.id, trigger: 'schedule', state: 'complete', ... });
   */
  record(scan: NewScan): Promise<ScanSummary>;
  /** The shop's scan with this id, or null. */
  get(id: string): Promise<Scan | null>;
  /** Newest first. @throws StoreError `cursor_invalid` */
  list(query: PageQuery): Promise<Page<ScanSummary>>;
  /** The newest scan of any state, or null. */
  latest(): Promise<ScanSummary | null>;
  /** The newest complete scan, or the newest one before the scan with the id `before`: the baseline. Null when there is none. */
  latestComplete(query?: { readonly before?: string | undefined }): Promise<Scan | null>;
  /** The newest scans that have a score, at most `limit`, oldest first. */
  trend(limit: number): Promise<readonly TrendPoint[]>;
}
