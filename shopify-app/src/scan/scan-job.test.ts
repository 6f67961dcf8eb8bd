import { scoreOf } from '@compliance/core/pixel';
import { cleanShop, emptyShop, type FakeShop, PASTED, sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeFiles, createJobHarness, detailsOf, type JobHarness, newestScan } from '../../test/job-harness.ts';
import type { FindingDetail } from './model/types.ts';
import { recheck, startScan } from './start-scan.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

const paste = (shop: FakeShop, name: string, text: string) => shop.themes[0]!.files.set(name, text);
const TRACKING = 'snippets/tracking.liquid';

/** Installs the app in a shop and scans it once. */
async function scanned(given: FakeShop) {
  const shop = await harness.install(given);
  const job = await harness.scan(given.domain);
  return { shop, job, scan: await newestScan(shop) };
}

describe('store scans', () => {
  it('reports the pages that show a problem, and the file and line that cause it', async () => {
    const { scan, job } = await scanned(sampleShop('found'));
    expect(scan).toMatchObject({
      state: 'complete',
      reason: null,
      trigger: 'merchant',
      theme: { id: '101', name: 'Dawn' },
    });
    expect(job).toMatchObject({ state: 'done', result: { scanId: job.id, state: 'complete', score: scan.score } });
    const [legacy] = detailsOf(scan, 'ga_analytics_js_legacy');
    expect(legacy).toMatchObject({
      pages: ['/', '/cart', '/collections/all', '/products/product-1'],
      files: [{ themeId: '101', name: TRACKING, line: 4, column: 3 }],
      origin: 'file',
    });
    // No rule finds this problem in a single file, so the scan locates the problem by its text.
    const [double] = detailsOf(scan, 'meta_pixel_app_duplicate');
    expect(double).toMatchObject({ files: [{ name: TRACKING, line: 9, column: 3 }], origin: 'file' });
    expect(scan.covered).toEqual(expect.arrayContaining(['page:/', 'page:/cart', `theme:${TRACKING}`]));
  });

  it('returns the core library’s score for all findings, and a breakdown that adds up to that score', async () => {
    const { scan } = await scanned(sampleShop('scored'));
    const union = new Map(scan.findings.map(one => [one.fingerprint, (one.detail as FindingDetail).finding]));
    const { score, breakdown } = scoreOf([...union.values()]);
    expect([scan.score, scan.breakdown]).toEqual([score, breakdown]);
    expect((scan.breakdown as { points: number }[]).reduce((sum, { points }) => sum + points, 0)).toBe(100 - score);
    expect(score).toBeLessThan(80);
  });

  it('reports a scan’s progress step by step', async () => {
    const given = sampleShop('progress');
    await harness.install(given);
    const { id } = await startScan(harness.app.offlineContext(given.domain), 'merchant');
    const said: unknown[] = [];
    const job = (await harness.store.jobs.claim('test', ['scan'], 60_000))!;
    expect(job.id).toBe(id);
    const { scanJob } = await import('./scan-job.ts');
    await scanJob({ ...harness, renderScan: null, clock: Date.now }).run({
      ...{ job, merchant: { ...harness.app.offlineContext(given.domain), shop: job.shop } },
      ...{ signal: new AbortController().signal, report: (progress: unknown) => said.push(progress) },
    });
    expect(said[0]).toEqual({ step: 'shop', done: 0, total: 0 });
    expect(said).toContainEqual({ step: 'storefront', done: 4, total: 4 });
    expect(said).toContainEqual({ step: 'theme', done: codeFiles(given), total: codeFiles(given) });
    expect(said.at(-1)).toEqual({ step: 'settling', done: 0, total: 0 });
    await job.complete();
  });

  it('reports a problem as fixed when the file is fixed, and as regressed when the problem returns', async () => {
    const given = sampleShop('fixed');
    const { shop, scan } = await scanned(given);
    const { fingerprint } = scan.findings.find(({ ruleId }) => ruleId === 'ga_analytics_js_legacy')!;
    const pasted = given.themes[0]!.files.get(TRACKING)!;
    paste(given, TRACKING, PASTED.metaPixel);
    await harness.scan(given.domain);
    const second = await newestScan(shop);
    expect(second.changes.fixed).toEqual([fingerprint]);
    // The scan doesn't report the removal of a retired tag as drift.
    expect(second.changes.new).toEqual([]);
    expect((await shop.findings.get(fingerprint))?.status).toBe('fixed');
    paste(given, TRACKING, pasted);
    await harness.scan(given.domain);
    expect((await newestScan(shop)).changes.regressed).toEqual([fingerprint]);
  });

  it('reports no findings for a clean store and lists the scanned pages and files', async () => {
    const given = cleanShop('clean');
    const { scan } = await scanned(given);
    expect([scan.score, scan.state, scan.findings]).toEqual([100, 'complete', []]);
    expect(scan.coverage.pages.map(({ kind, state }) => [kind, state])).toEqual([
      ['home', 'read'],
      ['product', 'read'],
      ['collection', 'read'],
      ['cart', 'read'],
    ]);
    expect(scan.coverage.theme).toMatchObject({
      ...{ state: 'read', files: codeFiles(given), filesRead: codeFiles(given), notRead: [] },
    });
    // The scan can detect an app pixel but can't inspect its code.
    expect(scan.coverage.unseen).toEqual([
      { what: 'pixel_sandbox', names: ['meta_pixel 731205580412977'] },
      { what: 'checkout', names: [] },
    ]);
  });

  it('lists the Tag Manager containers that the scan can’t inspect', async () => {
    const given = cleanShop('container');
    paste(given, TRACKING, PASTED.tagManager);
    const { scan } = await scanned(given);
    expect(scan.coverage.unseen).toContainEqual({ what: 'tag_manager', names: ['GTM-W7K4PXQ'] });
  });

  it('rates a problem as possible if no page shows it, and lists every file that contains it', async () => {
    const given = cleanShop('unused');
    paste(given, 'snippets/a.liquid', PASTED.universalAnalytics);
    paste(given, 'snippets/b.liquid', `\n\n${PASTED.universalAnalytics}`);
    const { scan } = await scanned(given);
    const [legacy] = detailsOf(scan, 'ga_analytics_js_legacy');
    expect(legacy).toMatchObject({ pages: [], origin: 'file', finding: { confidence: 'possible', severity: 'error' } });
    expect(legacy!.files.map(({ name, line }) => [name, line])).toEqual([
      ['snippets/a.liquid', 3],
      ['snippets/b.liquid', 5],
    ]);
    expect(scan.score).toBe(90);
  });

  it('lists candidate files when several files contain the code from a page', async () => {
    const given = cleanShop('candidates');
    paste(given, TRACKING, PASTED.metaPixel);
    paste(given, 'snippets/copy.liquid', PASTED.metaPixel);
    const { scan } = await scanned(given);
    expect(detailsOf(scan, 'shopify_consent_bypass')[0]).toMatchObject({
      origin: 'candidates',
      files: [{ name: 'snippets/copy.liquid' }, { name: TRACKING }],
    });
  });

  it('scans a store without products and a password-protected store', async () => {
    const bare = emptyShop('bare');
    bare.themes = cleanShop().themes;
    expect((await scanned(bare)).scan.coverage.pages[1]).toMatchObject({
      kind: 'product',
      state: 'absent',
      path: null,
    });
    const closed = sampleShop('closed');
    closed.passwordProtected = true;
    const { scan } = await scanned(closed);
    expect([scan.state, scan.reason, scan.score]).toEqual(['partial', 'password', null]);
    expect(new Set(scan.coverage.pages.map(({ state }) => state))).toEqual(new Set(['password']));
    expect(detailsOf(scan, 'ga_analytics_js_legacy')[0]).toMatchObject({
      pages: [],
      finding: { confidence: 'certain' },
    });
    expect(scan.covered.filter(place => place.startsWith('page:'))).toEqual([]);
  });

  it('scans the pages even if the app can’t read the theme', async () => {
    const given = sampleShop('no-scope');
    given.scopes.delete('read_themes');
    const { scan, shop } = await scanned(given);
    expect([scan.state, scan.reason, scan.coverage.theme.state]).toEqual(['partial', 'no_scope', 'no_scope']);
    expect(scan.score).toBeLessThan(80);
    expect(detailsOf(scan, 'ga_analytics_js_legacy')[0]).toMatchObject({ files: [], origin: 'unknown' });
    expect((await shop.record())?.scopes).toEqual(['read_products']);
  });

  it('stores the shop profile from Shopify', async () => {
    const { shop } = await scanned(sampleShop('profile'));
    expect(await shop.record()).toMatchObject({
      ...{ name: 'Sample Shop', timeZone: 'America/New_York', primaryHost: 'www.profile.example' },
      scopes: ['read_products', 'read_themes'],
    });
  });

  it('treats the locations of a deleted page or file as checked', async () => {
    const given = sampleShop('gone');
    given.themes[0]!.files.set(
      'snippets/old.liquid',
      "<script>var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-1-1']);</script>",
    );
    given.themes[0]!.files.set('templates/product.liquid', "<script>fbq('track', 'Bought');</script>");
    const { shop, scan } = await scanned(given);
    const of = (rule: string) => scan.findings.find(({ ruleId }) => ruleId === rule)!.fingerprint;
    const prints = [of('ga_js_legacy'), of('meta_pixel_nonstandard_event')];
    given.themes[0]!.files.delete('snippets/old.liquid');
    given.themes[0]!.files.set('templates/product.liquid', '');
    given.products.shift();
    await harness.scan(given.domain);
    const after = await newestScan(shop);
    expect(after.coverage.pages).toContainEqual(
      expect.objectContaining({ path: '/products/product-1', state: 'gone' }),
    );
    expect([...after.changes.fixed].sort()).toEqual([...prints].sort());
  });
});

