import { JOURNEY_STEPS } from '@compliance/core/pixel';
import type { KnownShop } from './shop.ts';

const META = '918273645546372';
const OTHER_META = '827364554637281';
const GA4 = 'G-ABCDEFGH12';
/** Expected initiator of the events that the Google tag sends for the page's calls. */
const GOOGLE_TAG = `container ${GA4}`;
const TIKTOK = 'CABCDEFGHIJKLMNOPQRS';

const FBEVENTS = '//connect.facebook.net/en_US/fbevents.js';

const metaBase = (library = FBEVENTS): string =>
  `!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};
if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;
s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','${library}');`;

const PRODUCT = "{ content_ids: ['1'], content_type: 'product', value: 12, currency: 'USD' }";
/** Returns code that reports product views, searches, and items added to the cart. */
const metaShopEvents = (data = PRODUCT): string => `
if (location.pathname.startsWith('/products/')) fbq('track', 'ViewContent', ${PRODUCT});
if (location.pathname === '/search') fbq('track', 'Search');
document.addEventListener('cart:add', () => fbq('track', 'AddToCart', ${data}));`;

const meta = (more = '', id = META): string =>
  `<script>${metaBase()} fbq('init', '${id}'); fbq('track', 'PageView');${more}</script>`;

const GTAG_LIBRARY = `<script async src="//www.googletagmanager.com/gtag/js?id=${GA4}"></script>`;
const GTAG = 'window.dataLayer = window.dataLayer || []; function gtag(){dataLayer.push(arguments)}';
const DENIED =
  "gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });";
const GRANTED =
  "gtag('consent', 'update', { ad_storage: 'granted', analytics_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'granted' });";
const CONFIG = `gtag('js', new Date()); gtag('config', '${GA4}');`;
const ITEM = "{ value: 12, currency: 'USD', items: [{ item_id: '1', item_name: 'Mug' }] }";
const googleShopEvents = `
if (location.pathname.startsWith('/products/')) gtag('event', 'view_item', ${ITEM});
if (location.pathname === '/cart') gtag('event', 'view_cart', ${ITEM});
if (location.pathname === '/search') gtag('event', 'search', { search_term: 'mug' });
document.addEventListener('cart:add', () => gtag('event', 'add_to_cart', ${ITEM}));`;

/** Returns JavaScript that runs the given code once the visitor allows marketing. */
const onConsent = (code: string): string => `
const start = () => { ${code} };
if (Shopify.customerPrivacy.marketingAllowed()) start();
document.addEventListener('visitorConsentCollected', event => event.detail.marketingAllowed && start());`;

const tiktokBeacon = (event: string): string =>
  `fetch('https://analytics.tiktok.com/api/v2/pixel', { method: 'POST', body: JSON.stringify({ event: '${event}', context: { pixel: { code: '${TIKTOK}' } } }) })`;
const pinterestBeacon = "new Image().src = 'https://ct.pinterest.com/v3/?event=pagevisit&tid=2612345678901'";

/** Beacons from vendors that no other shop uses, and the events in them. */
const OTHER_BEACONS = [
  'https://googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?en=page_view',
  'https://tr.snapchat.com/p?pid=ab12cd34-0000-4000-8000-123456789012&ev=PAGE_VIEW',
  'https://analytics.twitter.com/i/adsct?txn_id=o1abc&events=[["pageview",null]]',
  'https://alb.reddit.com/rp.gif?id=t2_abcdefg&event=PageVisit',
  'https://px.ads.linkedin.com/collect/?pid=1234567',
].map(url => `new Image().src = '${url}'`);
OTHER_BEACONS.push(
  `fetch('https://a.klaviyo.com/client/events/?company_id=ABC123', { method: 'POST', body: JSON.stringify({ data: { attributes: { metric: { data: { attributes: { name: 'Viewed Product' } } } } } }) })`,
);
const OTHER_EVENTS = [
  ...['google page_view', 'snapchat PAGE_VIEW', 'x pageview', 'reddit PageVisit', 'linkedin PageView'],
  'klaviyo Viewed Product',
];
const twice = (events: readonly string[]): string[] => [...events, ...events];

const webPixels = (id: string): string =>
  `<script>boot = () => {}; boot({webPixelsConfigList: [{"id":"1","configuration":"{\\"pixel_id\\":\\"${id}\\",\\"pixel_type\\":\\"facebook_pixel\\"}","runtimeContext":"STRICT","type":"APP","apiClientId":2329312,"privacyPurposes":["ANALYTICS","MARKETING"]}]})</script>`;
const pixelBeacon = (event: string, more = ''): string =>
  `new Image().src = 'https://www.facebook.com/tr/?id=${META}&ev=${event}${more}';`;

