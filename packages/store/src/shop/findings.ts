import type { Page, PageQuery } from './page.ts';
import type { FindingSeverity, SeverityCounts } from './scans.ts';

/** That a merchant lives with a finding. `until` null: for good. It stays in force when the finding goes and comes back. */
export interface Acceptance {
  readonly reason: string;
  /** ms since epoch; from then on the finding counts again. */
  readonly until: number | null;
  /** Who accepted, a user id of the shop's admin or a name. */
  readonly by: string;
  /** ms since epoch. */
  readonly at: number;
}

/** What is known of one fault over all scans. Times are ms since epoch. */
export interface KnownFinding {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  readonly status: 'open' | 'fixed';
  /** Where it was seen last, sorted. Those of a fixed one are the last that it was seen in. */
  readonly places: readonly string[];
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly fixedAt: number | null;
  /** When it last came back after it was fixed. */
  readonly regressedAt: number | null;
  /** The newest form of it, any JSON value. */
  readonly detail: unknown;
  /** In force or run out; null when there is none. */
  readonly acceptance: Acceptance | null;
  /** Whether an acceptance is in force now. */
  readonly accepted: boolean;
}

/** Which findings; what is left out does not matter. */
export interface FindingFilter {
  readonly status?: 'open' | 'fixed' | undefined;
  readonly severity?: FindingSeverity | undefined;
  readonly ruleId?: string | undefined;
  readonly place?: string | undefined;
  /** Whether an acceptance is in force now. */
  readonly accepted?: boolean | undefined;
}

/** How many findings there are. All but `fixed` are about open ones. */
export interface FindingCounts {
  readonly open: number;
  readonly fixed: number;
  /** Open and accepted, the acceptance being in force. */
  readonly accepted: number;
  /** Open and not accepted. */
  readonly bySeverity: SeverityCounts;
  /** Open, accepted or not; most first. */
  readonly byRule: readonly { readonly ruleId: string; readonly count: number }[];
  /** Open, accepted or not; most first. One finding counts in each of its places. */
  readonly byPlace: readonly { readonly place: string; readonly count: number }[];
}

/** The findings of one shop, one for each fingerprint. Scans settle them: see `OwnScans.record`. */
export interface OwnFindings {
  /** The finding with this fingerprint, or null. */
  get(fingerprint: string): Promise<KnownFinding | null>;
  /**
   * Gravest first, then by rule and fingerprint.
   *
   * @throws StoreError `cursor_invalid`
   * @example
   * const page = await shop.findings.list({ status: 'open', accepted: false, limit: 50 });
   */
  list(query: FindingFilter & PageQuery): Promise<Page<KnownFinding>>;
  /** For the numbers and the choices of filters. */
  counts(): Promise<FindingCounts>;
  /** Accepts findings, in the place of earlier acceptances. Gives how many of the fingerprints the shop has. */
  accept(
    fingerprints: readonly string[],
    acceptance: { readonly reason: string; readonly until: number | null; readonly by: string },
  ): Promise<number>;
  /** Takes acceptances back. Gives how many of the fingerprints the shop has. */
  unaccept(fingerprints: readonly string[]): Promise<number>;
}
