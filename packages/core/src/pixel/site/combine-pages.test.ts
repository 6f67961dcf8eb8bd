import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drift } from '../drift/drift.ts';
import type { Finding } from '../model/finding.ts';
import { scan } from '../scan/scan.ts';
import { scoreOf } from '../score/score.ts';
import { captureOf } from '../testing/capture-of.ts';
import { combinePages } from './combine-pages.ts';
import type { PageOutcome, ScannedPage } from './page-outcome.ts';
import { SITE_PAGE_TYPES, type SitePageType } from './page-type.ts';

const asOf = '2026-11-21';
const OLD = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';
const META = "<script>fbq('init','111000000000001');fbq('track','PageView')</script>";
const BROKEN = "<script>fbq('init', '111000000000001';</script>";
const SHOP = `<script>Shopify = {}; Shopify.shop = 'demo.myshopify.com'; boot({webPixelsConfigList: []})</script>`;

function page(page_type: SitePageType, html: string, before?: string): ScannedPage {
  const url = page_type === 'home' ? 'https://shop.example/' : `https://shop.example/${page_type}`;
  const scanOf = (text: string) => scan(captureOf(SHOP + text, { url, finalUrl: url }), { asOf });
  const result = scanOf(html);
  return {
    ...{ page_type, url, result: { ...result, score: result.score! }, notes: [] },
    drift: before === undefined ? null : drift(scanOf(before).inventory, result.inventory),
  };
}
const unscanned = (page_type: SitePageType, reason: string): PageOutcome => ({
  ...{ page_type, url: null, result: null, reason, message: reason, status: null },
});
const ids = (outcomes: PageOutcome[]) =>
  combinePages(outcomes, null).findings.map(({ rule_id, seen_on }) => `${rule_id} ${seen_on.join()}`);

describe('site findings', () => {
  it('lists each problem once, with the affected page types in scan order', () => {
    expect(ids([page('product', OLD), page('home', `<p>\n\n</p>${OLD}`), page('cart', '')])).toEqual([
      'ga_analytics_js_legacy home,product',
    ]);
  });

  it('lists a problem once even if the code is on a different line of each page', () => {
    const found = ids([page('home', `\n\n<p></p>${BROKEN}`), page('cart', BROKEN)]);
    expect(found).toContain('script_never_runs home,cart');
    expect(found.filter(text => text.startsWith('script_never_runs'))).toHaveLength(1);
  });

  it('lists different problems separately even if the same rule reports them', () => {
    const misspelled = (event: string) => `${META}<script>fbq('track','${event}')</script>`;
    const found = ids([page('home', misspelled('AddToCrat')), page('product', misspelled('Purchas'))]);
    expect(found.filter(text => text.startsWith('meta_pixel_nonstandard_event'))).toEqual([
      'meta_pixel_nonstandard_event home',
      'meta_pixel_nonstandard_event product',
    ]);
  });

  it('lists each unread container separately, but each scan limitation only once', () => {
    const container = (id: string) => `<script src="https://www.googletagmanager.com/gtm.js?id=${id}"></script>`;
    const scripts = (count: number) => '<script>fbq(</script>'.repeat(count);
    const found = ids([page('home', container('GTM-AAAA111')), page('cart', container('GTM-BBBB222'))]);
    expect(found.filter(text => text.startsWith('gtm_contents_unseen'))).toHaveLength(2);
    expect(ids([page('home', scripts(1)), page('cart', scripts(2))])).toEqual(['scan_js_unparsable home,cart']);
  });

  it('reports each problem as found on the page where the problem lowers the score the most', () => {
    const home = page('home', OLD);
    const possible = home.result.findings.map(finding => ({ ...finding, confidence: 'possible' as const }));
    const milder: ScannedPage = { ...home, page_type: 'cart', result: { ...home.result, findings: possible } };
    const [worst] = combinePages([milder, home], null).findings;
    expect(worst).toMatchObject({ confidence: 'certain', seen_on: ['home', 'cart'] });
    // A `likely` problem that isn't mitigated lowers the score more than a `certain` problem that is.
    const withFinding = (page_type: SitePageType, more: Partial<Finding>): ScannedPage => {
      const findings = [{ ...home.result.findings[0]!, ...more }];
      return { ...home, page_type, result: { ...home.result, findings } };
    };
    const mitigated = withFinding('home', { confidence: 'certain', mitigated: true });
    const likely = withFinding('cart', { confidence: 'likely', mitigated: false });
    expect(combinePages([mitigated, likely], null).findings[0]).toMatchObject({
      confidence: 'likely',
      mitigated: false,
    });
  });
});

