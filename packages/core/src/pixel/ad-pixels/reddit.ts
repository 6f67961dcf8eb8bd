import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const reddit: AdPixel<'reddit'> = defineAdPixel({
  vendor: 'reddit',
  company: 'Reddit',
  name: 'Reddit Pixel',
  globals: ['rdt'],
  library: { hosts: ['redditstatic.com'], path: /\/ads\/(?:[\w-]+\/)?pixel\.js$/, idIn: null },
  calls: {
    init: { init: { index: 0 } },
    event: { track: { index: 0 } },
    pageView: [],
    consent: [],
  },
  initSendsPageView: false,
  id: {
    noun: 'pixel_id',
    format: { pattern: /^(?:t2|a2)_[a-z0-9]+$/i, description: 'reddit_id_format' },
  },
  events: {
    kind: 'names',
    names: 'PageVisit ViewContent Search AddToCart AddToWishlist Purchase Lead SignUp Custom'.split(' '),
    pageView: 'PageVisit',
    exact: true,
  },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://github.com/reddit/reddit-gtm-template', checked: '2026-11-22' },
    id: { url: 'https://github.com/reddit/reddit-gtm-template', checked: '2026-11-22' },
    events: { url: 'https://github.com/reddit/reddit-gtm-template', checked: '2026-11-22' },
    consent: { url: 'https://github.com/reddit/reddit-gtm-template', checked: '2026-11-22' },
  },
});
