import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const snapchat: AdPixel<'snapchat'> = defineAdPixel({
  vendor: 'snapchat',
  company: 'Snapchat',
  name: 'Snap Pixel',
  globals: ['snaptr'],
  library: { hosts: ['sc-static.net'], path: /\/scevent(?:\.min)?\.js$/, idIn: null },
  calls: {
    init: { init: { index: 0 } },
    event: { track: { index: 0 } },
    pageView: [],
    consent: [],
  },
  initSendsPageView: false,
  id: {
    noun: 'pixel_id',
    format: {
      pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
      description: 'uuid',
    },
  },
  events: {
    kind: 'names',
    names: (
      'APP_INSTALL PURCHASE SAVE START_CHECKOUT ADD_CART VIEW_CONTENT ADD_BILLING SIGN_UP SEARCH LEVEL_COMPLETE APP_OPEN ' +
      'PAGE_VIEW SUBSCRIBE AD_CLICK AD_VIEW COMPLETE_TUTORIAL INVITE LOGIN SHARE RESERVE ACHIEVEMENT_UNLOCKED ' +
      'ADD_TO_WISHLIST SPENT_CREDITS RATE START_TRIAL LIST_VIEW ' +
      'CUSTOM_EVENT_1 CUSTOM_EVENT_2 CUSTOM_EVENT_3 CUSTOM_EVENT_4 CUSTOM_EVENT_5'
    ).split(' '),
    pageView: 'PAGE_VIEW',
    exact: true,
  },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://docs.tealium.com/client-side-tags/snap-pixel-tag', checked: '2026-11-22' },
    id: {
      url: 'https://developers.snap.com/api/marketing-api/Ads-API/audience-creation/website-events',
      checked: '2026-11-22',
    },
    events: {
      url: 'https://developers.snap.com/api/marketing-api/Ads-API/audience-creation/website-events',
      checked: '2026-11-22',
    },
    consent: { url: 'https://c15t.com/docs/integrations/snapchat-pixel', checked: '2026-11-22' },
  },
});
