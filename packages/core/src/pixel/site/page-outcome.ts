import type { DriftResult } from '../drift/drift.ts';
import type { ScanResult } from '../scan/scan.ts';
import type { SitePageType } from './page-type.ts';
import type { SitePage } from './site-scan.ts';

/**
 * A scanned page of a site. `drift` compares the page with the page of the same type in the baseline, and is null if the
 * baseline has no such page.
 */
export interface ScannedPage {
  readonly page_type: SitePageType;
  readonly url: string;
  readonly result: ScanResult & { readonly score: number };
  readonly drift: DriftResult | null;
  readonly notes: SitePage['notes'];
}

/** A page type that wasn't scanned, with the reason both as a stable code and as a sentence. */
interface UnscannedPage {
  readonly page_type: SitePageType;
  readonly url: string | null;
  readonly result: null;
  readonly reason: string;
  readonly message: string;
  /** HTTP status of the response that caused the failure, or null. */
  readonly status: number | null;
}

/** Outcome of scanning one page type of a site. */
export type PageOutcome = ScannedPage | UnscannedPage;
