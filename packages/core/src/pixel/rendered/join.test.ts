import { describe, expect, it } from 'vitest';
import { readBeacons } from '../beacons/read-beacons.ts';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { joinRendering } from './join.ts';
import type { ConsentDecision, Phase, RecordedBeacon, RenderedPage } from './rendered-page.ts';

const META_ID = '918273645546372';
const META = `https://www.facebook.com/tr/?id=${META_ID}&ev=PageView`;
const GA4 = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEFGH12&en=page_view';

/** A page whose Meta pixel runs without consent and is initialized twice. */
const PAGE = `<script>var Shopify = Shopify || {};Shopify.shop = 'x.myshopify.com';Shopify.theme = { id: 1 };</script>
<script src="https://connect.facebook.net/en_US/fbevents.js"></script>
<script>fbq('init','${META_ID}');fbq('init','${META_ID}');fbq('track','PageView')</script>`;
const result = scan(captureOf(PAGE), { asOf: '2026-11-23', profile: 'eea' });

/** A sent request. Each phase is one page view. */
type Sent = readonly [Phase, string];

function rendered(sent: readonly Sent[], decision: ConsentDecision = 'shopify', complete = true): RenderedPage {
  const phases = (['load', 'deny', 'accept'] as const).map(phase => ({
    ...{ phase, complete, requests: 1, cookies: [] },
    decision: phase === 'load' ? null : decision,
  }));
  const beacons = sent.flatMap(([phase, url]): RecordedBeacon[] =>
    readBeacons({ url, body: null }).map(beacon => ({
      ...{ ...beacon, phase, ms: 0, view: phases.findIndex(each => each.phase === phase), intercepted: true },
      initiator: { kind: 'page', url: null, id: null },
    })),
  );
  return { url: 'https://shop.example/', phases, beacons, stubbed: false, cut: null };
}

const verdict = (rule: string, page: RenderedPage) =>
  joinRendering(result, page).findings.find(({ rule_id }) => rule_id === rule)?.verdict;
const traffic = (page: RenderedPage) =>
  joinRendering(result, page).traffic.map(({ code, vendor }) => `${code} ${vendor}`);

describe('a finding about consent', () => {
  it('is confirmed if the tag sends an event without the visitor’s consent', () => {
    expect(verdict('shopify_consent_bypass', rendered([['load', META]]))).toBe('confirmed');
    expect(verdict('shopify_consent_bypass', rendered([['deny', META]]))).toBe('confirmed');
  });

  it('is unseen if the tag sends an event after a refusal that the page didn’t receive', () => {
    expect(verdict('shopify_consent_bypass', rendered([['deny', META]], 'none'))).toBe('unseen');
  });

  it('is refuted only if the tag waits for consent in a complete recording with both choices', () => {
    const accepted: Sent[] = [['accept', META]];
    expect(verdict('shopify_consent_bypass', rendered(accepted))).toBe('refuted');
    expect(verdict('shopify_consent_bypass', rendered(accepted, 'none'))).toBe('unseen');
    expect(verdict('shopify_consent_bypass', rendered(accepted, 'shopify', false))).toBe('unseen');
    expect(verdict('shopify_consent_bypass', rendered([]))).toBe('unseen');
  });
});

describe('a finding about a duplicate tag', () => {
  it('is confirmed by repeated events without a shared ID, refuted by a single event, and otherwise unseen', () => {
    const rule = 'meta_pixel_duplicate_init';
    expect(
      verdict(
        rule,
        rendered([
          ['load', META],
          ['load', META],
        ]),
      ),
    ).toBe('confirmed');
    expect(
      verdict(
        rule,
        rendered([
          ['load', META],
          ['load', `${META}&eid=1`],
        ]),
      ),
    ).toBe('confirmed');
    expect(
      verdict(
        rule,
        rendered([
          ['load', `${META}&eid=1`],
          ['load', `${META}&eid=1`],
        ]),
      ),
    ).toBe('refuted');
    expect(
      verdict(
        rule,
        rendered([
          ['load', META],
          ['accept', META],
        ]),
      ),
    ).toBe('refuted');
    expect(verdict(rule, rendered([]))).toBe('unseen');
  });

  it('isn’t confirmed by an event that’s sent on the choice and again after the reload', () => {
    const page = rendered([
      ['deny', META],
      ['deny', META],
    ]);
    const beacons = page.beacons.map((beacon, view) => ({ ...beacon, view }));
    expect(verdict('meta_pixel_duplicate_init', { ...page, beacons })).toBe('refuted');
    expect(traffic({ ...page, beacons })).not.toContain('duplicate_event meta');
  });
});

describe('a finding that traffic can’t show', () => {
  it('is unseen', () => {
    const { findings } = joinRendering(result, rendered([['load', META]]));
    expect(findings).toHaveLength(result.findings.length);
    expect(findings.find(({ rule_id }) => rule_id === 'web_pixels_config_absent')?.verdict).toBe('unseen');
  });
});

describe('traffic', () => {
  it('shows events without consent, except those that state that consent is denied', () => {
    expect(
      traffic(
        rendered([
          ['load', META],
          ['deny', META],
        ]),
      ),
    ).toEqual(['sent_before_choice meta', 'sent_after_denial meta']);
    expect(traffic(rendered([['deny', META]], 'none'))).toEqual([]);
    expect(traffic(rendered([['deny', `${GA4}&gcs=G100`]]))).toEqual(['unknown_tag google']);
    expect(traffic(rendered([['accept', META]]))).toEqual([]);
  });

  it('shows tags that the page’s code doesn’t contain, and invalid event data', () => {
    const other = 'https://www.facebook.com/tr/?id=111111111111111&ev=Purchase&cd[value]=$12&cd[currency]=USD';
    expect(traffic(rendered([['accept', other]]))).toEqual(['unknown_tag meta', 'invalid_event_data meta']);
  });
});
