import { describe, expect, it } from 'vitest';
import { term } from '../model/message.ts';
import { EVALUATED_RULES, evaluateFinding } from './evaluate-finding.ts';
import { renderedPage, type Sent } from './testing/rendered-page.ts';

const META_ID = '918273645546372';
const OTHER_META_ID = '827364554637281';
const meta = (event = 'PageView', more = '', id = META_ID) =>
  `https://www.facebook.com/tr/?id=${id}&ev=${event}${more}`;
const GA4_ID = 'G-ABCDEFGH12';
const ga4 = (event = 'page_view', more = '', id = GA4_ID) =>
  `https://www.google-analytics.com/g/collect?v=2&tid=${id}&en=${event}${more}`;
const UA = 'https://www.google-analytics.com/collect?v=1&t=pageview&tid=UA-12345-1';
const PINTEREST = 'https://ct.pinterest.com/v3/?event=pagevisit&tid=2612345678901';
const snap = (event: string) => `https://tr.snapchat.com/p?pid=ab12cd34-0000-4000-8000-123456789012&ev=${event}`;
const SNAP_ID = 'ab12cd34-0000-4000-8000-123456789012';
const fromPixel = { initiator: { kind: 'web_pixel' } } as const;
const fromGtm = { initiator: { kind: 'container', id: 'GTM-ABC1234' } } as const;
const fromPage = {};

/** Requests that result in each verdict. Verdicts that can't result from any events are omitted. */
interface Case {
  readonly ids: readonly string[];
  readonly pixel?: 'snapchat' | 'pinterest';
  readonly confirmed?: readonly Sent[];
  readonly refuted?: readonly Sent[];
  readonly unseen: readonly Sent[];
}

const consent = (ids: readonly string[], url: string, more: NonNullable<Sent[2]> = {}): Case => ({
  ids,
  confirmed: [['deny', url, more]],
  refuted: [['accept', url, more]],
  unseen: [],
});
const signals = (ids: readonly string[]): Case => ({
  ids,
  confirmed: [['accept', ga4()]],
  refuted: [['load', ga4('page_view', '&gcs=G100')]],
  unseen: [['accept', ga4('page_view', '&gcs=G111')]],
});
const duplicate = (ids: readonly string[], url: string, other: NonNullable<Sent[2]> = {}): Case => ({
  ids,
  confirmed: [
    ['load', url],
    ['load', url, other],
  ],
  refuted:
    ids.includes('GTM-ABC1234') && ids.length === 1
      ? [['load', url, other]]
      : [
          ['load', url],
          ['accept', url, other],
        ],
  unseen: [],
});
const twoSenders = (id: string, url: string, second: NonNullable<Sent[2]>): Case => ({
  ids: [id],
  confirmed: [
    ['load', url, fromPage],
    ['load', url, second],
  ],
  refuted: [
    ['load', `${url}&eid=1&ep.event_id=1`, fromPage],
    ['load', `${url}&eid=1&ep.event_id=1`, second],
  ],
  unseen: [['load', url]],
});
const silent = (ids: readonly string[], url: string): Case => ({ ids, refuted: [['load', url]], unseen: [] });
const sent = (id: string, url: string): Case => ({ ids: [id], confirmed: [['load', url]], unseen: [] });

