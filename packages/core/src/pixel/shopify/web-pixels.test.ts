import { describe, expect, it } from 'vitest';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { findingsOf, TODAY } from '../testing/fixtures.ts';
import { extractList, looksLikeSecret } from './web-pixels.ts';

const META = {
  id: '10',
  configuration: JSON.stringify({ pixel_id: '2322352894887137', pixel_type: 'facebook_pixel' }),
  type: 'APP',
  apiClientId: 2329312,
};
const GOOGLE = {
  id: '11',
  configuration: JSON.stringify({
    config: JSON.stringify({
      pixel_id: 'G-ABCDEF1234',
      gtag_events: [{ type: 'purchase', action_label: 'AW-765990000/xyz' }],
    }),
  }),
  runtimeContext: 'OPEN',
  type: 'APP',
  apiClientId: 1780363,
};
const CUSTOM = {
  id: '12',
  runtimeContext: 'LAX',
  type: 'CUSTOM',
  name: 'Thank-you page',
  privacyPurposes: ['ANALYTICS'],
};
const DEFAULTS = [
  { id: 'shopify-app-pixel', configuration: '{}', type: 'APP', apiClientId: 'shopify-pixel', runtimeContext: 'STRICT' },
  { id: 'shopify-custom-pixel', type: 'CUSTOM', runtimeContext: 'LAX' },
];
const list = JSON.stringify([META, GOOGLE, CUSTOM, ...DEFAULTS]).replaceAll('/', '\\/');

const FORMATS = {
  'from 2022': `<script id="web-pixels-manager-setup">(function e(e,n,a,t,r){window.Shopify=window.Shopify||{};})({shopId:1,storefrontBaseUrl:"https://shop.example",cdnBaseUrl:"https://shop.example/cdn",webPixelsConfigList:${list},initData:{}},"https://cdn","0",{},{});</script>`,
  'from 2023': `<script id="web-pixels-manager-setup">(function e(e,d,r,n,o){})({shopId:1,surface:"storefront-renderer",enabledBetaFlags:["a"],webPixelsConfigList:${list},initData:{"shop":{}},},function pageEvents(webPixelsManagerAPI) {webPixelsManagerAPI.publish("page_viewed", {});},"https://cdn","hash","0.1");</script>`,
  'from 2024': `<script id="web-pixels-manager-setup">(function e(e,d,r,n,o){})({shopId:1,webPixelsConfigList: ${list}},"https://cdn","hash",{"modern":"","legacy":""},{"shopId":"1","publish":"custom","events":"[[\\"page_viewed\\",{}]]"});</script>`,
  'from 2026': `<script>window.__TREKKIE_SHIM_QUEUE = window.__TREKKIE_SHIM_QUEUE || [];(function(){var wpmLoader=function(){return function(a,b,c,d,e){}}();wpmLoader({shopId:1,webPixelsConfigList:${list}},"https://cdn","hash",{"modern":""},{"trekkieShim":true,"facebookCapiEnabled":"true","pageType":"collection"})})();</script>`,
  'with quoted keys, pretty-printed': `<script>(function(){})({"webPixelsConfigList" : ${JSON.stringify([META, GOOGLE, CUSTOM, ...DEFAULTS], null, 2)}});</script>`,
  "in a script that doesn't parse": `<script>(function(){})({shopId: ,,, webPixelsConfigList:${list}, broken</script>`,
};

describe('web pixel list', () => {
  it.each(Object.entries(FORMATS))('reads a web pixel list (%s)', (_name, html) => {
    const { tags } = scan(captureOf(html), TODAY).inventory;
    expect(tags.map(t => [t.kind, t.id, t.channel, t.state])).toEqual([
      ['ga4', 'G-ABCDEF1234', 'app_pixel', 'config'],
      ['google_ads', 'AW-765990000', 'app_pixel', 'config'],
      ['meta_pixel', '2322352894887137', 'app_pixel', 'config'],
      ['custom_pixel', '12', 'custom_pixel', 'config'],
    ]);
  });

  it('detects Shopify server events in the newest list format', () => {
    const html = `${FORMATS['from 2026']}<script>fbq('init','157204581336210');fbq('track','Purchase',{value:1})</script>`;
    expect(findingsOf(html, 'meta_pixel_missing_event_id')).toMatchObject([{ severity: 'warn' }]);
  });

  it('extracts the web pixel list by matching brackets', () => {
    expect(extractList('x webPixelsConfigList: [{"a":"]\\"["},[1]], y', 'webPixelsConfigList')).toBe(
      '[{"a":"]\\"["},[1]]',
    );
    expect(extractList('webPixelsConfigList: [', 'webPixelsConfigList')).toBeNull();
    expect(extractList('nothing', 'webPixelsConfigList')).toBeNull();
  });

  it('distinguishes a secret from a placeholder', () => {
    expect(
      ['3', 'secret', 'xxxxxxxxxxxxxxxxxxxx', '0000000000000000', 'YOUR_API_SECRET_HERE'].filter(looksLikeSecret),
    ).toEqual([]);
    expect(looksLikeSecret('abCdEf0123456789_x')).toBe(true);
  });
});
