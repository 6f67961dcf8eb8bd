import type { Capture } from '../capture.ts';
import { LineIndex } from '../html/lines.ts';
import type { PageElement, PageModel } from '../html/page.ts';
import { reachability } from '../html/reachability.ts';
import { isUnder, looseUrl } from '../html/url.ts';
import type { State } from '../script/effect.ts';
import type { ScriptSource } from '../script/read.ts';
import { isVendorCode } from '../vendors/addresses.ts';
import type { Channel } from './sighting.ts';

/** One piece of JavaScript of the page, with the place its offsets are counted from. */
export interface PageScript extends ScriptSource {
  /** `inline#3`, or the address of an external script. */
  readonly label: string;
  readonly url: string;
  readonly base: number;
  readonly lines: LineIndex;
  readonly position: 'head' | 'body';
  readonly channel: Channel;
}

/** Handlers are read only when they name a tag: a page has thousands that do not. */
const HANDLED = /\b(?:fbq|_fbq|gtag|ga|__gaTracker|_gaq|urchinTracker|dataLayer|ttq|pintrk)\b/;

/** The JavaScript of a page in the order a browser runs it: as it comes, then what is deferred, then handlers. */
export function pageScripts(capture: Capture, page: PageModel): PageScript[] {
  const bodies = new Map(capture.scripts.filter(s => s.status < 400 && s.body).map(s => [s.url, s.body]));
  const atOnce: PageScript[] = [];
  const deferred: PageScript[] = [];
  const handlers: PageScript[] = [];
  const used = new Set<string>();
  let inline = 0;
  for (const element of page.elements) {
    const position = element.inHead ? 'head' : 'body';
    if (element.tag === 'script') {
      inline++;
      const state = element.inNoscript ? 'inert' : reachability(element);
      const src = element.attributes.get('src');
      const channel = isPlatform(element) ? 'platform' : 'theme';
      const here = { kind: 'page', state, position, channel } as const;
      if (src === undefined) {
        if (state === 'inert') continue;
        const script = {
          ...here,
          source: element.text,
          label: `inline#${inline}`,
          url: capture.finalUrl,
          base: element.textOffset,
          lines: page.lines,
        };
        (element.attributes.get('type') === 'module' ? deferred : atOnce).push(script);
        continue;
      }
      const url = absolute(src, capture.finalUrl);
      const body = bodies.get(url);
      if (body === undefined || state === 'inert' || used.has(url)) continue;
      used.add(url);
      if (isVendorCode(looseUrl(url))) continue;
      const script = { ...here, source: body, label: url, url, base: 0, lines: new LineIndex(body) };
      const waits = element.attributes.has('defer') || element.attributes.get('type') === 'module';
      (waits ? deferred : atOnce).push(script);
      continue;
    }
    for (const [name, value] of element.attributes) {
      if (!name.startsWith('on') || !HANDLED.test(value)) continue;
      const label = `${element.tag}[${name}]`;
      handlers.push({
        source: value,
        state: 'later',
        kind: 'handler',
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
      kind: 'page',
      label: url,
      url,
      base: 0,
      lines: new LineIndex(body),
      position: 'body',
      channel: 'theme',
    });
  }
  return [...atOnce, ...deferred, ...late, ...handlers];
}

/** Blocks that Shopify itself puts into every page. */
const isPlatform = ({ attributes }: PageElement): boolean =>
  attributes.get('class') === 'analytics' || PLATFORM_IDS.has(attributes.get('id') ?? '');

const PLATFORM_IDS = new Set(['__st', 'web-pixels-manager-setup', 'shop-js-analytics', 'shopify-features']);

/** The address an attribute means on this page. */
function absolute(address: string, pageUrl: string): string {
  const text = address.trim();
  if (/^[a-z][a-z0-9+.-]{0,20}:/i.test(text)) return text;
  const scheme = pageUrl.slice(0, pageUrl.indexOf(':') + 1) || 'https:';
  if (text.startsWith('//')) return scheme + text;
  const { host, path } = looseUrl(pageUrl);
  const origin = `${scheme}//${host}`;
  if (text.startsWith('/')) return origin + text;
  return origin + path.slice(0, path.lastIndexOf('/') + 1) + text;
}

/** Whether a host belongs to the page's own site, as far as its last two labels tell. */
export function isOwnHost(host: string, pageUrl: string): boolean {
  const own = looseUrl(pageUrl).host.split('.').slice(-2).join('.');
  return host === '' || (own !== '' && isUnder(host, own));
}

const LAZY = [
  'data-src',
  'data-lazy-src',
  'data-cmp-src',
  'data-blocked-src',
  'data-cookieblock-src',
  'data-cookiescript-src',
];

/** The element's address: `src`, or what a lazy loader would put there. */
export const sourceOf = (element: PageElement): { address: string; lazy: boolean } | null => {
  const src = element.attributes.get('src');
  if (src) return { address: src, lazy: false };
  const lazy = LAZY.map(name => element.attributes.get(name)).find(Boolean);
  return lazy ? { address: lazy, lazy: true } : null;
};
