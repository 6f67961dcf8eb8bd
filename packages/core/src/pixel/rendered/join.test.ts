import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scan } from '../scan/scan.ts';
import { scoreOf } from '../score/score.ts';
import { captureOf } from '../testing/capture-of.ts';
import { failedRequest } from './failed-request.ts';
import { joinRendering } from './join.ts';
import type { ConsentDecision, Phase, RenderedPage, VisitStep } from './rendered-page.ts';
import { renderedPage, type Sent } from './testing/rendered-page.ts';

const META_ID = '918273645546372';
const META = `https://www.facebook.com/tr/?id=${META_ID}&ev=PageView`;
const GA4 = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEFGH12&en=page_view';

/** A page whose Meta pixel runs without consent and is initialized twice. */
const PAGE = `<script>var Shopify = Shopify || {};Shopify.shop = 'x.myshopify.com';Shopify.theme = { id: 1 };</script>
<script src="https://connect.facebook.net/en_US/fbevents.js"></script>
<script>fbq('init','${META_ID}');fbq('init','${META_ID}');fbq('track','PageView')</script>`;
const result = scan(captureOf(PAGE), { asOf: '2026-11-23', profile: 'eea' });

const rendered = (sent: readonly Sent[], decision: ConsentDecision = 'shopify', complete = true): RenderedPage =>
  renderedPage(sent, { decision, complete });

const verdict = (rule: string, page: RenderedPage) =>
  joinRendering(result, page).findings.find(({ rule_id }) => rule_id === rule)?.verdict;
const traffic = (page: RenderedPage) =>
  joinRendering(result, page).traffic.map(({ code, vendor }) => `${code} ${vendor}`);

describe('a finding about consent', () => {
  it('is confirmed if the tag sends an event without the visitor’s consent', () => {
    expect(verdict('shopify_consent_bypass', rendered([['load', META]]))).toBe('confirmed');
    expect(verdict('shopify_consent_bypass', rendered([['deny', META]]))).toBe('confirmed');
  });

  it('is unseen if the tag sends an event after the visitor declines tracking but the choice never reaches the page', () => {
    expect(verdict('shopify_consent_bypass', rendered([['deny', META]], 'none'))).toBe('unseen');
  });

  it('is refuted only if a complete recording of both consent choices shows that the tag waits for consent', () => {
    const accepted: Sent[] = [['accept', META]];
    expect(verdict('shopify_consent_bypass', rendered(accepted))).toBe('refuted');
    expect(verdict('shopify_consent_bypass', rendered(accepted, 'none'))).toBe('unseen');
    expect(verdict('shopify_consent_bypass', rendered(accepted, 'shopify', false))).toBe('unseen');
    expect(verdict('shopify_consent_bypass', rendered([]))).toBe('unseen');
  });
});

