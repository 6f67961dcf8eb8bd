import { describe, expect, it } from 'vitest';
import { captureOf } from '../testing/capture-of.ts';
import { findingsOf, TODAY } from '../testing/fixtures.ts';
import { scan } from './scan.ts';

const tagsOf = (html: string) => scan(captureOf(html), TODAY).inventory.tags;
const ruleIds = (html: string) => findingsOf(html).flatMap(f => (f.severity === 'info' ? [] : [f.rule_id]));

describe('scan of pages that mislead a text search', () => {
  it('ignores tags in an HTML comment', () => {
    expect(tagsOf("<!-- <script>fbq('init','123456789012345')</script> -->")).toEqual([]);
  });

  it('ignores tag code inside strings', () => {
    const html = `<script>const help = "gtag('config','UA-1-1')"; const more = \`fbq('init','1')\`;</script>`;
    expect(tagsOf(html)).toEqual([]);
    expect(ruleIds(html)).toEqual([]);
  });

  it('assigns the state `gated` to a tag that waits for consent', () => {
    const html = `<script>Shopify = {}; Shopify.shop = 'demo.myshopify.com'</script><script type="text/plain" data-cookiecategory="ads">fbq('init','157204581336210');fbq('track','PageView')</script>`;
    expect(tagsOf(html)).toMatchObject([{ id: '157204581336210', state: 'gated', consent: 'gated' }]);
    expect(ruleIds(html)).toEqual([]);
  });

  it('ignores an ID in a product title', () => {
    expect(tagsOf('<h3>Cable UA-2024-1</h3>')).toEqual([]);
    expect(ruleIds('<h3>Cable UA-2024-1</h3>')).toEqual([]);
  });

  it('follows an alias of a tag function and reports the finding as possible', () => {
    const html = "<script>!function(a){a.x=a.fbq}(window)</script><script>x('init','157204581336210')</script>";
    const [finding] = findingsOf(html, 'meta_pixel_missing_pageview');
    expect(finding).toMatchObject({ confidence: 'possible', ids: ['157204581336210'] });
  });

  it('assigns the state `later` to a tag in a web worker script', () => {
    const snippet =
      "(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':1});var j=d.createElement(s);j.src='https://www.googletagmanager.com/gtm.js?id='+i})(window,document,'script','dataLayer','GTM-ABC1234')";
    expect(tagsOf(`<script type="text/partytown">${snippet}</script>`)).toMatchObject([
      { id: 'GTM-ABC1234', state: 'later' },
    ]);
  });

  it('ignores tags in a template', () => {
    expect(tagsOf("<template><script>fbq('init','157204581336210')</script></template>")).toEqual([]);
  });

  it('ignores container IDs in structured data', () => {
    expect(tagsOf('<script type="application/ld+json">{"mpn":"GTM-ABCD"}</script>')).toEqual([]);
  });

  it('treats Rocket Loader scripts as executable', () => {
    const html = `<script type="0123456789abcdef01234567-text/javascript">fbq('init','157204581336210')</script>`;
    expect(tagsOf(html)).toMatchObject([{ id: '157204581336210', state: 'run' }]);
  });

  it('reports that a tag is in the head even if the tag follows a noscript iframe', () => {
    const frame =
      '<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-ABC1234"></iframe></noscript>';
    const html = `<html><head>${frame}<script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC1234"></script></head><body></body></html>`;
    expect(tagsOf(html)).toMatchObject([{ id: 'GTM-ABC1234', position: 'head' }]);
    expect(findingsOf(html, 'gtm_noscript_problem')).toMatchObject([{ variant: 'in_head' }]);
  });

  it('ends a script at a closing tag inside a string, as a browser does', () => {
    const html = `<script>var s = "</script>"; fbq('init','157204581336210')</script><script>fbq('init','257204581336210')</script>`;
    expect(tagsOf(html).map(t => t.id)).toEqual(['257204581336210']);
    expect(findingsOf(html, 'scan_js_unparsable')).toHaveLength(1);
  });

  it.each([
    ['empty', 'webPixelsConfigList: []', 0],
    ['broken', 'webPixelsConfigList: [{"id":"1","configuration":"{\\"pixelCode\\":\\"A\\"}"}], shopId:', 1],
    [
      'with older purposes',
      'webPixelsConfigList: [{"id":"1","configuration":"{\\"pixelCode\\":\\"A\\"}","purposes":["ANALYTICS"]}]',
      1,
    ],
    ['with quoted keys', '"webPixelsConfigList": [{"id":"1","configuration":"{\\"pixelCode\\":\\"A\\"}"}]', 1],
    [
      'in a nested call',
      'a: 1}); var l = function(){}; l({webPixelsConfigList: [{"id":"1","configuration":"{\\"pixelCode\\":\\"A\\"}"}]',
      1,
    ],
  ])('reads a web pixel list (%s)', (_name, list, count) => {
    const html = `<script>(function(){ boot({ ${list} }, "https://cdn.example", "hash") })();</script>`;
    expect(tagsOf(html)).toHaveLength(count);
  });

  it('reports a missing web pixel list', () => {
    const html = "<script>Shopify = {}; Shopify.shop = 'demo.myshopify.com'</script>";
    expect(findingsOf(html, 'web_pixels_config_absent')).toHaveLength(1);
  });

  it('reads large pages with many parse errors', () => {
    const html = `${'</i></td><p x=1 x=2>text<b></p></b>'.repeat(1_800)}${'<p class="x">text</p>'.repeat(120_000)}<script>fbq('init','157204581336210')</script>`;
    expect(html.length).toBeGreaterThan(2_500_000);
    const { inventory, scanned } = scan(captureOf(html), TODAY);
    expect(inventory.tags.map(t => t.id)).toEqual(['157204581336210']);
    expect(scanned.truncated).toBe(false);
  });

  it('reads IDs in JSON nested three levels deep', () => {
    const inner = JSON.stringify({ google_tag_ids: ['G-ABCDEF1234'], note: 'a/b "c"' });
    const entry = { id: '1', configuration: JSON.stringify({ config: inner }), apiClientId: 1780363, type: 'APP' };
    const list = JSON.stringify([entry]).replaceAll('/', '\\/');
    expect(tagsOf(`<script>boot({webPixelsConfigList: ${list}})</script>`)).toMatchObject([
      { vendor: 'google', kind: 'ga4', id: 'G-ABCDEF1234' },
    ]);
  });

  it('reads settings that follow a key without a value', () => {
    const html =
      '<script>trekkie.load({"Trekkie":{"defaultAttributes":{"shopId":,"x":1}},"Facebook Pixel":{"pixelIds":["157204581336210"]}});</script>';
    expect(tagsOf(html)).toMatchObject([{ id: '157204581336210', channel: 'trekkie', state: 'config' }]);
  });
});
