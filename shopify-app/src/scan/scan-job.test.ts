import { scoreOf } from '@compliance/core/pixel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanShop, sampleShop } from '../../stand-in/shop/samples.ts';
import { emptyShop, type StandInShop } from '../../stand-in/shop/shop.ts';
import { PASTED } from '../../stand-in/shop/theme.ts';
import { recheck, startScan } from './start-scan.ts';
import { codeFiles, createWorld, detailsOf, newestScan, type World } from './testing/world.ts';
import type { FindingDetail } from './types.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const paste = (shop: StandInShop, name: string, text: string) => shop.themes[0]!.files.set(name, text);
const TRACKING = 'snippets/tracking.liquid';

/** A shop that is new to the app, scanned once. */
async function scanned(given: StandInShop) {
  const shop = await world.install(given);
  const job = await world.scan(given.domain);
  return { shop, job, scan: await newestScan(shop) };
}

describe('a scan of a store', () => {
  it('says of each fault which pages show it and which file and line hold it', async () => {
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
    // No rule finds this in the file alone: there it is told by its text.
    const [double] = detailsOf(scan, 'meta_pixel_app_duplicate');
    expect(double).toMatchObject({ files: [{ name: TRACKING, line: 9, column: 3 }], origin: 'file' });
    expect(scan.covered).toEqual(expect.arrayContaining(['page:/', 'page:/cart', `theme:${TRACKING}`]));
  });

  it('has the score of core over all of its findings, and lines that add up', async () => {
    const { scan } = await scanned(sampleShop('scored'));
    const union = new Map(scan.findings.map(one => [one.fingerprint, (one.detail as FindingDetail).finding]));
    const { score, breakdown } = scoreOf([...union.values()]);
    expect([scan.score, scan.breakdown]).toEqual([score, breakdown]);
    expect((scan.breakdown as { points: number }[]).reduce((sum, { points }) => sum + points, 0)).toBe(100 - score);
    expect(score).toBeLessThan(80);
  });

  it('tells progress step by step', async () => {
    const given = sampleShop('progress');
    await world.install(given);
    const { id } = await startScan(world.app.merchantBehind(given.domain), 'merchant');
    const said: unknown[] = [];
    const job = (await world.store.jobs.claim('test', ['scan'], 60_000))!;
    expect(job.id).toBe(id);
    const { scanJob } = await import('./scan-job.ts');
    await scanJob({ ...world, clock: Date.now }).run({
      ...{ job, merchant: { ...world.app.merchantBehind(given.domain), shop: job.shop } },
      ...{ signal: new AbortController().signal, report: (progress: unknown) => said.push(progress) },
    });
    expect(said[0]).toEqual({ step: 'shop', done: 0, total: 0 });
    expect(said).toContainEqual({ step: 'storefront', done: 4, total: 4 });
    expect(said).toContainEqual({ step: 'theme', done: codeFiles(given), total: codeFiles(given) });
    expect(said.at(-1)).toEqual({ step: 'settling', done: 0, total: 0 });
    await job.complete();
  });

  it('says that a fault is fixed when the file was mended, and that it is back when it is', async () => {
    const given = sampleShop('mended');
    const { shop, scan } = await scanned(given);
    const { fingerprint } = scan.findings.find(({ ruleId }) => ruleId === 'ga_analytics_js_legacy')!;
    const pasted = given.themes[0]!.files.get(TRACKING)!;
    paste(given, TRACKING, PASTED.metaPixel);
    await world.scan(given.domain);
    const second = await newestScan(shop);
    expect(second.changes.fixed).toEqual([fingerprint]);
    // That the dead tag is gone is no news.
    expect(second.changes.new).toEqual([]);
    expect((await shop.findings.get(fingerprint))?.status).toBe('fixed');
    paste(given, TRACKING, pasted);
    await world.scan(given.domain);
    expect((await newestScan(shop)).changes.regressed).toEqual([fingerprint]);
  });

  it('finds nothing in a clean store, and says what it looked at', async () => {
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
    // The app's pixel is there; what its code does is not.
    expect(scan.coverage.unseen).toEqual([
      { what: 'pixel_sandbox', names: ['meta_pixel 731205580412977'] },
      { what: 'checkout', names: [] },
    ]);
  });

  it('names the containers that it cannot look into', async () => {
    const given = cleanShop('container');
    paste(given, TRACKING, PASTED.tagManager);
    const { scan } = await scanned(given);
    expect(scan.coverage.unseen).toContainEqual({ what: 'tag_manager', names: ['GTM-W7K4PXQ'] });
  });

  it('holds what no page shows for possible, and names each file that has it', async () => {
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

  it('names candidates when several files hold what a page shows', async () => {
    const given = cleanShop('candidates');
    paste(given, TRACKING, PASTED.metaPixel);
    paste(given, 'snippets/copy.liquid', PASTED.metaPixel);
    const { scan } = await scanned(given);
    expect(detailsOf(scan, 'shopify_consent_bypass')[0]).toMatchObject({
      origin: 'candidates',
      files: [{ name: 'snippets/copy.liquid' }, { name: TRACKING }],
    });
  });

  it('reads a store without products, and one whose password is on', async () => {
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

  it('says that the theme may not be read, and reads the pages all the same', async () => {
    const given = sampleShop('no-scope');
    given.scopes.delete('read_themes');
    const { scan, shop } = await scanned(given);
    expect([scan.state, scan.reason, scan.coverage.theme.state]).toEqual(['partial', 'no_scope', 'no_scope']);
    expect(scan.score).toBeLessThan(80);
    expect(detailsOf(scan, 'ga_analytics_js_legacy')[0]).toMatchObject({ files: [], origin: 'unknown' });
    expect((await shop.record())?.scopes).toEqual(['read_products']);
  });

  it('keeps what Shopify tells of the shop', async () => {
    const { shop } = await scanned(sampleShop('profile'));
    expect(await shop.record()).toMatchObject({
      ...{ name: 'Sample Shop', timeZone: 'America/New_York', primaryHost: 'www.profile.example' },
      scopes: ['read_products', 'read_themes'],
    });
  });

  it('takes a page or a file that is no more for a place that was read', async () => {
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
    await world.scan(given.domain);
    const after = await newestScan(shop);
    expect(after.coverage.pages).toContainEqual(
      expect.objectContaining({ path: '/products/product-1', state: 'gone' }),
    );
    expect([...after.changes.fixed].sort()).toEqual([...prints].sort());
  });
});

describe('a difference from the baseline', () => {
  it('stays a finding until the tag is back', async () => {
    const given = cleanShop('drift');
    paste(given, TRACKING, PASTED.tagManager);
    const { shop } = await scanned(given);
    paste(given, TRACKING, '');
    for (const _ of [1, 2]) {
      await world.scan(given.domain);
      const scan = await newestScan(shop);
      const [gone] = detailsOf(scan, 'drift_tag_removed');
      expect(gone).toMatchObject({ finding: { severity: 'error', ids: ['GTM-W7K4PXQ'] }, files: [] });
      expect(gone!.pages).toHaveLength(4);
      // It is no fault of the pages as they are.
      expect(scan.score).toBe(100);
    }
    paste(given, TRACKING, PASTED.tagManager);
    await world.scan(given.domain);
    expect(detailsOf(await newestScan(shop), 'drift_tag_removed')).toEqual([]);
    expect((await shop.findings.list({ status: 'fixed', ruleId: 'drift_tag_removed', limit: 10 })).rows).toHaveLength(
      1,
    );
  });

  it('becomes the baseline once the merchant accepts it', async () => {
    const given = cleanShop('accepted');
    paste(given, TRACKING, PASTED.tagManager);
    const { shop } = await scanned(given);
    paste(given, TRACKING, '');
    await world.scan(given.domain);
    const { rows } = await shop.findings.list({ status: 'open', ruleId: 'drift_tag_removed', limit: 10 });
    expect(rows).toHaveLength(1);
    await shop.findings.accept(
      rows.map(({ fingerprint }) => fingerprint),
      { reason: 'moved to the app', until: null, by: 'owner' },
    );
    await world.scan(given.domain);
    await world.scan(given.domain);
    expect(detailsOf(await newestScan(shop), 'drift_tag_removed')).toEqual([]);
  });
});

describe('asking for a scan', () => {
  it('joins the one under way', async () => {
    const given = cleanShop('joined');
    await world.install(given);
    const merchant = world.app.merchantBehind(given.domain);
    const [first, second] = [await startScan(merchant, 'merchant'), await startScan(merchant, 'merchant')];
    expect(second.id).toBe(first.id);
    await world.work(given.domain);
    expect((await merchant.shop.scans.list({ limit: 10 })).rows).toHaveLength(1);
  });

  it('once more for one finding follows the one under way, which may have read too early', async () => {
    const given = sampleShop('again');
    const { shop, scan } = await scanned(given);
    const merchant = world.app.merchantBehind(given.domain);
    expect(await recheck(merchant, 'f'.repeat(32))).toBeNull();
    await startScan(merchant, 'merchant');
    const running = (await world.store.jobs.claim('test', ['scan'], 60_000))!;
    expect((await recheck(merchant, scan.findings[0]!.fingerprint))?.id).toBe(running.id);
    await running.complete();
    await world.work(given.domain);
    expect((await shop.scans.list({ limit: 10 })).rows).toHaveLength(2);
  });
});
