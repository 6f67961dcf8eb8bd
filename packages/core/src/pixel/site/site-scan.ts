import type { DriftFinding, DriftResult } from '../drift/drift.ts';
import type { Finding } from '../model/finding.ts';
import type { Inventory, Tag, ThirdParty } from '../model/inventory.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { ScoreLine } from '../score/score.ts';
import type { SitePageType } from './page-type.ts';

/** A site scan finding, with the affected page types in scan order. */
export interface SiteFinding extends Finding {
  readonly seen_on: readonly SitePageType[];
}

/** A tag on a site, with the page types that contain the tag. */
export interface SiteTag extends Tag {
  readonly seen_on: readonly SitePageType[];
}

/** A third party that a site contacts, with the types of the pages that contact it. */
export interface SiteThirdParty extends ThirdParty {
  readonly seen_on: readonly SitePageType[];
}

/** A change since the baseline, with the page types that changed. */
export interface SiteDriftFinding extends DriftFinding {
  readonly seen_on: readonly SitePageType[];
}

/** Inventory of one page type. Save all inventories of a site scan, and pass them to a later scan as its baseline. */
export interface SiteInventory {
  readonly page_type: SitePageType;
  readonly inventory: Inventory;
}

/**
 * Page of a site scan: either a scanned page, or a page that wasn't scanned, with the reason. A page that wasn't
 * scanned has no findings, but prevents a site score of 100 unless the reason is `not_found`.
 */
export type SitePage = {
  readonly page_type: SitePageType;
  /** URL of the page, after redirects if the page was scanned. Null if no page of this type was found. */
  readonly url: string | null;
  /** Content that the scan didn't read. */
  readonly notes: readonly { readonly code: string; readonly reason: string }[];
} & (
  | {
      readonly state: 'scanned';
      readonly reason: null;
      readonly message: null;
      readonly status: null;
      readonly score: number;
      readonly severity_counts: ScanResult['severity_counts'];
      /** Whether the scan read the whole page and all of the shop's own scripts. */
      readonly complete: boolean;
      readonly scripts: number;
    }
  | {
      readonly state: 'not_scanned';
      /** Stable code, such as `robots` or `not_found`. New codes might be added. */
      readonly reason: string;
      /** A sentence that explains `reason`. */
      readonly message: string;
      /** HTTP status of the response that caused the failure, or null. */
      readonly status: number | null;
      readonly score: null;
      readonly severity_counts: null;
      readonly complete: false;
      readonly scripts: 0;
    }
);

/** Changes on a site since its baseline. Each page is compared with the page of the same type in the baseline. */
export interface SiteDrift {
  readonly drift_status: DriftResult['drift_status'];
  readonly findings: readonly SiteDriftFinding[];
  /**
   * Result for each page type in the scan or the baseline. `not_compared` states why a page type wasn't compared, or is
   * null if it was.
   */
  readonly pages: readonly {
    readonly page_type: SitePageType;
    readonly drift_status: DriftResult['drift_status'] | null;
    readonly not_compared: string | null;
  }[];
}

/**
 * Result of a site scan: one page of each type, with findings, tags, and third parties combined across the pages. A
 * problem found on several pages is reported as a single finding.
 */
export interface SiteScan {
  /** Site score, or null if no page was scanned. */
  readonly score: number | null;
  /** Page types that the score covers. */
  readonly score_covers: readonly SitePageType[];
  readonly score_version: number;
  readonly score_breakdown: readonly ScoreLine[];
  readonly severity_counts: ScanResult['severity_counts'];
  /** Findings on all pages, most severe first. */
  readonly findings: readonly SiteFinding[];
  /** All page types in scan order, including those that weren't scanned. */
  readonly pages: readonly SitePage[];
  readonly inventory: {
    readonly tags: readonly SiteTag[];
    readonly containers: readonly string[];
    readonly third_parties: readonly SiteThirdParty[];
  };
  /** Inventory of each scanned page, for use as a baseline. */
  readonly inventories: readonly SiteInventory[];
  readonly shopify: ScanResult['shopify'];
  /** Changes since the baseline, or null if the scan doesn't have a baseline. */
  readonly drift: SiteDrift | null;
}
