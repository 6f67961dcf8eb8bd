import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const x: AdPixel<'x'> = defineAdPixel({
  vendor: 'x',
  company: 'X',
  name: 'X pixel',
  globals: ['twq'],
  library: { hosts: ['static.ads-twitter.com'], path: /\/(?:uwt|oct)\.js$/, idIn: null },
  calls: {
    init: { config: { index: 0 }, init: { index: 0 } },
    event: { event: { index: 0 } },
    pageView: [],
    consent: [],
  },
  initSendsPageView: true,
  id: { noun: 'pixel_id', format: { pattern: /^[a-z0-9]{2,13}$/i, description: 'x_pixel_id_format' } },
  events: {
    kind: 'ids',
    // The API also accepts a short form of the ID: its last part, in lowercase.
    pattern: /^tw-[A-Za-z0-9]{2,13}-[A-Za-z0-9]{2,13}$|^[a-z0-9]{4,7}$/,
    noun: 'event_id',
    description: 'x_event_id_format',
  },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://opsblu.com/documentation/ad-platforms/x-ads', checked: '2026-11-22' },
    id: {
      url: 'https://developer.x.com/en/docs/x-ads-api/measurement/web-conversions/conversions',
      checked: '2026-11-22',
    },
    events: {
      url: 'https://developer.x.com/en/docs/x-ads-api/measurement/web-conversions/conversions',
      checked: '2026-11-22',
    },
    consent: { url: 'https://c15t.com/docs/integrations/x-pixel', checked: '2026-11-22' },
  },
});
