import { type AdPixel, defineAdPixel } from './ad-pixel.ts';

export const tiktok: AdPixel<'tiktok'> = defineAdPixel({
  vendor: 'tiktok',
  company: 'TikTok',
  name: 'TikTok pixel',
  globals: ['ttq'],
  library: {
    hosts: ['analytics.tiktok.com'],
    path: /\/i18n\/pixel\/(?:events|sdk)\.js$/,
    idIn: { parameter: 'sdkid' },
  },
  calls: {
    init: { load: { index: 0 } },
    event: { track: { index: 0 } },
    pageView: ['page'],
    consent: ['holdConsent', 'grantConsent', 'revokeConsent'],
  },
  initSendsPageView: false,
  id: { noun: 'pixel_id', format: null },
  events: {
    kind: 'names',
    // Current names and former names that TikTok still accepts.
    names: (
      'AddPaymentInfo AddToCart AddToWishlist ApplicationApproval CompleteRegistration Contact CustomizeProduct Download ' +
      'FindLocation InitiateCheckout Lead Purchase Schedule Search StartTrial SubmitApplication Subscribe ViewContent ' +
      'ClickButton CompletePayment PlaceAnOrder SubmitForm'
    ).split(' '),
    // TikTok treats these names as standard events: https://ads.tiktok.com/help/article/reserved-events
    reserved: (
      'PageView AddBilling Browse Checkout ClickForm ClickInDownloadPage ClickToDownload Consult ConsultByPhone ' +
      'Registration StartCheckout ViewConsultationPage ViewDownloadPage ViewForm'
    ).split(' '),
    pageView: null,
    exact: true,
  },
  followsShopifyConsent: false,
  sources: {
    calls: { url: 'https://github.com/nuxt/scripts/issues/166', checked: '2026-11-22' },
    id: { url: 'https://github.com/tiktok/gtm-template-pixel', checked: '2026-11-22' },
    events: { url: 'https://ads.tiktok.com/help/article/supported-standard-events', checked: '2026-11-22' },
    consent: { url: 'https://github.com/nuxt/scripts/issues/166', checked: '2026-11-22' },
  },
});
