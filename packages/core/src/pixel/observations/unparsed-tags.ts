import type { AdPixel } from '../ad-pixels/ad-pixel.ts';
import { AD_PIXELS, type AdVendor } from '../ad-pixels/ad-pixels.ts';
import type { ObservationDetails, Vendor } from '../model/observation.ts';

/** A tag that a script mentions, with the position of the tag's code. */
export interface UnparsedTag {
  readonly offset: number;
  readonly details: ObservationDetails;
}

const init = (vendor: Vendor, api: 'fbq' | 'gtag' | 'ga' | 'other', value: string): ObservationDetails => ({
  ...{ kind: 'init', vendor, api, id: { value, rounded: false }, pageView: null, pii: [], emitter: 'page' },
});
const event = (vendor: Vendor, method: string, name: string): ObservationDetails => ({
  ...{ kind: 'event', vendor, method, name, target: null, eventId: 'unknown', pii: [] },
});
const loader = (
  vendor: Vendor,
  library: 'fbevents' | 'gtm' | 'ad_pixel',
  id: string | null,
  host: string,
): ObservationDetails => ({
  ...{ kind: 'loader', vendor, library, id, host, path: `/${library}.js`, official: true, layer: null },
});

type Pattern = readonly [RegExp, (...groups: string[]) => ObservationDetails];

/** Returns patterns that match the calls and URLs in an ad pixel's base code. */
function adPixelPatterns({ vendor, globals, calls, library }: AdPixel<AdVendor>): Pattern[] {
  const name = `\\b(?:${globals.join('|')})`;
  const inits = Object.keys(calls.init).map((command): Pattern => {
    const call = `(?:\\.${command}\\s{0,9}\\(|\\s{0,9}\\(\\s{0,9}["']${command}["']\\s{0,9},)`;
    return [new RegExp(`${name}${call}\\s{0,9}["']([\\w-]{5,40})["']`, 'g'), id => init(vendor, 'other', id)];
  });
  const path = library.path.source.replaceAll('$', '(?![\\w.])');
  const loaders = library.hosts.map(
    (host): Pattern => [
      new RegExp(`//(?:www\\.)?${host.replaceAll('.', '\\.')}(?=/)[^\\s"'<>]{0,80}?(?:${path})`, 'g'),
      () => loader(vendor, 'ad_pixel', null, host),
    ],
  );
  return [...inits, ...loaders];
}

/**
 * Patterns for the calls and URLs in common vendors' base code. Every repetition has an upper limit, so matching takes
 * linear time.
 */
const PATTERNS: readonly Pattern[] = [
  [/\bfbq\s{0,9}\(\s{0,9}["']init["']\s{0,9},\s{0,9}["']?(\d{5,20})/g, id => init('meta', 'fbq', id)],
  [
    /\bfbq\s{0,9}\(\s{0,9}["'](track(?:Custom)?)["']\s{0,9},\s{0,9}["'](\w[\w ]{0,60})["']/g,
    (method, name) => event('meta', method, name),
  ],
  [
    /connect\.facebook\.net\/[\w-]{1,20}\/fbevents\.js/g,
    () => loader('meta', 'fbevents', null, 'connect.facebook.net'),
  ],
  [
    /\bgtag\s{0,9}\(\s{0,9}["']config["']\s{0,9},\s{0,9}["']([A-Z]{1,3}-[\w-]{1,20})["']/g,
    id => init('google', 'gtag', id),
  ],
  [/\bgtag\s{0,9}\(\s{0,9}["']event["']\s{0,9},\s{0,9}["'](\w{1,60})["']/g, name => event('google', 'event', name)],
  [/["'](GTM-[A-Z0-9]{4,12})["']/g, id => loader('gtm', 'gtm', id, 'www.googletagmanager.com')],
  [/\bga\s{0,9}\(\s{0,9}["']create["']\s{0,9},\s{0,9}["'](UA-\d{1,12}-\d{1,4})["']/g, id => init('google', 'ga', id)],
  ...AD_PIXELS.flatMap(adPixelPatterns),
];

/** Maximum number of matches per pattern. Limits how much work a malicious page can cause. */
const MAX_MATCHES = 50;

/**
 * Finds tags in a script that can't be parsed, even after repairs. Because a match might be in a comment or a string,
 * use the result only to describe a script that never runs.
 *
 * @example unparsedTags("fbq('init', '157204581336210'").map(tag => tag.details.kind) // ['init']
 */
export function unparsedTags(source: string): UnparsedTag[] {
  return PATTERNS.flatMap(([pattern, detailsOf]) =>
    [...source.matchAll(pattern)]
      .slice(0, MAX_MATCHES)
      .map(match => ({ offset: match.index, details: detailsOf(...match.slice(1)) })),
  ).sort((a, b) => a.offset - b.offset);
}
