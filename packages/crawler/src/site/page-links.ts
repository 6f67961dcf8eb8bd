import { findSitePages, type SiteLinks } from '@compliance/core/pixel';

/** A fetched page, and the URLs to prefer if the page links to several pages of the same type. */
export interface PageLinksJob {
  html: string;
  finalUrl: string;
  preferred: readonly string[];
}

/**
 * Selects one page of each type from the links on a page. Runs in a pool worker, because parsing a malicious page can
 * take a long time.
 */
export function pageLinks({ html, finalUrl, preferred }: PageLinksJob): SiteLinks {
  return findSitePages({ html, finalUrl }, preferred);
}
