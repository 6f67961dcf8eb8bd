import type { Capture, ScanOptions } from '../capture.ts';
import type { PageElement, PageModel } from '../html/page.ts';
import { isUnder, looseUrl } from '../html/url.ts';
import type { Effect } from '../script/effect.ts';
import type { ScriptReading } from '../script/read.ts';
import { entry, exactText, texts, type Value } from '../script/value.ts';
import type { Facts, Theme, Where } from './sighting.ts';
import type { PageScript } from './sources.ts';

interface Material {
  readonly capture: Capture;
  readonly options: ScanOptions;
  readonly page: PageModel;
  readonly scripts: readonly PageScript[];
  readonly reading: ScriptReading;
  readonly webPixelsSeen: boolean;
  readonly metaServerEvents: boolean;
  readonly cut: boolean;
}

/** Hosts and paths of consent banners. */
const CONSENT_TOOLS: readonly (readonly [RegExp, string])[] = [
  [/cookiebot\.com/, 'Cookiebot'],
  [/cookielaw\.org|onetrust|cookiepro\.com|otSDKStub/, 'OneTrust'],
  [/didomi/, 'Didomi'],
  [/usercentrics/, 'Usercentrics'],
  [/iubenda/, 'iubenda'],
  [/termly\.io/, 'Termly'],
  [/trustarc|truste\.com/, 'TrustArc'],
  [/quantcast\.mgr|cmp\.quantcast|quantcast\.com\/choice/, 'Quantcast Choice'],
  [/cookieyes|cookie-law-info/, 'CookieYes'],
  [/osano/, 'Osano'],
  [/complianz/, 'Complianz'],
  [/borlabs/, 'Borlabs Cookie'],
  [/consentmanager\.(?:net|mgr)/, 'consentmanager'],
  [/sp-prod\.net|sourcepoint|privacy-mgmt\.com/, 'Sourcepoint'],
  [/pandectes/, 'Pandectes'],
  [/consentmo|isenselabs/, 'Consentmo'],
  [/privacy-banner\/storefront-banner|consent-tracking-api/, 'Shopify'],
  [/tarteaucitron/, 'tarteaucitron'],
  [/axeptio/, 'Axeptio'],
  [/cookie-script\.com/, 'Cookie Script'],
  [/ketch(?:cdn|\.com)/, 'Ketch'],
  [/securiti\.ai/, 'Securiti'],
  [/civiccomputing/, 'Civic Cookie Control'],
  [/gdpr|cookie[-_]?(?:consent|banner|notice)/i, 'a consent tool'],
];

/** What the page says about itself: platform, theme, kind of page, consent tool, and what could not be read. */
export function readFacts(material: Material): Facts {
  const { capture, options, page, scripts, reading } = material;
  const assigned = assignedNames(reading.effects);
  const themeValue = assigned.get('Shopify.theme');
  const theme: Theme | null = themeValue
    ? {
        id: exactText(entry(themeValue, 'id')),
        name: exactText(entry(themeValue, 'name')),
        role: exactText(entry(themeValue, 'role')),
      }
    : null;
  const shopify = platform(capture, page, assigned, material.webPixelsSeen);
  const unreadable: Where[] = [];
  scripts.forEach((script, i) => {
    if (reading.outcomes[i] !== 'unreadable' || script.kind === 'handler') return;
    unreadable.push({ source: script.label, url: script.url, ...script.lines.at(script.base) });
  });
  const address = looseUrl(capture.finalUrl);
  const fetched = new Set(capture.scripts.filter(s => s.status < 400 && s.body !== '').map(s => s.url));
  return {
    url: capture.finalUrl,
    asOf: options.asOf,
    profile: options.profile ?? 'default',
    shopify: { ...shopify, theme },
    pageType: exactText(entry(assigned.get('__st'), 'p')) ?? 'unknown',
    password: /\/password\/?$/.test(address.path) || page.elements.some(isPasswordPage),
    preview:
      address.host.endsWith('.shopifypreview.com') ||
      address.params.has('preview_theme_id') ||
      (theme?.role !== null && theme !== null && theme.role !== 'main'),
    consentTool: consentTool(page.elements, reading.effects),
    metaServerEvents: material.metaServerEvents,
    webPixels: material.webPixelsSeen ? 'present' : 'missing',
    unreadable,
    scripts: scripts.filter(s => s.kind === 'page').length,
    truncated: capture.truncated || page.cut || reading.cut || material.cut,
    unfetched: [
      ...new Set([
        ...capture.scripts.filter(s => s.status >= 400 || (s.status === 0 && s.body === '')).map(s => s.url),
        ...capture.notes.flatMap(n =>
          n.url !== undefined && n.url !== capture.url && n.url !== capture.finalUrl && !fetched.has(n.url)
            ? [n.url]
            : [],
        ),
      ]),
    ].sort(),
    blocked: blocked(capture),
  };
}

