import { AD_GLOBALS } from '../ad-pixels/ad-pixels.ts';
import { isContainerSource } from '../container/config-literal.ts';
import { LineIndex } from '../html/line-index.ts';
import type { PageElement, PageModel } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import { isSameOrSubdomain, looseUrl } from '../html/url.ts';
import type { Capture } from '../model/capture.ts';
import type { State } from '../model/execution.ts';
import type { Channel } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';
import type { ScriptSource } from '../script/read-scripts.ts';
import { isVendorCode, recognizeUrl } from '../vendors/known-urls.ts';

/**
 * A script or event handler on the page. `base` is the offset of the script's code or of the element with the event
 * handler.
 */
export interface PageScript extends ScriptSource {
  /** Label: `inline#3`, the URL of an external script, or an element and attribute, such as `a[onclick]`. */
  readonly label: string;
  readonly url: string;
  readonly base: number;
  readonly lines: LineIndex;
  readonly position: 'head' | 'body';
  readonly channel: Channel;
}

/**
 * Matches the names that tags define. The scan skips event handlers that contain none of these names, because a page
 * can have thousands of event handlers that aren't related to tags.
 */
const TAG_NAMES = new RegExp(
  `\\b(?:fbq|_fbq|gtag|ga|__gaTracker|_gaq|urchinTracker|dataLayer|${AD_GLOBALS.join('|')})\\b`,
);

/**
 * Returns the JavaScript on a page in execution order: immediate scripts, deferred scripts, other fetched scripts, and
 * then event handlers.
 */
export function pageScripts(capture: Capture, page: PageModel): PageScript[] {
  const bodies = new Map(
    capture.scripts.filter(s => s.status < 400 && s.body && !isContainerSource(s.body)).map(s => [s.url, s.body]),
  );
  const immediate: PageScript[] = [];
  const deferred: PageScript[] = [];
  const handlers: PageScript[] = [];
  const used = new Set<string>();
  const isIncomplete = capture.truncated || capture.template === true;
  let inline = 0;
  for (const element of page.elements) {
    const position = element.inHead ? 'head' : 'body';
    if (element.tag === 'script') {
      inline++;
      const state = element.inNoscript ? 'inert' : reachability(element);
      const src = element.attributes.get('src');
      const channel = isShopifyElement(element) ? 'platform' : 'theme';
      const kind = element.attributes.get('type') === 'module' ? 'module' : 'script';
      const presumedValid = isIncomplete || channel === 'platform';
      const common = { kind, state, position, channel, presumedValid } as const;
      if (src === undefined) {
        if (state === 'inert') continue;
        const script = {
          ...common,
          source: element.text,
          label: `inline#${inline}`,
          url: capture.finalUrl,
          base: element.textOffset,
          lines: page.lines,
        };
        (kind === 'module' ? deferred : immediate).push(script);
        continue;
      }
      const url = absoluteUrl(src, capture.finalUrl);
      const body = bodies.get(url);
      if (body === undefined || state === 'inert' || used.has(url)) continue;
      used.add(url);
      if (isVendorCode(looseUrl(url))) continue;
      const script = { ...common, source: body, label: url, url, base: 0, lines: new LineIndex(body) };
      const isDeferred = element.attributes.has('defer') || kind === 'module';
      (isDeferred ? deferred : immediate).push(script);
      continue;
    }
    for (const [name, value] of element.attributes) {
      if (!name.startsWith('on') || !TAG_NAMES.test(value)) continue;
      const label = `${element.tag}[${name}]`;
      handlers.push({
        source: value,
        state: 'later',
        kind: 'handler',
        presumedValid: isIncomplete,
        label,
        url: capture.finalUrl,
        base: element.offset,
        lines: page.lines,
        position,
        channel: 'theme',
      });
    }
  }
  const late: PageScript[] = [];
  for (const [url, body] of bodies) {
    if (used.has(url) || isVendorCode(looseUrl(url)) || url.endsWith('.liquid')) continue;
    const state: State = 'later';
    late.push({
      source: body,
      state,
      kind: 'either',
      presumedValid: isIncomplete,
      label: url,
      url,
      base: 0,
      lines: new LineIndex(body),
      position: 'body',
      channel: 'theme',
    });
  }
  return [...immediate, ...deferred, ...late, ...handlers];
}

/** Returns whether the page has an external script that wasn't fetched and isn't vendor code. */
export function hasUnreadScript(capture: Capture, page: PageModel): boolean {
  const read = new Set(capture.scripts.filter(s => s.status < 400 && s.body).map(s => s.url));
  return page.elements.some(element => {
    const src = element.tag === 'script' ? element.attributes.get('src') : undefined;
    if (src === undefined || element.inNoscript || reachability(element) === 'inert') return false;
    const url = absoluteUrl(src, capture.finalUrl);
    return !read.has(url) && !isVendorCode(looseUrl(url));
  });
}

/** Returns whether code on the page adds a script that wasn't fetched and isn't vendor code. */
export const addsUnreadScript = (effects: readonly Effect[], fetched: ReadonlySet<string>): boolean =>
  effects.some(effect => {
    if (effect.op !== 'load' || effect.element === 'img' || effect.element === 'iframe') return false;
    const url = looseUrl(effect.url);
    return !fetched.has(effect.url) && !isVendorCode(url) && recognizeUrl(url) === null;
  });

/** Returns whether Shopify itself adds the element to every page. */
const isShopifyElement = ({ attributes }: PageElement): boolean =>
  attributes.get('class') === 'analytics' || SHOPIFY_IDS.has(attributes.get('id') ?? '');

const SHOPIFY_IDS = new Set(['__st', 'web-pixels-manager-setup', 'shop-js-analytics', 'shopify-features']);

/** Resolves the URL in an attribute against the page URL. */
function absoluteUrl(value: string, pageUrl: string): string {
  const text = value.trim();
  if (/^[a-z][a-z0-9+.-]{0,20}:/i.test(text)) return text;
  const scheme = pageUrl.slice(0, pageUrl.indexOf(':') + 1) || 'https:';
  if (text.startsWith('//')) return scheme + text;
  const { host, path } = looseUrl(pageUrl);
  const origin = `${scheme}//${host}`;
  if (text.startsWith('/')) return origin + text;
  return origin + path.slice(0, path.lastIndexOf('/') + 1) + text;
}

/** Returns whether a host belongs to the page's site, based on the last two labels of the page's host. */
export function isOwnHost(host: string, pageUrl: string): boolean {
  const own = looseUrl(pageUrl).host.split('.').slice(-2).join('.');
  return host === '' || (own !== '' && isSameOrSubdomain(host, own));
}

const LAZY_ATTRIBUTES = [
  'data-src',
  'data-lazy-src',
  'data-cmp-src',
  'data-blocked-src',
  'data-cookieblock-src',
  'data-cookiescript-src',
  'data-cmplz-src',
  'data-suppressedsrc',
  'suppressedsrc',
  'uc-src',
];

/** Returns the element's URL: its `src`, or the URL that a lazy loader sets later. */
export const sourceOf = (element: PageElement): { url: string; lazy: boolean } | null => {
  const src = element.attributes.get('src');
  if (src) return { url: src, lazy: false };
  const lazy = LAZY_ATTRIBUTES.map(name => element.attributes.get(name)).find(Boolean);
  return lazy ? { url: lazy, lazy: true } : null;
};