describe('drift findings', () => {
  it('keeps a drift finding open until the missing tag returns', async () => {
    const given = cleanShop('drift');
    paste(given, TRACKING, PASTED.tagManager);
    const { shop } = await scanned(given);
    paste(given, TRACKING, '');
    for (const _ of [1, 2]) {
      await harness.scan(given.domain);
      const scan = await newestScan(shop);
      const [gone] = detailsOf(scan, 'drift_tag_removed');
      expect(gone).toMatchObject({ finding: { severity: 'error', ids: ['GTM-W7K4PXQ'] }, files: [] });
      expect(gone!.pages).toHaveLength(4);
      // Drift doesn't lower the score.
      expect(scan.score).toBe(100);
    }
    paste(given, TRACKING, PASTED.tagManager);
    await harness.scan(given.domain);
    expect(detailsOf(await newestScan(shop), 'drift_tag_removed')).toEqual([]);
    expect((await shop.findings.list({ status: 'fixed', ruleId: 'drift_tag_removed', limit: 10 })).rows).toHaveLength(
      1,
    );
  });

  it('updates the baseline after the merchant accepts a drift finding', async () => {
    const given = cleanShop('accepted');
    paste(given, TRACKING, PASTED.tagManager);
    const { shop } = await scanned(given);
    paste(given, TRACKING, '');
    await harness.scan(given.domain);
    const { rows } = await shop.findings.list({ status: 'open', ruleId: 'drift_tag_removed', limit: 10 });
    expect(rows).toHaveLength(1);
    await shop.findings.accept(
      rows.map(({ fingerprint }) => fingerprint),
      { reason: 'moved to the app', until: null, by: 'owner' },
    );
    await harness.scan(given.domain);
    await harness.scan(given.domain);
    expect(detailsOf(await newestScan(shop), 'drift_tag_removed')).toEqual([]);
  });
});

describe('scan requests', () => {
  it('returns the current scan instead of starting another scan', async () => {
    const given = cleanShop('joined');
    await harness.install(given);
    const merchant = harness.app.offlineContext(given.domain);
    const [first, second] = [await startScan(merchant, 'merchant'), await startScan(merchant, 'merchant')];
    expect(second.id).toBe(first.id);
    await harness.work(given.domain);
    expect((await merchant.shop.scans.list({ limit: 10 })).rows).toHaveLength(1);
  });

  it('starts another scan to recheck a finding that a running scan might have checked too early', async () => {
    const given = sampleShop('again');
    const { shop, scan } = await scanned(given);
    const merchant = harness.app.offlineContext(given.domain);
    expect(await recheck(merchant, 'f'.repeat(32))).toBeNull();
    await startScan(merchant, 'merchant');
    const running = (await harness.store.jobs.claim('test', ['scan'], 60_000))!;
    expect((await recheck(merchant, scan.findings[0]!.fingerprint))?.id).toBe(running.id);
    await running.complete();
    await harness.work(given.domain);
    expect((await shop.scans.list({ limit: 10 })).rows).toHaveLength(2);
  });
});