const CASES: Readonly<Record<string, Case>> = {
  shopify_consent_bypass: consent([META_ID], meta()),
  ad_pixel_without_consent: { ...consent(['2612345678901'], PINTEREST), pixel: 'pinterest' },
  meta_pixel_consent_order: consent([], meta()),
  gtm_tag_without_consent: consent(['GTM-ABC1234'], meta(), fromGtm),
  google_consent_default_missing: signals([]),
  google_consent_default_late: signals([GA4_ID]),
  meta_pixel_duplicate_init: duplicate([META_ID], meta()),
  ad_pixel_duplicate: { ...duplicate([SNAP_ID], snap('PAGE_VIEW')), pixel: 'snapchat' },
  google_tag_duplicate_config: duplicate([GA4_ID], ga4()),
  gtm_duplicate_container: {
    ...duplicate(['GTM-ABC1234'], meta(), fromGtm),
    confirmed: [
      ['load', meta(), fromGtm],
      ['load', meta(), fromGtm],
    ],
  },
  gtm_and_hardcoded_google_tag: duplicate([GA4_ID, 'GTM-ABC1234'], ga4(), fromGtm),
  meta_pixel_app_duplicate: twoSenders(META_ID, meta(), fromPixel),
  ga4_app_duplicate: twoSenders(GA4_ID, ga4(), fromPixel),
  gtm_tag_duplicate: twoSenders(GA4_ID, ga4(), fromGtm),
  google_tag_never_configured: silent([GA4_ID], ga4()),
  google_tag_config_without_loader: silent([GA4_ID], ga4()),
  meta_pixel_track_without_init: silent([], meta()),
  meta_pixel_noscript_only: silent([META_ID], meta()),
  ad_pixel_missing_base_code: { ...silent([], snap('PAGE_VIEW')), pixel: 'snapchat' },
  meta_pixel_invalid_id: sent('123', meta('PageView', '', '123')),
  ad_pixel_malformed_id: { ...sent('2612345678901', PINTEREST), pixel: 'pinterest' },
  google_placeholder_id: sent('G-XXXXXXXXXX', ga4('page_view', '', 'G-XXXXXXXXXX')),
  ga_universal_id: sent('UA-12345-1', UA),
  ga_analytics_js_legacy: sent('UA-12345-1', UA),
  gtm_universal_analytics_tag: sent('UA-12345-1', UA),
  meta_pixel_nonstandard_event: { ...sent('addToCart', meta('addToCart')), unseen: [['load', meta()]] },
  ga4_misspelled_event: { ...sent('add_to_chart', ga4('add_to_chart')), unseen: [['load', ga4()]] },
  ad_pixel_misspelled_event: {
    ...{ ...sent('ADD_CARD', snap('ADD_CARD')), pixel: 'snapchat' },
    unseen: [['load', snap('PAGE_VIEW')]],
  },
  purchase_event_on_ordinary_page: { ...sent(META_ID, meta('Purchase')), unseen: [['load', meta()]] },
  meta_pixel_multiple_ids: {
    ids: [META_ID, OTHER_META_ID],
    confirmed: [
      ['load', meta()],
      ['load', meta('PageView', '', OTHER_META_ID)],
    ],
    unseen: [['load', meta()]],
  },
  ga4_multiple_ids: {
    ids: [GA4_ID, 'G-OTHER12345'],
    confirmed: [
      ['load', ga4()],
      ['load', ga4('page_view', '', 'G-OTHER12345')],
    ],
    unseen: [['load', ga4()]],
  },
  meta_pixel_missing_pageview: {
    ids: [META_ID],
    confirmed: [['accept', meta('ViewContent')]],
    refuted: [['load', meta()]],
    unseen: [['load', meta('ViewContent')]],
  },
  meta_pixel_missing_event_id: {
    ids: ['AddToCart'],
    confirmed: [['accept', meta('AddToCart')]],
    refuted: [['accept', meta('AddToCart', '&eid=1')]],
    unseen: [['accept', meta()]],
  },
  meta_pixel_invalid_event_data: {
    ids: ['Purchase', 'value'],
    confirmed: [['accept', meta('Purchase', '&cd[value]=$12&cd[currency]=USD')]],
    refuted: [['accept', meta('Purchase', '&cd[value]=12&cd[currency]=USD')]],
    unseen: [['accept', meta()]],
  },
  ga4_invalid_event_data: {
    ids: ['purchase', 'value'],
    confirmed: [['accept', ga4('purchase', '&ep.value=free')]],
    refuted: [['accept', ga4('purchase', '&epn.value=12')]],
    unseen: [['accept', ga4()]],
  },
};