describe('site score', () => {
  it('lowers the site score only once for a problem on every page', () => {
    const one = combinePages([page('home', OLD)], null);
    const all = combinePages(
      SITE_PAGE_TYPES.map(type => page(type, OLD)),
      null,
    );
    expect([all.score, all.score_breakdown]).toEqual([one.score, one.score_breakdown]);
  });

  it('returns a site score equal to the page score if there’s only one page', () => {
    const home = page('home', OLD + META);
    expect(combinePages([home], null).score).toBe(home.result.score);
  });

  it('lists the page types that the site score covers, and returns a null score if no page was scanned', () => {
    const outcomes = [page('home', ''), unscanned('cart', 'robots'), page('product', '')];
    expect(combinePages(outcomes, null)).toMatchObject({ score_covers: ['home', 'product'] });
    expect(combinePages([unscanned('home', 'password')], null)).toMatchObject({ score: null, score_breakdown: [] });
  });

  it('never returns a site score of 100 if a page type couldn’t be scanned, unless no page of that type was found', () => {
    expect(combinePages([page('home', ''), unscanned('cart', 'robots')], null).score).toBe(99);
    expect(combinePages([page('home', ''), unscanned('blog', 'not_found')], null).score).toBe(100);
  });

  const finding = fc
    .record({
      rule_id: fc.constantFrom('a', 'b', 'c', 'script_never_runs', 'ga4_api_secret_exposed'),
      severity: fc.constantFrom('info' as const, 'warn' as const, 'error' as const),
      confidence: fc.constantFrom('certain' as const, 'likely' as const, 'possible' as const),
      ids: fc.subarray(['1', '2', '3', '4'], { maxLength: 2 }),
      mitigated: fc.boolean(),
      message: fc.constantFrom('one', 'two'),
    })
    .map((parts): Finding => ({ ...page('home', OLD).result.findings[0]!, ...parts }));
  const outcome = (page_type: SitePageType, findings: Finding[], complete: boolean): ScannedPage => {
    const clean = page(page_type, '');
    const own = findings.map(one => ({ ...one, where: { ...one.where, url: clean.url } }));
    const { score, breakdown } = scoreOf(own, complete);
    const inventory = { ...clean.result.inventory, complete };
    return { ...clean, result: { ...clean.result, score, score_breakdown: breakdown, findings: own, inventory } };
  };
  const pages = fc
    .array(fc.tuple(fc.array(finding, { maxLength: 5 }), fc.boolean()), { minLength: 1, maxLength: 4 })
    .map(all => all.map(([findings, complete], i) => outcome(SITE_PAGE_TYPES[i]!, findings, complete)));

  it('never scores the site higher than its lowest-scoring page, and returns 100 minus the points in the breakdown', () => {
    fc.assert(
      fc.property(pages, all => {
        const { score, score_breakdown } = combinePages(all, null);
        expect(score).toBeLessThanOrEqual(Math.min(...all.map(({ result }) => result.score)));
        expect(100 - score_breakdown.reduce((sum, { points }) => sum + points, 0)).toBe(score);
      }),
    );
  });

  it('never lowers the site score when a problem is fixed on every page', () => {
    fc.assert(
      fc.property(pages, fc.nat(), (all, index) => {
        const before = combinePages(all, null);
        const problem = before.findings[index % Math.max(1, before.findings.length)];
        const isProblem = (one: Finding) =>
          one.rule_id === problem?.rule_id && one.message === problem.message && `${one.ids}` === `${problem.ids}`;
        const fixed = all.map(({ page_type, result }) =>
          outcome(
            page_type,
            result.findings.filter(one => !isProblem(one)),
            result.inventory.complete,
          ),
        );
        expect(combinePages(fixed, null).score).toBeGreaterThanOrEqual(before.score!);
      }),
    );
  });

  it('returns the same report regardless of page order', () => {
    fc.assert(
      fc.property(
        pages.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(JSON.stringify(combinePages(shuffled, null))).toBe(JSON.stringify(combinePages(all, null)));
        },
      ),
    );
  });
});

describe('site inventory', () => {
  it('lists each tag once, with its page types and its events from all pages', () => {
    const event = `${META}<script>fbq('track','ViewContent')</script>`;
    const { inventory, inventories } = combinePages([page('home', META), page('product', event)], null);
    expect(inventory.tags.map(({ id, events, seen_on }) => ({ id, events, seen_on }))).toEqual([
      { id: '111000000000001', events: ['PageView', 'ViewContent'], seen_on: ['home', 'product'] },
    ]);
    expect(inventories.map(({ page_type }) => page_type)).toEqual(['home', 'product']);
  });
});

describe('site changes', () => {
  it('lists a change once, with the affected page types', () => {
    const outcomes = [page('home', '', META), page('product', '', META), page('cart', META, META)];
    const baseline = combinePages(outcomes, null).inventories;
    const { drift: changes } = combinePages(outcomes, baseline);
    expect(changes).toMatchObject({
      drift_status: 'broken',
      findings: [{ rule_id: 'drift_tag_removed', seen_on: ['home', 'product'] }],
      pages: [
        { page_type: 'home', drift_status: 'broken' },
        { page_type: 'product', drift_status: 'broken' },
        { page_type: 'cart', drift_status: 'none', not_compared: null },
      ],
    });
  });

  it('lists page types that can’t be compared instead of reporting them as unchanged', () => {
    const baseline = combinePages([page('home', META), page('cart', META)], null).inventories;
    const now = [page('home', META, META), page('product', META), unscanned('cart', 'robots')];
    expect(combinePages(now, baseline).drift?.pages).toEqual([
      { page_type: 'home', drift_status: 'none', not_compared: null },
      { page_type: 'product', drift_status: null, not_compared: 'not in the baseline' },
      { page_type: 'cart', drift_status: null, not_compared: 'not scanned' },
    ]);
  });
});
