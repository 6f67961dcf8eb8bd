import { describe, expect, it } from 'vitest';
import type { Capture } from '../model/capture.ts';
import { captureOf } from '../testing/capture-of.ts';
import { TODAY } from '../testing/fixtures.ts';
import { contextMetas } from './context-findings.ts';
import { scan } from './scan.ts';

const SHOP =
  '<script>Shopify = {}; Shopify.shop = \'demo.myshopify.com\'; Shopify.theme = {"name":"Dawn","id":1,"role":"main"}</script>';
const LIST = '<script>boot({webPixelsConfigList: []})</script>';
const at = (url: string): Partial<Capture> => ({ url, finalUrl: url });
const contexts = (html: string, more: Partial<Capture> = {}) =>
  scan(captureOf(html, more), TODAY)
    .findings.filter(f => contextMetas.some(({ id }) => id === f.rule_id))
    .map(f => f.rule_id);

/** Returns the note that the crawler adds to a capture when it skips scripts. */
const leftOut = (reason: string, urls: string[]): Partial<Capture> => ({
  notes: [{ code: 'scripts_left_out', reason, urls }],
});

describe('context findings', () => {
  it('reports no context findings for a shop that the scan can fully inspect', () => {
    expect(contexts(SHOP + LIST)).toEqual([]);
  });

  it.each<[string, string, Partial<Capture>]>([
    ['scan_js_unparsable', `${SHOP}${LIST}<script>fbq(</script>`, {}],
    ['scan_truncated', SHOP + LIST, { truncated: true }],
    ['scan_truncated', SHOP + LIST + '<div>'.repeat(20_000), {}],
    ['scan_fetch_partial', SHOP + LIST, { scripts: [{ url: 'https://a.example/x.js', status: 0, body: '' }] }],
    ['scan_fetch_partial', SHOP + LIST, { notes: [{ code: 'script_not_fetched', url: 'https://a.example/x.js' }] }],
    ['scan_fetch_partial', SHOP + LIST, leftOut('over_limit', ['https://shop.example/a.js'])],
    ['scan_truncated', SHOP + LIST, leftOut('over_limit', [])],
    ['scan_truncated', SHOP + LIST, { notes: [{ code: 'scripts_unlisted', reason: 'too_hard_to_parse' }] }],
    ['shopify_not_detected', '<p>x</p>', {}],
    ['shopify_headless', '<p>x</p>', { headers: { 'powered-by': 'Shopify, Hydrogen' } }],
    ['shopify_password_page', `${SHOP}${LIST}<form action="/password" method="post"></form>`, {}],
    ['shopify_password_page', SHOP + LIST, at('https://shop.example/password')],
    ['shopify_preview_theme', SHOP.replace('"main"', '"unpublished"') + LIST, {}],
    ['shopify_preview_theme', SHOP + LIST, at('https://abc.shopifypreview.com/')],
    ['shopify_preview_theme', SHOP + LIST, at('https://shop.example/?preview_theme_id=2')],
    ['web_pixels_config_absent', SHOP, {}],
    [
      'gtm_contents_unseen',
      `${SHOP}${LIST}<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234"></script>`,
      {},
    ],
  ])('reports the context finding %s', (id, html, more) => {
    expect(contexts(html, more)).toEqual([id]);
  });

  it('ignores scripts that the crawler never fetches', () => {
    for (const reason of ['third_party', 'platform', 'tag', 'invalid_url'])
      expect(contexts(SHOP + LIST, leftOut(reason, ['https://a.example/x.js']))).toEqual([]);
  });

  it('links each context finding to its documentation page', () => {
    const [found] = scan(captureOf('<p>x</p>'), TODAY).findings;
    expect(found).toMatchObject({ rule_id: 'shopify_not_detected', docs_url: '/docs/rules/shopify_not_detected' });
  });

  it('ignores a capture note about the page itself', () => {
    expect(contexts(SHOP + LIST, { notes: [{ code: 'redirected', url: 'https://shop.example/' }] })).toEqual([]);
  });

  it('doesn’t deduct points for a context finding', () => {
    expect(scan(captureOf('<p>x</p>'), TODAY).score).toBe(100);
  });
});

describe('page facts', () => {
  it('never recommends an app for a headless storefront', () => {
    const html = "<script>gtag('config','UA-132894000-1')</script>";
    const fix = (more: Partial<Capture>) =>
      scan(captureOf(html, more), TODAY).findings.find(f => f.rule_id === 'ga_universal_id')?.fix;
    expect(fix({})).toContain('app');
    expect(fix({ headers: { 'powered-by': 'Shopify, Hydrogen' } })).not.toContain('app');
  });

  it('orders deferred scripts after the page’s other scripts', () => {
    const script = {
      url: 'https://shop.example/c.js',
      status: 200,
      body: "gtag('consent','default',{ad_storage:'denied',analytics_storage:'denied',ad_user_data:'denied',ad_personalization:'denied'})",
    };
    const rules = (attribute: string) =>
      scan(
        captureOf(`<script ${attribute} src="/c.js"></script><script>gtag('config','G-AAAA000001')</script>`, {
          scripts: [script],
        }),
        TODAY,
      ).findings.map(f => f.rule_id);
    expect(rules('defer')).toContain('google_consent_default_late');
    expect(rules('')).not.toContain('google_consent_default_late');
  });

  it('assigns each event to the pixels that receive it', () => {
    const html =
      "<script>fbq('init','111000000000001');fbq('init','222000000000002');fbq('trackSingle','222000000000002','Lead');fbq('track','PageView')</script>";
    const { tags } = scan(captureOf(html), TODAY).inventory;
    expect(tags.map(t => [t.id, t.events])).toEqual([
      ['111000000000001', ['PageView']],
      ['222000000000002', ['Lead', 'PageView']],
    ]);
  });
});