describe('a finding about a duplicate tag', () => {
  it('is confirmed by events that count twice, refuted by events that count once, and unseen without events', () => {
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

  it('isn’t confirmed by an event that’s sent once when the visitor declines tracking and once more after the page is reloaded', () => {
    const page = rendered([
      ['deny', META],
      ['deny', META],
    ]);
    const beacons = page.beacons.map((beacon, view) => ({ ...beacon, view }));
    expect(verdict('meta_pixel_duplicate_init', { ...page, beacons })).toBe('refuted');
    expect(traffic({ ...page, beacons })).not.toContain('duplicate_event meta');
  });

  it('isn’t reported for engagement time or for an event that one sender repeats with different data', () => {
    const list = (name: string): Sent => ['accept', GA4.replace('page_view', `view_item_list&ep.item_list_id=${name}`)];
    const engaged: Sent = ['accept', GA4.replace('page_view', 'user_engagement')];
    expect(traffic(rendered([list('new'), list('sale'), engaged, engaged]))).not.toContain('duplicate_event google');
    expect(traffic(rendered([list('new'), list('new')]))).toContain('duplicate_event google');
  });
});

describe('a finding that traffic can’t confirm or refute', () => {
  it('is unseen', () => {
    const { findings } = joinRendering(result, rendered([['load', META]]));
    expect(findings).toHaveLength(result.findings.length);
    expect(findings.find(({ rule_id }) => rule_id === 'web_pixels_config_absent')?.verdict).toBe('unseen');
  });
});

describe('traffic', () => {
  it('shows events sent without consent, except events that report denied consent', () => {
    expect(
      traffic(
        rendered([
          ['load', META],
          ['deny', META],
        ]),
      ),
    ).toEqual(['sent_after_denial meta', 'sent_before_choice meta']);
    expect(traffic(rendered([['deny', META]], 'none'))).toEqual([]);
    expect(traffic(rendered([['deny', `${GA4}&gcs=G100`]]))).toEqual(['unknown_tag google']);
    expect(traffic(rendered([['accept', META]]))).toEqual([]);
  });

  it('shows invalid event data and tags that the page’s code doesn’t contain', () => {
    const other = 'https://www.facebook.com/tr/?id=111111111111111&ev=Purchase&cd[value]=$12&cd[currency]=USD';
    expect(
      traffic(
        rendered([
          ['accept', META],
          ['accept', other],
        ]),
      ),
    ).toEqual(['invalid_event_data meta', 'unknown_tag meta']);
  });

  it('doesn’t report a tag as unknown if the code on the page that sent its events wasn’t completely scanned', () => {
    const other = META.replace(META_ID, '111111111111111');
    const page = renderedPage(
      [
        ['accept', META],
        ['accept', other, { step: 'product' }],
      ],
      { journey: ['product'] },
    );
    const joined = joinRendering(result, page);
    expect(joined.traffic.map(({ code }) => code)).not.toContain('unknown_tag');
    expect(joined.unseen).toEqual([expect.stringContaining('sent events for these tags: Meta ID 111111111111111')]);
    const partial = { ...result, inventory: { ...result.inventory, complete: false } };
    const onPage = joinRendering(
      partial,
      rendered([
        ['accept', META],
        ['accept', other],
      ]),
    );
    expect(onPage.traffic.map(({ code }) => code)).not.toContain('unknown_tag');
  });

  it('reports an ID that changes between steps, and an unknown ID that’s sent instead of the ID in the page’s code', () => {
    const other = META.replace(META_ID, '111111111111111');
    expect(traffic(rendered([['accept', other]]))).toEqual(['id_drift meta']);
    expect(traffic(rendered([['accept', other]], 'none'))).toEqual(['unknown_tag meta']);
    const changing = renderedPage(
      [
        ['accept', META],
        ['accept', other, { step: 'product' }],
      ],
      { journey: ['product'] },
    );
    expect(joinRendering(result, changing).traffic).toContainEqual(
      expect.objectContaining({ code: 'id_drift', id: '111111111111111', related: [expect.anything()] }),
    );
    const both: Sent[] = (['page', 'product'] as const).map(step => ['accept', META, { step }]);
    const added = renderedPage([...both, ['accept', other, { step: 'product' }]], { journey: ['product'] });
    expect(joinRendering(result, added).traffic.map(({ code }) => code)).not.toContain('id_drift');
  });

  it('shows an event that Shopify’s server also sends, unless the event has an event ID or the app sent it', () => {
    const app = `<script>boot = () => {}; boot({webPixelsConfigList: [{"id":"1","configuration":"{\\"pixel_id\\":\\"${META_ID}\\",\\"pixel_type\\":\\"facebook_pixel\\"}","runtimeContext":"OPEN","type":"APP","apiClientId":2329312}]})</script>`;
    const scanned = scan(captureOf(PAGE + app), { asOf: '2026-11-23' });
    expect(scanned.server_events).toEqual([META_ID]);
    const codes = (url: string, initiator = {}) =>
      joinRendering(scanned, rendered([['accept', url, { initiator }]])).traffic.map(({ code }) => code);
    const add = META.replace('PageView', 'AddToCart');
    expect(codes(add)).toContain('server_duplicate');
    expect(codes(`${add}&eid=1`)).not.toContain('server_duplicate');
    expect(codes(add, { kind: 'web_pixel' })).not.toContain('server_duplicate');
    expect(codes(META)).not.toContain('server_duplicate');
  });

  it('shows invalid data and misspelled names in TikTok, Pinterest, and Snapchat events', () => {
    const tiktok = (event: string, properties: object): Sent => [
      ...(['accept', 'https://analytics.tiktok.com/api/v2/pixel'] as const),
      { body: JSON.stringify({ event, properties, context: { pixel: { code: 'C1' } } }) },
    ];
    const pinterest = (event: string, currency: string): Sent => [
      'accept',
      `https://ct.pinterest.com/v3/?event=${event}&tid=2612345678901&ed[value]=5&ed[currency]=${currency}`,
    ];
    const snapchat = (event: string): Sent => ['accept', `https://tr.snapchat.com/p?pid=1&ev=${event}`];
    const problems = (...sent: Sent[]) =>
      joinRendering(result, rendered(sent))
        .traffic.filter(({ code }) => code === 'invalid_event_data')
        .map(({ vendor, event }) => `${vendor} ${event}`);
    expect(
      problems(tiktok('AddToCart', { value: 'free' }), tiktok('ViewContent', { value: 5, currency: 'USD' })),
    ).toEqual(['tiktok AddToCart']);
    expect(problems(pinterest('addtocart', 'Dollar'), pinterest('checkout', 'USD'))).toEqual(['pinterest addtocart']);
    expect(problems(snapchat('ADD_CARD'), snapchat('ADD_CART'))).toEqual(['snapchat ADD_CARD']);
  });

  it('shows the line that sent an event, or the container tag if only one tag sends the event', () => {
    const where = {
      source: 'container GTM-ABC1234, tag 3 (Custom HTML)',
      line: 2,
      column: 1,
      url: 'https://g.example/',
    };
    const tag = { container: 'GTM-ABC1234', vendor: 'meta', id: META_ID, event: 'PageView', where } as const;
    const locate = (initiator: object, container_events: (typeof tag)[]) =>
      joinRendering({ ...result, container_events }, rendered([['deny', META, { initiator }]])).traffic[0]!.where;
    const container = { kind: 'container', id: 'GTM-ABC1234', url: 'https://g.example/gtm.js' };
    expect(locate(container, [tag])).toEqual(where);
    const other = { ...tag, where: { ...where, source: 'container GTM-ABC1234, tag 4 (Custom HTML)' } };
    expect(locate(container, [tag, other])).toMatchObject({ source: 'container GTM-ABC1234' });
    expect(locate({ line: 12, column: 5 }, [])).toEqual({
      source: 'page',
      line: 12,
      column: 5,
      url: result.scanned.url,
    });
    const file = 'https://shop.example/theme.js';
    expect(locate({ url: file, line: 3, column: 9 }, [])).toEqual({ source: file, line: 3, column: 9, url: file });
  });
});

describe('the score of a rendered scan', () => {
  const scoreOf = (page: RenderedPage) => joinRendering(result, page).score!;

  it('doesn’t count refuted findings', () => {
    const accepted = joinRendering(result, rendered([['accept', META]]));
    expect(accepted.verdict_counts.refuted).toBeGreaterThan(0);
    expect(accepted.score!).toBeGreaterThan(result.score!);
    expect(accepted.severity_counts.warn).toBeLessThan(result.severity_counts.warn);
  });

  it('lowers the score for a problem that’s visible only in the traffic, unless a confirmed finding already reports it', () => {
    const declined = rendered([['deny', META]]);
    const waiting = scan(captureOf('<title>Shop</title>'), { asOf: '2026-11-23' });
    expect(joinRendering(waiting, declined).score!).toBeLessThan(waiting.score!);
    expect(joinRendering(waiting, declined).score_breakdown).toContainEqual(
      expect.objectContaining({ rule_id: 'sent_after_denial' }),
    );
    const { findings, score_breakdown } = joinRendering(result, declined);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule_id: 'shopify_consent_bypass', verdict: 'confirmed' }),
    );
    expect(score_breakdown).not.toContainEqual(expect.objectContaining({ rule_id: 'sent_after_denial' }));
    expect(scoreOf(declined)).toBeLessThan(100);
  });
});

