import { cleanShop, PASTED, passwordShop, sampleShop, sampleThemeFiles } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { dismissGuide, homeOf } from './home.ts';

const DAY = 86_400_000;
let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

describe('Home', () => {
  it('shows that a new store has never been scanned', async () => {
    const shop = await harness.install(sampleShop('home-new'));
    const view = await homeOf(shop, Date.now());
    expect(view.verdict).toMatchObject({ kind: 'none', needs: 0, at: null });
    expect(view.score).toEqual({ value: null, before: null, moved: [] });
    expect(view.setup.find(({ step }) => step === 'scan')!.done).toBe(false);
    expect(view.notices).toEqual([]);
  });

  it('shows a queued scan on Home', async () => {
    const shop = await harness.install(sampleShop('home-live'));
    const { job } = await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
    expect((await homeOf(shop, Date.now())).live).toEqual({ id: job.id, queued: true, progress: null });
  });

  it('counts the issues that need attention and lists them by severity, with their files', async () => {
    const shop = await harness.install(sampleShop('home-found'));
    await harness.scan(shop.domain);
    const view = await homeOf(shop, Date.now());
    expect(view.verdict).toMatchObject({ kind: 'urgent', theme: 'Dawn' });
    expect(view.verdict.needs).toBe(view.first.length);
    expect(view.first[0]).toMatchObject({ severity: 'error', place: 'snippets/tracking.liquid' });
    expect(view.findings).toEqual({ open: view.first.length, since: null });
  });

  it('explains every point of a score change on Home', async () => {
    const fakeShop = sampleShop('home-moved');
    // If the app pixel were installed, the finding about the pasted pixel would remain urgent.
    fakeShop.pixels = [];
    const shop = await harness.install(fakeShop);
    await harness.scan(shop.domain);
    fakeShop.themes[0]!.files = sampleThemeFiles(PASTED.metaPixel);
    await harness.scan(shop.domain);
    const { score, verdict, findings } = await homeOf(shop, Date.now());
    expect(verdict.kind).toBe('attention');
    expect(findings.since).toBeLessThan(0);
    expect(score.moved.reduce((total, { points }) => total + points, 0)).toBe(score.value! - score.before!);
    expect(score.moved[0]!.title).not.toBe(score.moved[0]!.ruleId);
  });

  it('shows the number of scanned pages and files if the scan has no findings', async () => {
    const shop = await harness.install(cleanShop('home-clean'));
    await harness.scan(shop.domain);
    const { verdict, checked, first } = await homeOf(shop, Date.now());
    expect({ kind: verdict.kind, first }).toEqual({ kind: 'clear', first: [] });
    expect(checked!.pages).toBeGreaterThan(2);
    expect(checked!.files).toBeGreaterThan(5);
  });

  it('doesn’t count accepted findings as issues that need attention', async () => {
    const shop = await harness.install(sampleShop('home-accepted'));
    await harness.scan(shop.domain);
    const { first, findings } = await homeOf(shop, Date.now());
    await shop.findings.accept([first[0]!.fingerprint], { reason: 'known', until: null, by: '42' });
    const after = await homeOf(shop, Date.now());
    expect(after.findings.open).toBe(findings.open - 1);
    expect(after.first.map(({ fingerprint }) => fingerprint)).not.toContain(first[0]!.fingerprint);
  });

  it('reports a password-protected storefront and a theme that the app can’t read', async () => {
    const shut = cleanShop('home-shut');
    shut.passwordProtected = true;
    const shop = await harness.install(shut);
    await harness.scan(shop.domain);
    expect((await homeOf(shop, Date.now())).notices).toContain('password');

    expect((await homeOf(shop, Date.now())).verdict.kind).toBe('unknown');

    // Findings that are only in the theme still need attention.
    const faulty = await harness.install(passwordShop('home-shut-faulty'));
    await harness.scan(faulty.domain);
    const { verdict, score } = await homeOf(faulty, Date.now());
    expect({ kind: verdict.kind, score: score.value }).toEqual({ kind: 'urgent', score: null });

    const silent = cleanShop('home-no-scope');
    silent.scopes.delete('read_themes');
    const other = await harness.install(silent);
    await harness.scan(other.domain);
    expect((await homeOf(other, Date.now())).notices).toContain('no_scope');
  });

  it('reports when a scan is outdated according to the scan schedule', async () => {
    const shop = await harness.install(cleanShop('home-old'));
    await harness.scan(shop.domain);
    await shop.setSettings({ schedule: 'daily' });
    const { at } = (await homeOf(shop, Date.now())).verdict;
    expect((await homeOf(shop, at! + 2 * DAY)).notices).not.toContain('stale');
    expect((await homeOf(shop, at! + 2 * DAY + 1)).notices).toContain('stale');
    await shop.setSettings({ schedule: 'off' });
    expect((await homeOf(shop, at! + 20 * DAY)).notices).not.toContain('stale');
  });

  it('shows the setup guide until the merchant dismisses it', async () => {
    const shop = await harness.install(cleanShop('home-guide'));
    expect((await homeOf(shop, Date.now())).setup.map(({ step }) => step)).toContain('catalog');
    await dismissGuide(shop);
    expect((await homeOf(shop, Date.now())).setup).toEqual([]);
    const other = await harness.install(cleanShop('home-guided'));
    expect((await homeOf(other, Date.now())).setup).not.toEqual([]);
  });

  it('asks the merchant to reopen the app when the token is revoked', async () => {
    const shop = await harness.install(cleanShop('home-reopen'));
    await shop.setNeedsReopening(true);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['needs_reopening']);
  });

  it('reports an interrupted scan after access is restored', async () => {
    const shop = await harness.install(cleanShop('home-interrupted'));
    harness.beforeAsking = operation => {
      if (operation === 'ThemeFiles') harness.fakeShopify.tokens.revoke(shop.domain);
    };
    await harness.scan(shop.domain);
    harness.beforeAsking = () => undefined;
    expect((await homeOf(shop, Date.now())).notices).toEqual(['needs_reopening', 'partial']);
    await shop.setNeedsReopening(false);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['interrupted', 'partial']);
  });

  it('reports an unreadable home page even if the theme was readable', async () => {
    const dark = cleanShop('home-dark');
    const shop = await harness.install(dark);
    harness.fakeShopify.network.names.delete(dark.host);
    await harness.scan(shop.domain);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['not_reached']);
  });
});
