import {
  combinePages,
  type PageOutcome,
  type Profile,
  type SiteInventory,
  type SitePageType,
  type SiteScan,
  siteHomeUrl,
} from '@compliance/core/pixel';
import { parseTarget } from '../address/parse-target.ts';
import { siteOf } from '../address/site.ts';
import type { Transport } from '../connect/transport.ts';
import { userAgent } from '../contact.ts';
import type { FetchOptions } from '../crawler.ts';
import { openCrawlSession } from '../http/session.ts';
import { defaultSiteLimits } from '../limits.ts';
import { createCaptureCompleter } from '../page/complete-capture.ts';
import { type FetchedPage, fetchPage } from '../page/fetch-page.ts';
import { withCpuBudget } from '../pool/index.ts';
import { createTargetRate } from '../rate/target-rate.ts';
import { createRobotsCheck } from '../robots/robots.ts';
import { admitScan, type ScanCaller, type ScannerOptions } from '../scan/admit-scan.ts';
import { runScan } from '../scan/run-scan.ts';
import { ScanFailed } from '../scan-failed.ts';
import { fetchOtherPages, OTHER_PAGE_TYPES } from './fetch-other-pages.ts';
import { PageSkipped } from './page-skipped.ts';

/** Options for a site scan. */
export interface SiteScanRequest {
  /** Date to evaluate rules for, in YYYY-MM-DD format. */
  asOf: string;
  profile?: Profile;
  /** Inventories from a previous scan of the same site. The new scan reports the changes on each page type. */
  baseline?: readonly SiteInventory[];
  /** Caller that requests the scan. Defaults to the process owner. */
  caller?: ScanCaller;
}

/**
 * Fetches one page of each type from a site, and scans the pages as one site. The result lists the pages that can't be
 * fetched or scanned, with the reasons.
 *
 * @param url any URL on the site; the scan starts from the home page in this URL's locale
 * @throws ScanFailed if the home page can't be fetched or scanned
 * @throws PoolError with `busy` if the queue is full, or with `canceled` if the caller disconnected
 */
export type SiteScanner = (url: string, request: SiteScanRequest) => Promise<SiteScan>;

/**
 * Creates a scanner for whole sites. All of a site's pages, scripts, and robots.txt files share the limits on requests,
 * bytes, and time. After the home page and its scripts, the scanner requests the other pages one at a time, and then
 * their scripts. While it requests the home page's scripts, the scanner reserves one request per page type, so that
 * scripts can't use up the limit before every page type is fetched. A script or container that several pages load is
 * fetched only once.
 *
 * Every page must be on the home page's host, even after redirects. The only exception is the home page of another
 * locale on another host, such as a country domain. The two home pages must link to each other through `<link>`
 * elements with the `hreflang` attribute. The other host must pass the same address checks, and its own robots.txt file
 * must allow the requests. Requests to the other host count toward the same limits.
 *
 * @param transport network access, such as `publicTransport`
 * @example
 * const scanSite = createSiteScanner(publicTransport, { contact: 'https://scanner.example/about', pool });
 * (await scanSite('https://shop.example', { asOf: '2026-11-21' })).score_covers // ['home', 'collection', 'product']
 */
export function createSiteScanner(transport: Transport, scannerOptions: ScannerOptions): SiteScanner {
  const ownRate = createTargetRate(Date.now);
  return async (url, { caller, ...request }) =>
    await admitScan(scannerOptions, { url, caller }, options =>
      createAdmittedScanner(transport, { targetRate: ownRate, ...options })(url, request),
    );
}

function createAdmittedScanner(transport: Transport, options: FetchOptions): SiteScanner {
  const { contact, googleTags = true, signal: stopped } = options;
  return async (address, { asOf, profile, baseline }) => {
    const agent = userAgent(contact);
    const home = new URL(siteHomeUrl(parseTarget(address).href));
    const limits = { ...defaultSiteLimits, ...options.limits };
    const session = openCrawlSession(transport, limits, agent, { ...options, site: siteOf(home) });
    const pool = withCpuBudget(options.pool, limits.cpuMs);
    try {
      const mayVisit = createRobotsCheck(session, pool);
      const complete = createCaptureCompleter(session, { pool, googleTags, mayVisit });
      const scanPage = async (page_type: SitePageType, requested: URL, page: FetchedPage): Promise<PageOutcome> => {
        const capture = await complete(requested, page);
        const before = baseline?.find(one => one.page_type === page_type)?.inventory;
        const job = { capture, asOf, ...(profile && { profile }), ...(before && { baseline: before }) };
        const scan = await runScan(pool, job);
        if (scan.result.inventory.password) return unscanned(page_type, requested.href, new PageSkipped('password'));
        return { page_type, url: page.url.href, ...scan, notes: capture.notes };
      };

      const homePage = await fetchPage(session, home, mayVisit);
      session.budget.reserve(OTHER_PAGE_TYPES.length);
      const outcomes = [await scanPage('home', home, homePage)];
      session.budget.reserve(0);
      const others =
        outcomes[0]!.result === null
          ? OTHER_PAGE_TYPES.map(page_type => ({ page_type, url: null, page: new PageSkipped('password') }))
          : await fetchOtherPages({ session, pool, mayVisit, home: homePage, preferred: urlsOf(baseline) });
      for (const { page_type, url, page } of others) {
        stopped?.throwIfAborted();
        outcomes.push(
          url === null || page instanceof Error
            ? unscanned(page_type, url, page)
            : await scanPage(page_type, new URL(url), page).catch(error => unscanned(page_type, url, error)),
        );
      }
      return combinePages(outcomes, baseline ?? null);
    } catch (error) {
      if (stopped?.aborted) throw stopped.reason;
      throw error;
    } finally {
      await session.guard.agent.destroy();
    }
  };
}

const urlsOf = (baseline: readonly SiteInventory[] = []): string[] => baseline.map(({ inventory }) => inventory.url);

/** Returns the outcome for a page that can't be fetched or scanned. Rethrows all other errors. */
function unscanned(page_type: SitePageType, url: string | null, error: unknown): PageOutcome {
  if (!(error instanceof ScanFailed || error instanceof PageSkipped)) throw error;
  const { reason, message } = error;
  const status = error instanceof ScanFailed ? (error.status ?? null) : null;
  return { page_type, url, result: null, reason, message, status };
}
