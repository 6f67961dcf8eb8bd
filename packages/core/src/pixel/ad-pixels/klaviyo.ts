import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const klaviyo: AdPixel<'klaviyo'> = defineAdPixel({
  vendor: 'klaviyo',
  company: 'Klaviyo',
  name: 'Klaviyo script',
  globals: ['klaviyo', '_learnq'],
  library: {
    hosts: ['static.klaviyo.com', 'a.klaviyo.com'],
    path: /\/klaviyo\.js$|\/media\/js\/analytics\/analytics\.js$/,
    idIn: { parameter: 'company_id', path: /\/onsite\/js\/(\w{6,7})\// },
  },
  calls: {
    init: { account: { index: 0 } },
    event: { track: { index: 0 } },
    pageView: [],
    consent: [],
  },
  initSendsPageView: false,
  id: {
    noun: 'public_api_key',
    // The documented length is six characters. Seven characters are also accepted, so that a slightly longer key isn't
    // reported.
    format: { pattern: /^[A-Za-z0-9]{6,7}$/, description: 'six_letters_or_digits' },
  },
  events: {
    kind: 'names',
    names: ['Active on Site', 'Viewed Product', 'Added to Cart', 'Started Checkout', 'Placed Order', 'Ordered Product'],
    pageView: null,
    exact: false,
  },
  followsShopifyConsent: true,
  sources: {
    calls: { url: 'https://developers.klaviyo.com/en/docs/javascript_api', checked: '2026-11-22' },
    id: { url: 'https://developers.klaviyo.com/en/docs/retrieve_api_credentials', checked: '2026-11-22' },
    events: { url: 'https://developers.klaviyo.com/en/docs/integrations-by-platform-type', checked: '2026-11-22' },
    consent: {
      url: 'https://community.klaviyo.com/product-updates-announcements-51/an-update-on-klaviyo-tracking-for-shopify-merchants-7000',
      checked: '2026-11-22',
    },
  },
});
