import type { Beacon, SentRequest } from '../beacon.ts';

/** A request and the event that it reports. The IDs are fictitious. */
export type Sample = SentRequest &
  Pick<Beacon, 'vendor' | 'product' | 'id' | 'event' | 'event_id'> & {
    readonly data?: Readonly<Record<string, unknown>>;
    readonly purposes?: Beacon['consent']['purposes'];
    readonly personal?: readonly string[];
  };

const query = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

const DENIED = { ad_storage: 'denied', analytics_storage: 'denied' } as const;
const GRANTED = { ad_storage: 'granted', analytics_storage: 'granted' } as const;

const META = { vendor: 'meta', product: 'meta_pixel', id: '123456789012345' } as const;
const meta = {
  id: META.id,
  ev: 'Purchase',
  eid: 'order-1',
  'cd[value]': '12.50',
  'cd[currency]': 'USD',
  'ud[em]': 'hashed',
  dpo: 'LDU',
};
const form = Object.entries(meta)
  .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
  .join('');

const GA4 = { vendor: 'google', product: 'ga4', id: 'G-ABCDEFGH12' } as const;
const ga4 = { v: '2', tid: GA4.id, gcs: 'G100', gcd: '13p3p3p3p5l1', _p: '1' };
const AD = { product: 'ad_pixel' } as const;

