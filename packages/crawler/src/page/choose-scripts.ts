import { siteOf } from '../address/site.ts';
import { parseTarget } from '../address/target.ts';
import type { LeftOut, Note } from '../capture.ts';
import type { Listing } from './list-scripts.ts';

/** The scripts to fetch, and notes on those that are not. */
export type Choice = { wanted: URL[]; notes: Note[] };

/** Parts of Shopify itself, the same on every shop: there is nothing of the merchant's in them. */
const platformPath = /^\/(?:cdn\/(?:shopifycloud|wpm|s)|shopifycloud|wpm|shop-js|checkouts\/internal)\//;

/** What of Shopify's shared host belongs to the shop: theme assets and app extensions. */
const shopifyHostedPath = /^\/(?:s\/files|extensions)\//;

const googleTagHost = 'www.googletagmanager.com';
const mostUrlsInNote = 10;

/**
 * Chooses what to read of what a page names: the shop's own scripts (its site, theme assets, app extensions), and Google
 * tags when asked. The rest is counted in notes, by cause.
 *
 * @param googleTags whether gtm.js and gtag/js are wanted, those that inline scripts would load included
 * @param most how many scripts to fetch at most
 */
export function chooseScripts(
  listing: Listing,
  page: URL,
  { googleTags, most }: { googleTags: boolean; most: number },
): Choice {
  const base = listing.base === null ? page : (URL.parse(listing.base, page.href) ?? page);
  const named = [...listing.sources.flatMap(source => target(source, base)), ...inlineTags(listing, googleTags)];
  const unique = [...new Map(named.map(url => [url.href, url])).values()];
  const wanted: URL[] = [];
  const leftOut = new Map<LeftOut, string[]>();
  for (const url of unique) {
    const cause = causeToLeaveOut(url, page, googleTags) ?? (wanted.length < most ? null : 'over_limit');
    if (cause === null) wanted.push(url);
    else leftOut.set(cause, [...(leftOut.get(cause) ?? []), url.href]);
  }
  const notes = [...leftOut].map(
    ([reason, urls]): Note => ({
      code: 'scripts_left_out',
      reason,
      count: urls.length,
      urls: urls.slice(0, mostUrlsInNote),
    }),
  );
  return { wanted, notes };
}

/** `data:`, `blob:` and malformed sources are dropped: they can still be seen in the page itself. */
function target(source: string, base: URL): URL[] {
  try {
    return [parseTarget(source, base)];
  } catch {
    return [];
  }
}

function inlineTags({ googleTags }: Listing, asked: boolean): URL[] {
  if (!asked) return [];
  return googleTags.map(
    id => new URL(`https://${googleTagHost}/${id.startsWith('GTM-') ? 'gtm.js' : 'gtag/js'}?id=${id}`),
  );
}

function causeToLeaveOut(url: URL, page: URL, googleTags: boolean): LeftOut | null {
  if (url.hostname === googleTagHost) return googleTags ? null : 'tag';
  if (url.hostname === 'cdn.shopify.com') return shopifyHostedPath.test(url.pathname) ? null : 'platform';
  if (siteOf(url) !== siteOf(page)) return 'third_party';
  return platformPath.test(url.pathname) ? 'platform' : null;
}
