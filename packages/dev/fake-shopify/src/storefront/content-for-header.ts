import { type FakePixel, type FakeShop, type FakeTheme, numberOf } from '../shop/shop.ts';

/** Serializes a value as JSON, escaped so that it can't close the surrounding script element. */
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('/', '\\/');

/**
 * Returns the code that Shopify adds to the head of every page: features, theme, web pixels, analytics, and script
 * tags.
 */
export const contentForHeader = (shop: FakeShop, theme: FakeTheme, page: string): string =>
  [
    `<meta id="shopify-digital-wallet" name="shopify-digital-wallet" content="/${shop.number}/digital_wallets/dialog">`,
    `<script id="shopify-features" type="application/json">${json({
      accessToken: '0123456789abcdef0123456789abcdef',
      betas: ['rich-media-storefront-analytics'],
      domain: shop.host,
      predictiveSearch: true,
      shopId: shop.number,
      locale: 'en',
    })}</script>`,
    `<script>var Shopify = Shopify || {};
Shopify.shop = ${json(shop.domain)};
Shopify.locale = "en";
Shopify.currency = {"active":"USD","rate":"1.0"};
Shopify.country = "US";
Shopify.theme = ${json(themeOf(theme))};
Shopify.theme.handle = "null";
Shopify.theme.style = {"id":null,"handle":null};
Shopify.cdnHost = ${json(`${shop.host}/cdn`)};
Shopify.routes = Shopify.routes || {};
Shopify.routes.root = "/";</script>`,
    '<script type="module">(function (w) { (w.Shopify = w.Shopify || {}).modules = true; })(window);</script>',
    shop.scriptTags.length > 0 ? scriptTags(shop) : '',
    `<script id="__st">var __st=${json({
      a: shop.number,
      offset: -18000,
      reqid: '0a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3-1795262400',
      pageurl: shop.host,
      u: '1a2b3c4d5e6f',
      p: page,
    })};</script>`,
    trekkie(shop, theme),
    webPixels(shop),
  ].join('\n');

const themeOf = ({ id, name, role }: FakeTheme) => ({
  name,
  id: Number(numberOf(id)),
  schema_name: 'Dawn',
  schema_version: '15.4.0',
  theme_store_id: 887,
  role: role === 'MAIN' ? 'main' : 'unpublished',
});

/** Returns the web pixels manager's setup script, which lists the app pixels and custom pixels. */
const webPixels = ({ number, host, pixels }: FakeShop): string => `<script id="web-pixels-manager-setup">
(function (setup, cdn, version) {
  var script = document.createElement('script');
  script.async = true;
  script.src = cdn + '/wpm/' + version + '.js';
  document.head.appendChild(script);
  window.webPixelsManagerSetup = setup;
})({shopId: ${number},storefrontBaseUrl: ${json(`https://${host}`)},extensionsBaseUrl: "https:\\/\\/extensions.shopifycdn.com\\/cdn\\/shopifycloud\\/web-pixels-manager",surface: "storefront-renderer",enabledBetaFlags: [],webPixelsConfigList: ${json([...pixels, ...PLATFORM].map(entry))},isMerchantRequest: false,initData: {"shop":{"name":"shop"}},},${json(`https://${host}/cdn`)},"b1c2d3");</script>`;

/** Shopify's own web pixels, which every page lists. */
const PLATFORM: readonly FakePixel[] = [
  platformPixel('shopify-app-pixel', 'APP', 'STRICT'),
  platformPixel('shopify-custom-pixel', 'CUSTOM', 'LAX'),
];

function platformPixel(id: string, type: FakePixel['type'], runtimeContext: FakePixel['runtimeContext']) {
  return {
    id,
    type,
    runtimeContext,
    apiClientId: 'shopify-pixel',
    privacyPurposes: ['ANALYTICS', 'MARKETING'],
    configuration: {},
  };
}

const entry = ({ id, configuration, runtimeContext, type, apiClientId, privacyPurposes }: FakePixel) => ({
  id,
  ...(configuration && { configuration: JSON.stringify(configuration) }),
  eventPayloadVersion: 'v1',
  runtimeContext,
  scriptVersion: '3f2c1a9d7b5e4c6f8a0b1c2d3e4f5a6b',
  type,
  ...(apiClientId !== null && { apiClientId }),
  privacyPurposes,
  dataSharingAdjustments: { protectedCustomerApprovalScopes: [] },
});

/** Returns Shopify's own analytics script. */
const trekkie = ({ number }: FakeShop, { id }: FakeTheme): string => `<script class="analytics">
(function () {
  var trekkie = (window.ShopifyAnalytics = window.ShopifyAnalytics || {}).lib = (window.trekkie = window.trekkie || []);
  trekkie.integrations = true;
  trekkie.load = function (config) { trekkie.config = config; };
  trekkie.load({"Trekkie":{"appName":"storefront","defaultAttributes":{"shopId":${number},"isMerchantRequest":null,"themeId":${numberOf(id)},"contentLanguage":"en","currency":"USD"},"isServerSideCookieWritingEnabled":true},"Session Attribution":{},"S2S":{"facebookCapiEnabled":false,"source":"trekkie-storefront-renderer","apiClientId":580111}});
})();
</script>`;

/** Returns the script that loads the apps' script tags. */
const scriptTags = ({ domain, scriptTags }: FakeShop): string => `<script>(function() {
  function asyncLoad() {
    var urls = ${json(scriptTags.map(({ src }) => `${src}${src.includes('?') ? '&' : '?'}shop=${domain}`))};
    for (var i = 0; i < urls.length; i++) {
      var s = document.createElement('script');
      s.type = 'text/javascript';
      s.async = true;
      s.src = urls[i];
      var x = document.getElementsByTagName('script')[0];
      x.parentNode.insertBefore(s, x);
    }
  };
  window.addEventListener('load', asyncLoad, false);
})();</script>`;
