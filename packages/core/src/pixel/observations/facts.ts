import type { PageElement, PageModel } from '../html/page.ts';
import { isSameOrSubdomain, looseUrl } from '../html/url.ts';
import type { Capture, CaptureNote, ScanOptions } from '../model/capture.ts';
import type { Where } from '../model/observation.ts';
import type { InvalidScript, PageFacts, Theme } from '../model/page-observations.ts';
import type { Effect } from '../script/effect.ts';
import type { ScriptReading } from '../script/read-scripts.ts';
import { entry, exactText, texts, type Value } from '../script/value.ts';
import { isVendorCode } from '../vendors/known-urls.ts';
import { addsUnreadScript, hasUnreadScript, type PageScript } from './page-scripts.ts';

interface FactSources {
  readonly capture: Capture;
  readonly options: ScanOptions;
  readonly page: PageModel;
  readonly scripts: readonly PageScript[];
  readonly reading: ScriptReading;
  readonly hasWebPixelList: boolean;
  readonly metaServerEvents: boolean;
  readonly truncated: boolean;
}

/** URL patterns for consent banner scripts. */
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

/** Returns facts about the page: the platform, theme, page type, consent tool, and parts that couldn't be read. */
export function readFacts(sources: FactSources): PageFacts {
  const { capture, options, page, scripts, reading } = sources;
  const assigned = assignedNames(reading.effects);
  const themeValue = assigned.get('Shopify.theme');
  const theme: Theme | null = themeValue
    ? {
        id: exactText(entry(themeValue, 'id')),
        name: exactText(entry(themeValue, 'name')),
        role: exactText(entry(themeValue, 'role')),
      }
    : null;
  const shopify = platform(capture, page, assigned, sources.hasWebPixelList);
  const invalidScripts = scripts.flatMap((script, i): InvalidScript[] => {
    const problem = reading.outcomes[i]?.problem;
    if (!problem || script.kind === 'handler') return [];
    const { label: source, url, presumedValid } = script;
    const error: Where = { source, url, ...script.lines.at(script.base + problem.offset) };
    return [{ source, url, error, uncertain: presumedValid || problem.cdata }];
  });
  const url = looseUrl(capture.finalUrl);
  const fetched = new Set(capture.scripts.filter(s => s.status < 400 && s.body !== '').map(s => s.url));
  return {
    url: capture.finalUrl,
    asOf: options.asOf,
    profile: options.profile ?? 'default',
    shopify: { ...shopify, theme },
    pageType: exactText(entry(assigned.get('__st'), 'p')) ?? 'unknown',
    password: /\/password\/?$/.test(url.path) || page.elements.some(isPasswordPage),
    preview:
      url.host.endsWith('.shopifypreview.com') ||
      url.params.has('preview_theme_id') ||
      (theme?.role !== null && theme !== null && theme.role !== 'main'),
    consentTool: consentTool(page.elements, reading.effects),
    metaServerEvents: sources.metaServerEvents,
    webPixels: sources.hasWebPixelList ? 'present' : 'missing',
    invalidScripts,
    scripts: scripts.filter(s => s.kind !== 'handler').length,
    truncated:
      capture.truncated ||
      page.truncated ||
      reading.truncated ||
      sources.truncated ||
      capture.notes.some(isMissingScriptUrls),
    unfetched: [
      ...new Set([
        ...capture.scripts
          .filter(s => (s.status >= 400 || (s.status === 0 && s.body === '')) && !isVendorCode(looseUrl(s.url)))
          .map(s => s.url),
        ...capture.notes
          .flatMap(({ url, reason, urls = [] }) => [...(url ? [url] : []), ...(reason === 'over_limit' ? urls : [])])
          .filter(
            url => url !== capture.url && url !== capture.finalUrl && !fetched.has(url) && !isVendorCode(looseUrl(url)),
          ),
      ]),
    ].sort(),
    hasUnreadScripts: hasUnreadScript(capture, page),
    addsUnreadScripts: addsUnreadScript(reading.effects, fetched),
    blocked: blocked(capture),
  };
}

/**
 * Returns whether a note reports scripts whose URLs aren't listed because the page has too many scripts or is too
 * complex to parse.
 */
const isMissingScriptUrls = ({ code, reason, urls }: CaptureNote): boolean =>
  code === 'scripts_unlisted' || (code === 'scripts_left_out' && reason === 'over_limit' && urls?.length === 0);

function assignedNames(effects: readonly Effect[]): Map<string, Value> {
  const names = new Map<string, Value>();
  for (const effect of effects)
    if (effect.op === 'assign' && !names.has(effect.path)) names.set(effect.path, effect.value);
  return names;
}

/**
 * Returns whether the page is a Shopify storefront and, if so, which kind. One strong signal, such as a response
 * header, is enough to detect Shopify. Images from Shopify's CDN aren't enough.
 */
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
  const hasGlobals = assigned.has('__st') && features;
  const hasHeaders =
    ['x-shopid', 'x-shopify-stage', 'x-sorting-hat-shopid'].some(name => header(name) !== '') ||
    /shopify/i.test(header('powered-by'));
  const cookies = /_shopify_(?:essential|analytics|marketing)/.test(header('set-cookie'));
  const wallet = page.elements.some(e => e.tag === 'meta' && e.attributes.get('id') === 'shopify-digital-wallet');
  if (shop || hasGlobals || hasHeaders || cookies || (webPixels && (wallet || features)))
    return { detected: true, kind: 'liquid' };
  return { detected: false, kind: 'unknown' };
}

const isPasswordPage = (element: PageElement): boolean =>
  (element.tag === 'body' && /\btemplate-password\b/.test(element.attributes.get('class') ?? '')) ||
  (element.tag === 'form' && /^\/password(?:[?#]|$)/.test(element.attributes.get('action') ?? ''));

function consentTool(elements: readonly PageElement[], effects: readonly Effect[]): string | null {
  const urls: string[] = [];
  for (const element of elements) {
    if (element.tag === 'script' || element.tag === 'link')
      urls.push(element.attributes.get('src') ?? element.attributes.get('href') ?? '');
    if (element.attributes.has('data-cbid')) return 'Cookiebot';
  }
  for (const effect of effects) {
    if (effect.op === 'load') urls.push(effect.url);
    if (effect.op === 'data' && effect.key === 'urls' && effect.value.kind === 'list')
      urls.push(...effect.value.items.flatMap(texts));
    if (effect.op === 'call' && /customerPrivacy|^Shopify\.loadFeatures|^__tcfapi|^__cmp$/.test(effect.path)) {
      return effect.path.startsWith('__') ? 'a consent framework' : 'Shopify';
    }
  }
  for (const url of urls) {
    if (url.length > 2_000) continue;
    const found = CONSENT_TOOLS.find(([pattern]) => pattern.test(url));
    if (found) return found[1];
  }
  return null;
}

/** Returns why a response can't be scored, or `null` if it can. */
function blocked(capture: Capture): string | null {
  if (capture.status >= 400 || capture.status < 200) return `status ${capture.status}`;
  const type = capture.headers['content-type'] ?? '';
  if (type && !/html|xml/i.test(type)) return 'not HTML';
  if (capture.html.trim() === '') return 'empty page';
  const challenge =
    capture.headers['cf-mitigated'] === 'challenge' ||
    isSameOrSubdomain(looseUrl(capture.finalUrl).host, 'challenges.cloudflare.com');
  return challenge ? 'bot challenge' : null;
}