describe('the result of a rendered scan', () => {
  const ids = [META_ID, '827364554637281', 'G-ABCDEFGH12'];
  const urlOf = (id: string, event: string) =>
    id.startsWith('G-')
      ? `https://www.google-analytics.com/g/collect?v=2&tid=${id}&en=${event}`
      : `https://www.facebook.com/tr/?id=${id}&ev=${event}`;
  const sent = fc.record({
    phase: fc.constantFrom<Phase>('load', 'deny', 'accept'),
    id: fc.constantFrom(...ids),
    event: fc.constantFrom('PageView', 'page_view', 'AddToCart', 'Purchase', 'purchase'),
    kind: fc.constantFrom('page', 'web_pixel'),
  });
  const pages = fc
    .tuple(fc.array(sent, { maxLength: 12 }), fc.constantFrom<ConsentDecision>('shopify', 'none'), fc.boolean())
    .map(([events, decision, complete]) =>
      rendered(
        events.map(({ phase, id, event, kind }): Sent => [phase, urlOf(id, event), { initiator: { kind } as object }]),
        ...([decision, complete] as const),
      ),
    );
  const code = ids.map(id => (id.startsWith('G-') ? `gtag('config','${id}');` : `fbq('init','${id}');`));
  const scanned = ['us', 'eea'].map(profile =>
    scan(captureOf(`${PAGE}<script>${code.join('').repeat(2)}</script>`), {
      ...{ asOf: '2026-11-23', profile: profile === 'eea' ? 'eea' : 'default' },
    }),
  );

  it('counts and scores exactly the findings that aren’t refuted and the traffic problems that no finding reports', () => {
    fc.assert(
      fc.property(pages, fc.constantFrom(...scanned), (page, { findings, inventory, ...rest }) => {
        const joined = joinRendering({ ...rest, findings, inventory }, page);
        const counted = [
          ...findings.filter((_, index) => joined.findings[index]!.verdict !== 'refuted'),
          ...joined.traffic
            .filter(({ counts }) => counts)
            .map(({ severity, code: rule_id, id }) => ({
              ...{ severity, rule_id, ids: id === null ? [] : [id], confidence: 'certain' as const, mitigated: false },
            })),
        ];
        const count = (wanted: string) => counted.filter(({ severity }) => severity === wanted).length;
        expect(joined.severity_counts).toEqual({ info: count('info'), warn: count('warn'), error: count('error') });
        expect(joined.score).toBe(scoreOf(counted, inventory.complete).score);
        for (const found of joined.traffic.filter(({ counts }) => !counts))
          expect(
            joined.findings.some(
              ({ verdict: each, ids: own }, index) =>
                each === 'confirmed' &&
                (own.length === 0 || own.includes(found.id!) || own.includes(found.event!)) &&
                (findings[index]!.severity === 'error' || findings[index]!.severity === found.severity),
            ),
          ).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('counts a Google duplicate even if a Meta duplicate is confirmed', () => {
    const views = (url: string): Sent[] => [
      ['load', url],
      ['load', url],
    ];
    const { traffic: found } = joinRendering(result, rendered([...views(META), ...views(`${GA4}&gcs=G100`)]));
    const duplicates = found.filter(({ code: each }) => each === 'duplicate_event');
    expect(duplicates.map(({ vendor, counts }) => [vendor, counts])).toEqual([
      ['meta', false],
      ['google', true],
    ]);
  });
});

describe('a journey', () => {
  const steps = (sent: readonly (readonly [VisitStep, string])[]): RenderedPage => {
    const page = rendered(sent.map(([, url]) => ['accept', url]));
    const accepted = page.phases[2]!;
    const phases = [...page.phases, { ...accepted, step: 'add_to_cart' as const }];
    return { ...page, phases, beacons: page.beacons.map((beacon, index) => ({ ...beacon, step: sent[index]![0] })) };
  };
  const ADD = META.replace('PageView', 'AddToCart');

  it('reveals an event that a working tag doesn’t send', () => {
    expect(traffic(steps([['page', META]]))).toContain('missing_event meta');
    const page = steps([['page', META]]);
    const undecided = page.phases.map(phase => ({ ...phase, decision: phase.decision && ('none' as const) }));
    expect(traffic({ ...page, phases: undecided })).toContain('missing_event meta');
    expect(traffic({ ...page, phases: page.phases.map(phase => ({ ...phase, complete: false })) })).toEqual([]);
    expect(
      traffic(
        steps([
          ['page', META],
          ['add_to_cart', ADD],
        ]),
      ),
    ).not.toContain('missing_event meta');
    expect(traffic(steps([['add_to_cart', META]]))).not.toContain('missing_event meta');
  });
});

describe('a failed request', () => {
  it('is reported if it was sent to a vendor and the renderer couldn’t have caused the failure', () => {
    const failed = { url: 'https://connect.facebook.net/old.js', body: null, status: 404, blocked: null };
    expect(failedRequest(failed)).toMatchObject({ vendor: 'meta', event: null, reason: 'status', status: 404 });
    expect(failedRequest({ ...failed, url: META, status: null, blocked: 'csp' })).toMatchObject({
      ...{ vendor: 'meta', event: 'PageView', reason: 'policy' },
    });
    expect(failedRequest({ ...failed, url: `${META}&ud[em]=ana`, status: null, unresolved: true })).toMatchObject({
      ...{ reason: 'unresolved', url: 'https://www.facebook.com/tr/' },
    });
    expect(failedRequest({ ...failed, status: 200 })).toBeNull();
    expect(failedRequest({ ...failed, status: null, blocked: 'inspector' })).toBeNull();
    expect(failedRequest({ ...failed, url: 'http://connect.facebook.net/old.js', status: 502 })).toBeNull();
    expect(failedRequest({ ...failed, url: 'https://shop.example/missing.js' })).toBeNull();
  });
});