function assignedNames(effects: readonly Effect[]): Map<string, Value> {
  const names = new Map<string, Value>();
  for (const effect of effects)
    if (effect.op === 'assign' && !names.has(effect.path)) names.set(effect.path, effect.value);
  return names;
}

/** One strong sign is enough; images from Shopify's CDN are none. */
function platform(
  capture: Capture,
  page: PageModel,
  assigned: ReadonlyMap<string, Value>,
  webPixels: boolean,
): { detected: boolean; kind: 'liquid' | 'headless' | 'unknown' } {
  const header = (name: string): string => capture.headers[name] ?? '';
  const hydrogen =
    /hydrogen/i.test(header('powered-by')) ||
    header('oxygen-v2-gid') !== '' ||
    page.elements.some(e => e.tag === 'script' && /cdn\.shopify\.com\/oxygen-v2\//.test(e.attributes.get('src') ?? ''));
  if (hydrogen) return { detected: true, kind: 'headless' };
  const shop = exactText(assigned.get('Shopify.shop'))?.endsWith('.myshopify.com') ?? false;
  const features = page.elements.some(e => e.attributes.get('id') === 'shopify-features');
  const marks = assigned.has('__st') && features;
  const answered =
    ['x-shopid', 'x-shopify-stage', 'x-sorting-hat-shopid'].some(name => header(name) !== '') ||
    /shopify/i.test(header('powered-by'));
  const cookies = /_shopify_(?:essential|analytics|marketing)/.test(header('set-cookie'));
  const wallet = page.elements.some(e => e.tag === 'meta' && e.attributes.get('id') === 'shopify-digital-wallet');
  if (shop || marks || answered || cookies || (webPixels && (wallet || features)))
    return { detected: true, kind: 'liquid' };
  return { detected: false, kind: 'unknown' };
}

const isPasswordPage = (element: PageElement): boolean =>
  (element.tag === 'body' && /\btemplate-password\b/.test(element.attributes.get('class') ?? '')) ||
  (element.tag === 'form' && /^\/password(?:[?#]|$)/.test(element.attributes.get('action') ?? ''));

function consentTool(elements: readonly PageElement[], effects: readonly Effect[]): string | null {
  const addresses: string[] = [];
  for (const element of elements) {
    if (element.tag === 'script' || element.tag === 'link')
      addresses.push(element.attributes.get('src') ?? element.attributes.get('href') ?? '');
    if (element.attributes.has('data-cbid')) return 'Cookiebot';
  }
  for (const effect of effects) {
    if (effect.op === 'load') addresses.push(effect.url);
    if (effect.op === 'data' && effect.key === 'urls' && effect.value.kind === 'list')
      addresses.push(...effect.value.items.flatMap(texts));
    if (effect.op === 'call' && /customerPrivacy|^Shopify\.loadFeatures|^__tcfapi|^__cmp$/.test(effect.path)) {
      return effect.path.startsWith('__') ? 'a consent framework' : 'Shopify';
    }
  }
  for (const address of addresses) {
    if (address.length > 2_000) continue;
    const found = CONSENT_TOOLS.find(([pattern]) => pattern.test(address));
    if (found) return found[1];
  }
  return null;
}

/** Why an answer is no page that can be judged, or `null`. */
function blocked(capture: Capture): string | null {
  if (capture.status >= 400 || capture.status < 200) return `status ${capture.status}`;
  const type = capture.headers['content-type'] ?? '';
  if (type && !/html|xml/i.test(type)) return 'not HTML';
  if (capture.html.trim() === '') return 'empty page';
  const challenge =
    capture.headers['cf-mitigated'] === 'challenge' ||
    isUnder(looseUrl(capture.finalUrl).host, 'challenges.cloudflare.com');
  return challenge ? 'bot challenge' : null;
}
