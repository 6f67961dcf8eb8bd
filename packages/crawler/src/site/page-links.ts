import { findSitePages, type SiteLinks } from '@compliance/core/pixel';

/** A fetched page, and the URLs to prefer if the page links to several pages of the same type. */
export interface PageLinksJob {
  html: string;
  finalUrl: string;
  preferred: readonly string[];
}

/**
 * Finds one page of each type from a page's links. Runs in a pool worker, because parsing a malicious page can take a
 * long time.
 */
export function pageLinks({ html, finalUrl, preferred }: PageLinksJob): SiteLinks {
  return findSitePages({ html, finalUrl }, preferred);
}