/** Sample requests in each vendor's documented formats. */
export const SAMPLES: readonly Sample[] = [
  {
    ...{
      url: `https://www.facebook.com/tr/?${query(meta)}`,
      body: null,
      ...META,
      event: 'Purchase',
      event_id: 'order-1',
    },
    ...{ data: { value: '12.50', currency: 'USD' }, personal: ['em'] },
  },
  {
    ...{
      url: 'https://www.facebook.com/tr/',
      body: `${form}--x--\r\n`,
      ...META,
      event: 'Purchase',
      event_id: 'order-1',
    },
    ...{ data: { value: '12.50', currency: 'USD' }, personal: ['em'] },
  },
  {
    url: `https://region1.google-analytics.com/g/collect?${query({ ...ga4, en: 'add_to_cart', cu: 'USD', 'epn.value': '5', pr1: 'idA~nmShirt' })}`,
    ...{ body: null, ...GA4, event: 'add_to_cart', event_id: null, data: { currency: 'USD', value: 5 } },
    purposes: { ...DENIED, ad_user_data: 'denied', ad_personalization: 'denied' },
  },
  {
    url: `https://metrics.shop.example/g/collect?${query({ ...ga4, gcs: 'G111', gcd: '13r3r3r3r5l1' })}`,
    body: 'en=page_view&ep.event_id=1',
    ...{ ...GA4, event: 'page_view', event_id: '1' },
    purposes: { ...GRANTED, ad_user_data: 'granted', ad_personalization: 'granted' },
  },
  {
    url: `https://www.google-analytics.com/j/collect?${query({ v: '1', tid: 'UA-123456-1', t: 'event', ea: 'click', ec: 'nav', gcs: 'G100' })}`,
    ...{
      body: null,
      vendor: 'google',
      product: 'universal_analytics',
      id: 'UA-123456-1',
      event: 'click',
      event_id: null,
    },
    ...{ data: { event_category: 'nav' }, purposes: DENIED },
  },
  {
    url: `https://googleads.g.doubleclick.net/pagead/viewthroughconversion/123456789/?${query({ data: 'event=gtag.config', gcs: 'G111' })}`,
    ...{
      body: null,
      vendor: 'google',
      product: 'google_ads',
      id: 'AW-123456789',
      event: 'gtag.config',
      event_id: null,
    },
    purposes: GRANTED,
  },
  {
    url: `https://www.googleadservices.com/pagead/conversion/123456789/?${query({ label: 'AbC', value: '3', currency_code: 'USD', oid: '77' })}`,
    ...{ body: null, vendor: 'google', product: 'google_ads', id: 'AW-123456789', event: 'conversion', event_id: '77' },
    data: { label: 'AbC', value: '3', currency: 'USD', transaction_id: '77' },
  },
  {
    url: `https://www.google.com/ccm/collect?${query({ tid: 'AW-123456789', en: 'page_view', gcs: 'G101' })}`,
    ...{ body: null, vendor: 'google', product: 'google_ads', id: 'AW-123456789', event: 'page_view', event_id: null },
    purposes: { ad_storage: 'denied', analytics_storage: 'granted' },
  },
  {
    url: 'https://ad.doubleclick.net/activity;src=1234567;type=sales;cat=shop;ord=1',
    ...{ body: null, vendor: 'google', product: 'floodlight', id: 'DC-1234567', event: 'sales', event_id: null },
  },
  {
    url: 'https://analytics.tiktok.com/api/v2/pixel',
    body: JSON.stringify({
      ...{ event: 'AddToCart', event_id: 't-1', properties: { value: 5, currency: 'USD' } },
      context: { pixel: { code: 'CABCDEFGHIJKLMNOPQRS' }, user: { email: 'hashed' } },
    }),
    ...{ ...AD, vendor: 'tiktok', id: 'CABCDEFGHIJKLMNOPQRS', event: 'AddToCart', event_id: 't-1' },
    ...{ data: { value: 5, currency: 'USD' }, personal: ['email'] },
  },
  {
    url: `https://ct.pinterest.com/v3/?${query({ tid: '2612345678901', event: 'addtocart', ed: '{"value":5,"currency":"USD","event_id":"p-1"}', 'pd[em]': 'hashed' })}`,
    ...{ body: null, ...AD, vendor: 'pinterest', id: '2612345678901', event: 'addtocart', event_id: 'p-1' },
    ...{ data: { value: 5, currency: 'USD' }, personal: ['em'] },
  },
  {
    url: 'https://a.klaviyo.com/client/events/?company_id=AbC123',
    body: JSON.stringify({
      data: {
        type: 'event',
        attributes: {
          ...{ unique_id: 'k-1', properties: { ProductName: 'Shirt' } },
          metric: { data: { type: 'metric', attributes: { name: 'Viewed Product' } } },
          profile: { data: { type: 'profile', attributes: { email: 'hashed' } } },
        },
      },
    }),
    ...{ ...AD, vendor: 'klaviyo', id: 'AbC123', event: 'Viewed Product', event_id: 'k-1' },
    ...{ data: { ProductName: 'Shirt' }, personal: ['email'] },
  },
  {
    // {"token":"AbC123","event":"Active on Site"}
    url: 'https://a.klaviyo.com/api/track?data=eyJ0b2tlbiI6IkFiQzEyMyIsImV2ZW50IjoiQWN0aXZlIG9uIFNpdGUifQ%3D%3D',
    ...{ body: null, ...AD, vendor: 'klaviyo', id: 'AbC123', event: 'Active on Site', event_id: null },
  },
  {
    url: 'https://tr.snapchat.com/p',
    body: query({
      pid: '12345678-1234-1234-1234-123456789abc',
      ev: 'PURCHASE',
      e_pr: '5',
      e_cur: 'USD',
      u_hem: 'hashed',
    }),
    ...{ ...AD, vendor: 'snapchat', id: '12345678-1234-1234-1234-123456789abc', event: 'PURCHASE', event_id: null },
    ...{ data: { price: '5', currency: 'USD' }, personal: ['u_hem'] },
  },
  {
    url: `https://bat.bing.com/action/0?${query({ ti: '12345678', evt: 'custom', ea: 'purchase', gv: '5', gc: 'USD', asc: 'D' })}`,
    ...{ body: null, ...AD, vendor: 'microsoft', id: '12345678', event: 'purchase', event_id: null },
    ...{ data: { revenue_value: '5', currency: 'USD' }, purposes: { ad_storage: 'denied' } },
  },
  {
    url: `https://t.co/1/i/adsct?${query({ txn_id: 'o8z6j', event_id: 'x-1', events: '[["pageview",{"value":"5"}]]' })}`,
    ...{ body: null, ...AD, vendor: 'x', id: 'o8z6j', event: 'pageview', event_id: 'x-1', data: { value: '5' } },
  },
  {
    url: `https://alb.reddit.com/rp.gif?${query({ id: 't2_abc', event: 'PageVisit', 'm.value': '5', 'm.conversionId': 'r-1', em: 'hashed' })}`,
    ...{ body: null, ...AD, vendor: 'reddit', id: 't2_abc', event: 'PageVisit', event_id: 'r-1' },
    ...{ data: { value: '5' }, personal: ['em'] },
  },
  {
    url: `https://px.ads.linkedin.com/collect/?${query({ v: '2', fmt: 'js', pid: '12345', conversionId: '678' })}`,
    ...{ body: null, ...AD, vendor: 'linkedin', id: '12345', event: '678', event_id: null },
  },
];
