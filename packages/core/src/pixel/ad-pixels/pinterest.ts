import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const pinterest: AdPixel<'pinterest'> = defineAdPixel({
  vendor: 'pinterest',
  company: 'Pinterest',
  name: 'Pinterest tag',
  globals: ['pintrk'],
  library: { hosts: ['s.pinimg.com'], path: /\/ct\/core\.js$/, idIn: null },
  calls: {
    init: { load: { index: 0 } },
    event: { track: { index: 0 } },
    pageView: ['page'],
    consent: ['setconsent'],
  },
  initSendsPageView: false,
  id: { noun: 'tag_id', format: { pattern: /^\d{1,18}$/, description: 'up_to_18_digits' } },
  events: {
    kind: 'names',
    names: 'Checkout AddToCart PageVisit Signup WatchVideo Lead Search ViewCategory Custom'.split(' '),
    pageView: null,
    // Pinterest's own examples use `pagevisit` and `PageVisit`.
    exact: false,
  },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://developers.pinterest.com/docs/api-features/pinterest-tag/', checked: '2026-11-22' },
    id: { url: 'https://github.com/pinterest/api-description', checked: '2026-11-22' },
    events: { url: 'https://help.pinterest.com/en/business/article/add-event-codes', checked: '2026-11-22' },
    consent: { url: 'https://c15t.com/docs/integrations/pinterest-tag', checked: '2026-11-22' },
  },
});
