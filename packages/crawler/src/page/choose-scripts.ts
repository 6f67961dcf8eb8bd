import { parseTarget } from '../address/parse-target.ts';
import { siteOf } from '../address/site.ts';
import type { CaptureNote, SkipReason } from '../capture.ts';
import { googleTagUrl, isGoogleTag } from './google-tag.ts';
import type { ScriptList } from './list-scripts.ts';

/** The scripts to fetch, and notes about the skipped scripts. */
export type Choice = { wanted: URL[]; notes: CaptureNote[] };

/** Paths of Shopify platform scripts, which are the same for every shop and don't contain any merchant content. */
const platformPath = /^\/(?:cdn\/(?:shopifycloud|wpm|s)|shopifycloud|wpm|shop-js|checkouts\/internal)\//;

/** Paths of the shop's own files (theme assets and app extensions) on Shopify's CDN. */
const shopifyHostedPath = /^\/(?:s\/files|extensions)\//;

const mostUrlsInNote = 10;
/**
 * Maximum number of Google tags. The limit prevents a page with many made-up IDs from crowding out the shop's own
 * scripts.
 */
const mostGoogleTags = 8;

/**
 * Chooses which scripts on a page to fetch: Google tags, and the shop's own scripts from its site, theme assets, and
 * app extensions. Tag Manager containers come first, because one container can hold most of a shop's tags. The notes
 * contain the number of skipped scripts for each reason.
 *
 * @param googleTags whether to fetch up to eight Google tags (gtm.js, gtag/js), including tags that inline scripts load
 * @param most maximum number of scripts
 */
export function chooseScripts(
  listing: ScriptList,
  page: URL,
  { googleTags, most }: { googleTags: boolean; most: number },
): Choice {
  const base = listing.base === null ? page : (URL.parse(listing.base, page.href) ?? page);
  // A data: URL contains the script itself, so the script is already part of the captured page.
  const elsewhere = listing.sources.filter(source => !/^\s*data:/i.test(source));
  const targets = elsewhere.flatMap(source => target(source, base) ?? []);
  const tags = [...targets.filter(isGoogleTag), ...inlineTags(listing, googleTags)];
  const containersFirst = tags.sort((a, b) => Number(isContainer(b)) - Number(isContainer(a)));
  const unique = [...new Map([...containersFirst, ...targets].map(url => [url.href, url])).values()];
  const wanted: URL[] = [];
  const leftOut = new Map<SkipReason, string[]>();
  for (const url of unique) {
    const limit = isGoogleTag(url) ? Math.min(mostGoogleTags, most) : most;
    const cause = causeToLeaveOut(url, page, googleTags) ?? (wanted.length < limit ? null : 'over_limit');
    if (cause === null) wanted.push(url);
    else leftOut.set(cause, [...(leftOut.get(cause) ?? []), url.href]);
  }
  const notes = [...leftOut].map(([reason, urls]) => note(reason, urls.length, urls));
  if (targets.length < elsewhere.length) notes.push(note('invalid_url', elsewhere.length - targets.length));
  if (listing.more > 0) notes.push(note('over_limit', listing.more));
  return { wanted, notes };
}

function note(reason: SkipReason, count: number, urls: string[] = []): CaptureNote {
  return { code: 'scripts_left_out', reason, count, urls: urls.slice(0, mostUrlsInNote) };
}

function target(source: string, base: URL): URL | null {
  try {
    return parseTarget(source, base);
  } catch {
    return null;
  }
}

function inlineTags({ googleTags }: ScriptList, asked: boolean): URL[] {
  if (!asked) return [];
  return googleTags.map(googleTagUrl);
}

const isContainer = (url: URL): boolean => url.pathname === '/gtm.js';

function causeToLeaveOut(url: URL, page: URL, googleTags: boolean): SkipReason | null {
  if (isGoogleTag(url)) return googleTags ? null : 'tag';
  if (url.hostname === 'cdn.shopify.com') return shopifyHostedPath.test(url.pathname) ? null : 'platform';
  if (siteOf(url) !== siteOf(page)) return 'third_party';
  return platformPath.test(url.pathname) ? 'platform' : null;
}
