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
  // A data: source is its own content: it has been read with the page.
  const elsewhere = listing.sources.filter(source => !/^\s*data:/i.test(source));
  const targets = elsewhere.flatMap(source => target(source, base) ?? []);
  const named = [...targets, ...inlineTags(listing, googleTags)];
  const unique = [...new Map(named.map(url => [url.href, url])).values()];
  const wanted: URL[] = [];
  const leftOut = new Map<LeftOut, string[]>();
  for (const url of unique) {
    const cause = causeToLeaveOut(url, page, googleTags) ?? (wanted.length < most ? null : 'over_limit');
    if (cause === null) wanted.push(url);
    else leftOut.set(cause, [...(leftOut.get(cause) ?? []), url.href]);
  }
  const notes = [...leftOut].map(([reason, urls]) => note(reason, urls.length, urls));
  if (targets.length < elsewhere.length) notes.push(note('invalid_url', elsewhere.length - targets.length));
  if (listing.more > 0) notes.push(note('over_limit', listing.more));
  return { wanted, notes };
}

function note(reason: LeftOut, count: number, urls: string[] = []): Note {
  return { code: 'scripts_left_out', reason, count, urls: urls.slice(0, mostUrlsInNote) };
}

function target(source: string, base: URL): URL | null {
  try {
    return parseTarget(source, base);
  } catch {
    return null;
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
