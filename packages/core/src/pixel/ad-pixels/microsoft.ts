import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const microsoft: AdPixel<'microsoft'> = defineAdPixel({
  vendor: 'microsoft',
  company: 'Microsoft',
  name: 'Microsoft UET tag',
  globals: ['uetq'],
  library: { hosts: ['bat.bing.com', 'bat.bing.net'], path: /\/bat\.js$/, idIn: null },
  calls: {
    init: {},
    event: { event: { index: 0 } },
    pageView: ['pageLoad'],
    consent: ['consent'],
    initClass: { name: 'UET', key: 'ti' },
  },
  initSendsPageView: true,
  id: { noun: 'tag_id', format: { pattern: /^\d{1,19}$/, description: 'digits_only' } },
  // The advertiser's conversion goals determine which event actions count.
  events: null,
  followsShopifyConsent: false,
  sources: {
    calls: {
      url: 'https://learn.microsoft.com/en-us/advertising/guides/uet-conversion-api-integration',
      checked: '2026-11-22',
    },
    id: {
      url: 'https://learn.microsoft.com/en-us/advertising/campaign-management-service/uettag?view=bingads-13',
      checked: '2026-11-22',
    },
    events: {
      url: 'https://learn.microsoft.com/en-us/advertising/msa-help/hlp_ba_conc_uet_parameters_table',
      checked: '2026-11-22',
    },
    consent: {
      url: 'https://help.consentmanager.net/books/cmp/page/working-with-microsoft-advertising-uet-consent-mode',
      checked: '2026-11-22',
    },
  },
});
