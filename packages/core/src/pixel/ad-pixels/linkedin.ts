import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const linkedin: AdPixel<'linkedin'> = defineAdPixel({
  vendor: 'linkedin',
  company: 'LinkedIn',
  name: 'LinkedIn Insight Tag',
  globals: ['lintrk'],
  library: { hosts: ['snap.licdn.com'], path: /\/li\.lms-analytics\/insight(?:\.\w+)*\.js$/, idIn: null },
  calls: {
    init: {},
    event: { track: { index: 0, key: 'conversion_id' } },
    pageView: [],
    consent: [],
    variables: {
      names: ['_linkedin_partner_id', '_linkedin_data_partner_id'],
      list: '_linkedin_data_partner_ids',
    },
  },
  initSendsPageView: false,
  // LinkedIn accepts several comma-separated partner IDs.
  id: { noun: 'partner_id', format: { pattern: /^\d{1,19}(?:,\s?\d{1,19}){0,20}$/, description: 'digits_only' } },
  events: { kind: 'ids', pattern: /^\d{1,19}$/, noun: 'conversion_id', description: 'digits_only' },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://github.com/combindma/laravel-linkedin-insight-tag', checked: '2026-11-22' },
    id: { url: 'https://github.com/linkedin/linkedin-gtm-community-template', checked: '2026-11-22' },
    events: { url: 'https://github.com/linkedin/linkedin-gtm-community-template', checked: '2026-11-22' },
    consent: { url: 'https://www.consentstack.io/vendors/linkedin', checked: '2026-11-22' },
  },
});
