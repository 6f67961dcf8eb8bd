import { SITE_PAGE_TYPES, type SiteLinks, type SitePageType, siteHomeUrl } from '@compliance/core/pixel';
import { parseTarget } from '../address/parse-target.ts';
import type { Session } from '../http/session.ts';
import { type FetchedPage, fetchPage, type MayVisit } from '../page/fetch-page.ts';
import { type JobRunner, PoolError, siblingModule } from '../pool/index.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { pageLinks } from './page-links.ts';
import { PageSkipped } from './page-skipped.ts';

type OtherPageType = Exclude<SitePageType, 'home'>;

/** A site page other than the home page, or the reason that the page couldn't be fetched. */
export interface OtherPage {
  page_type: OtherPageType;
  /** URL to request, or null if no page of this type was found. */
  url: string | null;
  page: FetchedPage | ScanFailed | PageSkipped;
}

/** A site scan in progress, with the fetched home page. */
export interface SiteVisit {
  session: Session;
  pool: JobRunner;
  mayVisit: MayVisit;
  home: FetchedPage;
  /** URLs to prefer over others of the same page type, if a fetched page links to them. */
  preferred: readonly string[];
}

/** Page types other than the home page. */
export const OTHER_PAGE_TYPES = SITE_PAGE_TYPES.filter((type): type is OtherPageType => type !== 'home');

const linksModule = siblingModule(import.meta.url, 'page-links');

/** Fetches one page of each type except the home page, one at a time. Doesn't fetch the pages' scripts. */
export async function fetchOtherPages(visit: SiteVisit): Promise<OtherPage[]> {
  const { home, preferred } = visit;
  const links = await linksOf(visit.pool, home, preferred);
  const fetched = new Map([[placeOf(home.url), home]]);
  const pages: OtherPage[] = [];
  for (const page_type of OTHER_PAGE_TYPES) {
    let url = links.found[page_type];
    if (page_type === 'product' && url === null) {
      // Many home pages link to collections but not to products, so look for a product on the collection page.
      const collection = pages.find(one => one.page_type === 'collection')?.page;
      url = isPage(collection) ? (await linksOf(visit.pool, collection, preferred)).found.product : null;
    }
    const page = url === null ? (links.failure ?? new PageSkipped('not_found')) : await fetchOther(visit, url, fetched);
    if (isPage(page)) fetched.set(placeOf(page.url), page);
    pages.push({ page_type, url, page });
  }
  return pages;
}

const isPage = (page: OtherPage['page'] | undefined): page is FetchedPage =>
  page !== undefined && !(page instanceof Error);
const placeOf = ({ host, pathname }: URL): string => host + pathname;

/**
 * Finds the pages that a page links to. If the page is too complex to parse, finds only the pages that don't need a
 * link, such as the cart.
 */
async function linksOf(
  pool: JobRunner,
  { html, url }: FetchedPage,
  preferred: readonly string[],
): Promise<{ found: SiteLinks; failure?: ScanFailed }> {
  const read = (text: string) =>
    pool.run<typeof pageLinks>(linksModule, 'pageLinks', { html: text, finalUrl: url.href, preferred });
  try {
    return { found: await read(html) };
  } catch (error) {
    if (!(error instanceof PoolError && error.blamesInput)) throw error;
    return { found: await read(''), failure: new ScanFailed('too_complex') };
  }
}

async function fetchOther(
  { session, pool, mayVisit, home }: SiteVisit,
  url: string,
  fetched: ReadonlyMap<string, FetchedPage>,
): Promise<OtherPage['page']> {
  try {
    if (session.signal.aborted) throw new ScanFailed('over_limit');
    const target = parseTarget(url);
    const page = await fetchPage(session, target, async next => {
      if (next.hostname !== target.hostname) throw new PageSkipped('redirected');
      await mayVisit(next);
    });
    if (fetched.has(placeOf(page.url))) throw new PageSkipped('redirected');
    if (target.hostname === home.url.hostname) return page;
    const homeUrl = siteHomeUrl(home.url.href);
    const { found } = await linksOf(pool, page, [homeUrl]);
    return found.locale === homeUrl ? page : new PageSkipped('not_confirmed');
  } catch (error) {
    if (error instanceof ScanFailed || error instanceof PageSkipped) return error;
    throw error;
  }
}