/** Returns the markup of a banner that autoconsent has a rule for, and the code behind its buttons. */
const banner = (markup: string, accept: string, deny: string): string => `${markup}<script>
{
  const allowed = JSON.parse(localStorage.getItem('banner') || 'null');
  const root = document.currentScript.previousElementSibling;
  const choose = yes => {
    localStorage.setItem('banner', yes);
    root.remove();
    document.dispatchEvent(new CustomEvent('banner:choice', { detail: yes }));
  };
  if (allowed !== null) root.remove();
  else {
    root.querySelector('${accept}').onclick = () => choose(true);
    root.querySelector('${deny}').onclick = () => choose(false);
  }
}
</script>`;
const onBanner = (code: string): string => `<script>
{
  const start = () => { ${code} };
  if (localStorage.getItem('banner') === 'true') start();
  document.addEventListener('banner:choice', event => event.detail && start());
}
</script>`;

const always = (...events: string[]) => ({ 'load page': events, 'deny page': events, 'accept page': events });

/** Shops with known traffic. Each shop covers a case that the others don't. */
export const KNOWN_SHOPS: readonly KnownShop[] = [
  {
    title: 'a Meta pixel ignores the visitor’s choice, on every page of the journey',
    head: meta(metaShopEvents()),
    journey: JOURNEY_STEPS,
    truth: {
      sent: Object.fromEntries(
        ['load', 'deny', 'accept'].flatMap(phase => [
          [`${phase} page`, ['meta PageView from page']],
          ...(phase === 'load'
            ? []
            : [
                [`${phase} product`, ['meta PageView from page', 'meta ViewContent from page']],
                [`${phase} add_to_cart`, ['meta AddToCart from page']],
                [`${phase} cart`, ['meta PageView from page']],
                [`${phase} search`, ['meta PageView from page', 'meta Search from page']],
              ]),
        ]),
      ),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_missing_event_id: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'a Meta pixel waits for consent, in a way that the scan recognizes',
    head: `<script>${onConsent(`${metaBase()} fbq('init', '${META}'); fbq('track', 'PageView');`)}</script>`,
    truth: { sent: { 'accept page': ['meta PageView from page', 'meta PageView from page'] } },
  },
  {
    title: 'a Meta pixel waits for consent, in a way that the scan can’t recognize',
    head: meta(),
    consentApp: `if (!Shopify.customerPrivacy.marketingAllowed()) {
      const { insertBefore } = Node.prototype;
      Node.prototype.insertBefore = function (node, place) {
        return /facebook/.test(node.src) ? node : insertBefore.call(this, node, place);
      };
    }`,
    truth: {
      sent: { 'accept page': ['meta PageView from page'] },
      verdicts: { shopify_consent_bypass: 'refuted' },
    },
  },
  {
    title: 'a Meta base code is installed twice',
    head: meta() + meta(),
    truth: {
      sent: always('meta PageView from page', 'meta PageView from page'),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_duplicate_init: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta', 'duplicate_event meta'],
    },
  },
  {
    title: 'a Meta pixel is initialized twice, but sends each event once',
    head: meta(` fbq('init', '${META}');`),
    truth: {
      sent: always('meta PageView from page'),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_duplicate_init: 'refuted' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'a Google tag follows consent mode, through the whole journey',
    head: `${GTAG_LIBRARY}<script>${GTAG} ${DENIED} if (Shopify.customerPrivacy.marketingAllowed()) ${GRANTED} ${CONFIG}${googleShopEvents}</script>`,
    journey: JOURNEY_STEPS,
    truth: {
      sent: {
        ...always(`google page_view from ${GOOGLE_TAG}`),
        ...Object.fromEntries(
          ['deny', 'accept'].flatMap(phase => [
            [`${phase} product`, [`google page_view from ${GOOGLE_TAG}`, `google view_item from ${GOOGLE_TAG}`]],
            [`${phase} add_to_cart`, [`google add_to_cart from ${GOOGLE_TAG}`]],
            [`${phase} cart`, [`google page_view from ${GOOGLE_TAG}`, `google view_cart from ${GOOGLE_TAG}`]],
            [`${phase} search`, [`google page_view from ${GOOGLE_TAG}`, `google search from ${GOOGLE_TAG}`]],
          ]),
        ),
      },
    },
  },
  {
    title: 'a Google tag has no consent default',
    head: `${GTAG_LIBRARY}<script>${GTAG} ${CONFIG}</script>`,
    truth: {
      sent: always(`google page_view from ${GOOGLE_TAG}`),
      verdicts: { shopify_consent_bypass: 'confirmed', google_consent_default_missing: 'confirmed' },
      traffic: ['sent_before_choice google', 'sent_after_denial google'],
    },
  },
  {
    title: 'the consent default is in a file that the scan didn’t read',
    head: `${GTAG_LIBRARY}<script>${GTAG} ${CONFIG}</script>`,
    consentApp: `${GTAG} ${DENIED}`,
    truth: {
      sent: always(`google page_view from ${GOOGLE_TAG}`),
      verdicts: { shopify_consent_bypass: 'refuted', google_consent_default_missing: 'refuted' },
    },
  },
  {
    title: 'a container sends Meta events before a choice',
    head: '',
    container: {
      id: 'GTM-ABC1234',
      tags: [
        {
          function: '__html',
          vtp_html: `<script type="text/gtmscript">fbq('init','${META}');fbq('track','PageView')</script>`,
        },
      ],
      code: `${metaBase()} fbq('init', '${META}'); fbq('track', 'PageView');`,
    },
    truth: {
      sent: always('meta PageView from container GTM-ABC1234'),
      verdicts: { shopify_consent_bypass: 'confirmed', gtm_tag_without_consent: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'a container and the theme send the same Google event',
    head: `${GTAG_LIBRARY}<script>${GTAG} ${DENIED} ${CONFIG}</script>`,
    container: {
      id: 'GTM-DEF5678',
      tags: [{ function: '__googtag', vtp_tagId: GA4 }],
      code: `navigator.sendBeacon('https://www.google-analytics.com/g/collect?v=2&gcs=G100&tid=${GA4}&en=page_view');`,
    },
    truth: {
      sent: always('google page_view from container GTM-DEF5678', `google page_view from ${GOOGLE_TAG}`),
      verdicts: { google_tag_duplicate_config: 'confirmed' },
      traffic: ['duplicate_event google'],
    },
  },
  {
    title: 'the theme and an app’s web pixel send the same Meta event',
    head: meta() + webPixels(META),
    webPixel: pixelBeacon('PageView'),
    truth: {
      sent: always('meta PageView from page', 'meta PageView from web_pixel'),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_app_duplicate: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta', 'duplicate_event meta'],
    },
  },
  {
    title: 'the theme and an app’s web pixel share their event IDs',
    head: `<script>${metaBase()} fbq('init', '${META}'); fbq('track', 'PageView', {}, { eventID: 'view-1' });</script>${webPixels(META)}`,
    webPixel: pixelBeacon('PageView', '&eid=view-1'),
    truth: {
      sent: always('meta PageView from page', 'meta PageView from web_pixel'),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_app_duplicate: 'refuted' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'an app’s web pixel sends events from a worker',
    head: meta() + webPixels(META),
    appPixel: `fetch('https://www.facebook.com/tr/?id=${META}&ev=PageView', { mode: 'no-cors' });
setTimeout(() => fetch('https://www.facebook.com/tr/?id=${META}&ev=Contact', { mode: 'no-cors' }), 50);`,
    truth: {
      sent: always('meta PageView from page', 'meta PageView from web_pixel', 'meta Contact from web_pixel'),
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_app_duplicate: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta', 'duplicate_event meta'],
    },
  },
  {
    title: 'TikTok ignores the choice, and other vendors wait for it',
    head: `<script>${tiktokBeacon('Pageview')}; ${onConsent([pinterestBeacon, ...OTHER_BEACONS].join(';'))}</script>`,
    truth: {
      sent: {
        'load page': ['tiktok Pageview from page'],
        'deny page': ['tiktok Pageview from page'],
        'accept page': [
          ...twice(['pinterest pagevisit', ...OTHER_EVENTS].map(sent => `${sent} from page`)),
          'tiktok Pageview from page',
        ],
      },
      traffic: [
        ...['sent_before_choice tiktok', 'sent_after_denial tiktok', 'unknown_tag pinterest', 'unknown_tag tiktok'],
        ...['google', 'klaviyo', 'linkedin', 'reddit', 'snapchat', 'x'].map(vendor => `unknown_tag ${vendor}`),
      ],
    },
  },
  {
    title: 'an event has invalid data',
    head: meta(metaShopEvents("{ value: '$12', currency: 'USD' }")),
    journey: ['product', 'add_to_cart'],
    truth: {
      sent: {
        ...always('meta PageView from page'),
        'deny product': ['meta PageView from page', 'meta ViewContent from page'],
        'deny add_to_cart': ['meta AddToCart from page'],
        'accept product': ['meta PageView from page', 'meta ViewContent from page'],
        'accept add_to_cart': ['meta AddToCart from page'],
      },
      verdicts: {
        ...{ shopify_consent_bypass: 'confirmed', meta_pixel_missing_event_id: 'confirmed' },
        meta_pixel_invalid_event_data: 'confirmed',
      },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta', 'invalid_event_data meta'],
    },
  },
  {
    title: 'the classic product form opens the cart, and the pixel doesn’t report it',
    head: meta(),
    classicForm: true,
    journey: ['product', 'add_to_cart', 'cart'],
    truth: {
      sent: Object.fromEntries(
        [
          'load page',
          ...['deny', 'accept'].flatMap(phase =>
            ['page', 'product', 'add_to_cart', 'cart'].map(step => `${phase} ${step}`),
          ),
        ].map(at => [at, ['meta PageView from page']]),
      ),
      verdicts: { shopify_consent_bypass: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta', 'missing_event meta', 'missing_event meta'],
    },
  },
  {
    title: 'the page’s content security policy blocks Meta',
    head: `<script>fbq = () => {}; new Image().src = 'https://www.facebook.com/tr/?id=${META}&ev=PageView';</script>`,
    headers: { 'content-security-policy': "img-src 'self'" },
    truth: { sent: {}, traffic: ['blocked_by_policy meta'] },
  },
  {
    title: 'the URL of a vendor’s library no longer works',
    head: `<script>${metaBase('//connect.facebook.net/en_US/old/fbds2.js')} fbq('init', '${META}'); fbq('track', 'PageView');</script>`,
    truth: { sent: {}, traffic: ['dead_request meta'] },
  },
  {
    title: 'Universal Analytics still runs',
    head: `<script>window.ga = window.ga || function(){(ga.q = ga.q || []).push(arguments)}; ga('create', 'UA-12345-1', 'auto'); ga('send', 'pageview');
      new Image().src = 'https://www.google-analytics.com/collect?v=1&t=pageview&tid=UA-12345-1';</script>`,
    truth: {
      sent: always('google pageview from page'),
      verdicts: { ga_analytics_js_legacy: 'confirmed' },
      traffic: ['sent_before_choice google', 'sent_after_denial google'],
    },
  },
  {
    title: 'Pandectes’ banner blocks a pixel until the visitor accepts',
    head: onBanner(`${metaBase()} fbq('init', '${META}'); fbq('track', 'PageView');`),
    foot: banner(
      '<div id="pandectes-banner"><button class="cc-allow">Accept</button><button class="cc-deny">Decline</button></div>',
      ...(['.cc-allow', '.cc-deny'] as const),
    ),
    truth: {
      decision: 'banner',
      sent: { 'accept page': ['meta PageView from page', 'meta PageView from page'] },
      verdicts: { shopify_consent_bypass: 'refuted', meta_pixel_duplicate_init: 'refuted' },
    },
  },
  {
    title: 'OneTrust’s banner doesn’t block a pixel',
    head: meta(),
    foot: banner(
      '<div id="onetrust-banner-sdk"><button id="onetrust-accept-btn-handler">Accept</button><button id="onetrust-reject-all-handler">Reject</button></div>',
      ...(['#onetrust-accept-btn-handler', '#onetrust-reject-all-handler'] as const),
    ),
    truth: {
      decision: 'banner',
      sent: always('meta PageView from page'),
      verdicts: { shopify_consent_bypass: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'a worker in a sandboxed frame sends an event that the page’s code doesn’t show',
    head: '',
    foot: `<iframe sandbox="allow-scripts" srcdoc="<script>new Worker(URL.createObjectURL(new Blob(['fetch(&quot;https://bat.bing.com/action/0?ti=12345678&evt=pageLoad&quot;)'])))</script>"></iframe>`,
    truth: {
      sent: always('microsoft pageLoad from page'),
      traffic: ['sent_before_choice microsoft', 'sent_after_denial microsoft', 'unknown_tag microsoft'],
    },
  },
  {
    title: 'robots.txt doesn’t allow the cart and the search',
    head: meta(metaShopEvents(), OTHER_META),
    robots: 'User-agent: *\nDisallow: /cart\nDisallow: /search',
    journey: JOURNEY_STEPS,
    truth: {
      sent: {
        ...always('meta PageView from page'),
        'deny product': ['meta PageView from page', 'meta ViewContent from page'],
        'accept product': ['meta PageView from page', 'meta ViewContent from page'],
      },
      skipped: { add_to_cart: 'robots', cart: 'robots', search: 'robots' },
      verdicts: { shopify_consent_bypass: 'confirmed', meta_pixel_missing_event_id: 'confirmed' },
      traffic: ['sent_before_choice meta', 'sent_after_denial meta'],
    },
  },
  {
    title: 'the product form asks for an email address',
    head: '',
    productForm: '<input name="properties[Email]" type="email">',
    journey: ['add_to_cart'],
    truth: { sent: {}, skipped: { add_to_cart: 'personal_data' } },
  },
  {
    title: 'the product is sold out, and tracking links lead to the checkout',
    head: "<script>if (location.pathname === '/products/mug') setTimeout(() => { location.href = '/checkouts/cn/1'; }, 50);</script>",
    productForm: '<fieldset disabled>',
    journey: ['product', 'add_to_cart'],
    truth: { sent: {}, skipped: { add_to_cart: 'not_found' } },
  },
];