const findingOf = (rule_id: string, { ids, pixel }: Pick<Case, 'ids' | 'pixel'>) => ({
  ...{ rule_id, ids },
  ...(pixel && { message_values: { pixel: term(`ad_pixel_${pixel}`) } }),
});
const verdictOf = (rule_id: string, { ids, pixel }: Case, events: readonly Sent[], recording = {}) =>
  evaluateFinding(findingOf(rule_id, { ids, ...(pixel && { pixel }) }), renderedPage(events, recording)).verdict;

describe('a finding', () => {
  it('has a test case if traffic can confirm or refute it', () => {
    expect(Object.keys(CASES).sort()).toEqual([...EVALUATED_RULES].sort());
  });

  it.each(Object.entries(CASES))('gets the verdict that the traffic supports: %s', (rule, each) => {
    const { confirmed, refuted, unseen } = each;
    if (confirmed) expect(verdictOf(rule, each, confirmed)).toBe('confirmed');
    if (refuted) expect(verdictOf(rule, each, refuted)).toBe('refuted');
    expect(verdictOf(rule, each, unseen)).toBe('unseen');
    expect(verdictOf(rule, each, [])).toBe('unseen');
  });

  it.each(Object.entries(CASES))('is unseen if only another vendor’s events are sent: %s', (rule, each) => {
    const names = ['pageLoad', ...each.ids];
    const foreign = (['load', 'deny', 'accept'] as const).flatMap(phase =>
      names.flatMap((name): Sent[] => {
        const url = `https://bat.bing.com/action/0?ti=12345678&ea=${name}`;
        return [
          [phase, url],
          [phase, url],
        ];
      }),
    );
    expect(verdictOf(rule, each, foreign)).toBe('unseen');
  });

  it('cites an engagement event sent after a refusal as evidence only if no other event was sent', () => {
    const engagement: Sent = ['deny', ga4('user_engagement')];
    const finding = findingOf('shopify_consent_bypass', { ids: [GA4_ID] });
    expect(evaluateFinding(finding, renderedPage([engagement, ['deny', ga4()]])).evidence).toContain('page_view');
    expect(evaluateFinding(finding, renderedPage([engagement])).verdict).toBe('confirmed');
  });

  it('isn’t refuted by an incomplete recording if it reports a duplicate', () => {
    const finding = findingOf('meta_pixel_duplicate_init', { ids: [META_ID] });
    expect(evaluateFinding(finding, renderedPage([['load', meta()]], { complete: false })).verdict).toBe('unseen');
  });

  it('isn’t confirmed if it reports a duplicate tag in a theme and an app, but the theme alone sends an event twice', () => {
    const finding = findingOf('meta_pixel_app_duplicate', { ids: [META_ID] });
    const page = renderedPage([
      ['load', meta()],
      ['load', meta()],
    ]);
    expect(evaluateFinding(finding, page).verdict).toBe('unseen');
  });

  it('isn’t refuted until each of its tags has sent an event', () => {
    const finding = findingOf('google_tag_never_configured', { ids: [GA4_ID, 'G-OTHER12345'] });
    expect(evaluateFinding(finding, renderedPage([['load', ga4()]])).verdict).toBe('unseen');
  });

  it('is unseen if it has no ID and only unrelated tags sent events', () => {
    const snapchat = findingOf('ad_pixel_missing_base_code', { ids: [], pixel: 'snapchat' });
    const malformed = findingOf('ad_pixel_malformed_id', { ids: [], pixel: 'pinterest' });
    const page = renderedPage([['load', PINTEREST]]);
    expect(evaluateFinding(snapchat, page).verdict).toBe('unseen');
    expect(evaluateFinding(malformed, page).verdict).toBe('unseen');
    const untracked = findingOf('meta_pixel_track_without_init', { ids: [] });
    expect(evaluateFinding(untracked, renderedPage([['load', meta(), fromPixel]])).verdict).toBe('unseen');
  });
});
