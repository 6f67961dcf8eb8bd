import { type Capture, scan } from '@compliance/core/pixel';
import type { StorefrontScan } from '@compliance/crawler';
import { describe, expect, it } from 'vitest';
import { finalizeScan } from '../finalize-scan.ts';
import type { PageReading } from '../storefront/read-storefront-page.ts';
import type { ThemeReading } from '../theme/read-theme.ts';
import { scanFile } from '../theme/scan-file.ts';
import { joinFindings } from './join.ts';

const HOST = 'shop.example';
const asOf = '2026-11-21';
const UA = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';

/** Returns the result of reading a page. The page's own scripts are keyed by URL. */
function page(html: string, scripts: Record<string, string> = {}, path = '/'): PageReading {
  const url = `https://${HOST}${path}`;
  const tags = Object.keys(scripts).map(src => `<script src="${src}"></script>`);
  const capture: Capture = {
    ...{ url, finalUrl: url, status: 200, truncated: false, notes: [] },
    headers: { 'content-type': 'text/html', 'powered-by': 'Shopify' },
    html: `<html><head>${html}${tags.join('')}</head><body></body></html>`,
    scripts: Object.entries(scripts).map(([src, body]) => ({ url: src, status: 200, body })),
  };
  const result = { ...scan(capture, { asOf }), drift: null, notes: [] } as StorefrontScan;
  const coverage = {
    kind: 'home',
    path,
    state: 'read',
    reason: null,
    status: null,
    scripts: 0,
    scriptsNotRead: 0,
    remarks: [],
  } as const;
  return { coverage, scan: result };
}

/** Returns a theme reading with the given files. */
function theme(files: Record<string, string>, state: 'read' | 'partial' = 'read'): ThemeReading {
  return {
    coverage: { state, fault: null, theme: { id: '7', name: 'Dawn' }, files: 1, filesRead: 1, notRead: [] },
    files: Object.entries(files).map(([name, source]) => ({
      name,
      checksum: '',
      ...scanFile({ name, source, host: HOST, asOf }),
    })),
    names: new Set(Object.keys(files)),
  };
}

const joined = (pages: readonly PageReading[], files: ThemeReading, rule: string) =>
  joinFindings(pages, files, []).filter(({ detail }) => detail.finding.rule_id === rule);

describe('joined findings', () => {
  it('reports a problem once, whether it is on a page, in a file, or both', () => {
    const [one, ...more] = joined(
      [page(UA), page(UA, {}, '/cart')],
      theme({ 'layout/theme.liquid': UA }),
      'ga_analytics_js_legacy',
    );
    expect(more).toEqual([]);
    expect(one?.places).toEqual(['page:/', 'page:/cart', 'theme:layout/theme.liquid']);
    expect(one?.detail).toMatchObject({ pages: ['/', '/cart'], origin: 'file', finding: { confidence: 'certain' } });
    const [alone] = joined([page('')], theme({ 'layout/theme.liquid': UA }), 'ga_analytics_js_legacy');
    expect(alone?.fingerprint).toBe(one?.fingerprint);
    expect(alone?.detail).toMatchObject({ pages: [], origin: 'file', finding: { confidence: 'possible' } });
  });

  it('locates a finding in a theme asset but omits the line number, because the served copy is minified', () => {
    const asset = `https://${HOST}/cdn/shop/t/12/assets/theme.js?v=1`;
    const [found] = joined(
      [page('', { [asset]: 'ga("create", "UA-12345-1", "auto")' })],
      theme({}),
      'ga_analytics_js_legacy',
    );
    expect(found?.detail).toMatchObject({
      origin: 'file',
      files: [{ themeId: '7', name: 'assets/theme.js', line: null, column: null }],
    });
    const next = asset.replace('/t/12/', '/t/13/').replace('v=1', 'v=2');
    const [same] = joined(
      [page('', { [next]: 'ga("create", "UA-12345-1", "auto")' })],
      theme({}),
      'ga_analytics_js_legacy',
    );
    expect(same?.fingerprint).toBe(found?.fingerprint);
  });

  it('attributes an app embed script to its app', () => {
    const script = 'https://cdn.shopify.com/extensions/0199-ab/tracker-12/assets/tracker.js';
    const [found] = joined(
      [page('', { [script]: 'ga("create", "UA-12345-1", "auto")' })],
      theme({}),
      'ga_analytics_js_legacy',
    );
    expect(found?.detail).toMatchObject({ origin: 'app', files: [] });
  });

  it('attributes code outside the theme to an app only if the whole theme was read', () => {
    const origin = (files: ThemeReading) => joined([page(UA)], files, 'ga_analytics_js_legacy')[0]?.detail.origin;
    expect([origin(theme({})), origin(theme({}, 'partial'))]).toEqual(['app', 'unknown']);
  });

  it('attributes a finding in a Shopify setting to the Shopify admin', () => {
    const trekkie = `<script class="analytics">trekkie.load({"Google Analytics":{"trackingId":"UA-12345-1"}});</script>`;
    const [found] = joined([page(trekkie)], theme({}), 'ga_universal_shopify_preferences');
    expect(found?.detail).toMatchObject({ origin: 'shopify_admin', files: [] });
  });

  it('identifies the template that the merchant pasted code into', () => {
    const files = theme({ 'templates/index.json': JSON.stringify({ html: UA }) });
    const [found] = joined([page(UA)], files, 'ga_analytics_js_legacy');
    expect(found?.detail.files).toEqual([{ themeId: '7', name: 'templates/index.json', line: 1, column: 9 }]);
  });

  it('reports the most severe instance of a problem across all pages', () => {
    const form = (one: PageReading, other: PageReading) =>
      joined([one, other], theme({}), 'ga_analytics_js_legacy').map(({ detail }) => detail.finding.mitigated);
    const gtag = `<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDE12345"></script><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('config','G-ABCDE12345')</script>`;
    const mitigated = page(`${UA}${gtag}`);
    expect(form(mitigated, page(UA, {}, '/cart'))).toEqual([false]);
    expect(form(page(UA, {}, '/cart'), mitigated)).toEqual([false]);
    expect(form(mitigated, mitigated)).toEqual([true]);
  });

  it('returns the same findings regardless of page order', () => {
    const [a, b] = [page(UA), page(`${UA}<script>fbq("track","Bought")</script>`, {}, '/cart')];
    const files = theme({ 'layout/theme.liquid': UA });
    const facts = (pages: readonly PageReading[]) =>
      joinFindings(pages, files, []).map(({ fingerprint, places, detail }) => [
        fingerprint,
        places,
        detail.pages,
        detail.origin,
      ]);
    expect(facts([b, a])).toEqual(facts([a, b]));
  });
});

describe('stores with too many findings', () => {
  it('never marks findings as fixed when a store has too many findings', () => {
    const many = Array.from({ length: 1_200 }, (_, i) => [
      `snippets/${i}.liquid`,
      `<script>fbq("track","Event${i}")</script>`,
    ]);
    const inputs = {
      host: HOST,
      readings: [page('')],
      lostAccess: null,
      previous: null,
      openPlaces: [],
      accepted: new Set<string>(),
      refuted: new Set<string>(),
    };
    const few = finalizeScan({ ...inputs, theme: theme(Object.fromEntries(many.slice(0, 10))) });
    expect(few.covered).toHaveLength(11);
    const { findings, covered } = finalizeScan({ ...inputs, theme: theme(Object.fromEntries(many)) });
    expect([findings.length, covered]).toEqual([1_000, []]);
  });
});
