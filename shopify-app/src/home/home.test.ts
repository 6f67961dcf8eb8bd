import { DATASET } from '@compliance/core/tariff';
import { cleanShop, PASTED, passwordShop, sampleShop, sampleThemeFiles } from '@compliance/fake-shopify';
import type { NewVariant, Shop } from '@compliance/store/shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { dismissGuide, homeOf } from './home.ts';
import type { InboxItem } from './inbox.ts';

const DAY = 86_400_000;

/** Last day that the tariff lists cover, at noon UTC. */
const LISTS_ARE_CURRENT = Date.parse(`${DATASET.known_through}T12:00:00Z`);

const VARIANT = {
  ...{ variantId: 'gid://shopify/ProductVariant/1', productId: 'gid://shopify/Product/1' },
  ...{ productTitle: 'Bolt', variantTitle: 'M8', sku: null, htsCode: null, origin: null, digits: 'full', answer: null },
  listVersion: DATASET.version,
};

const open = (shop: Shop, now = Date.now()) => homeOf(shop, now, DATASET);
const findingsOf = (inbox: readonly InboxItem[]) => inbox.filter(({ kind }) => kind === 'finding');
const tasksOf = (inbox: readonly InboxItem[]) =>
  Object.fromEntries(inbox.flatMap(item => (item.kind === 'task' ? [[item.task, item.count]] : [])));
const fingerprintOf = (item: InboxItem | undefined) => (item?.kind === 'finding' ? item.fingerprint : undefined);

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

describe('Home', () => {
  it('shows that a new store has never been scanned', async () => {
    const shop = await harness.install(sampleShop('home-new'));
    const view = await open(shop);
    expect(view.verdict).toMatchObject({ kind: 'none', needs: 0, at: null });
    expect(view.score).toEqual({ value: null, before: null, moved: [], browser: null });
    expect(view.setup.find(({ step }) => step === 'scan')!.done).toBe(false);
    expect(view.notices).toEqual([]);
  });

  it('shows a queued scan on the Home page', async () => {
    const shop = await harness.install(sampleShop('home-live'));
    const { job } = await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
    expect((await open(shop)).live).toEqual({ id: job.id, queued: true, progress: null });
  });

  it('counts the issues that need attention and lists them by severity, with their files', async () => {
    const shop = await harness.install(sampleShop('home-found'));
    await harness.scan(shop.domain);
    const view = await open(shop);
    expect(view.verdict).toMatchObject({ kind: 'urgent', theme: 'Dawn' });
    expect(view.verdict.needs).toBe(view.inbox.length);
    expect(view.inbox[0]).toMatchObject({ urgency: 'error', place: 'snippets/tracking.liquid' });
    expect(view.findings).toEqual({ open: view.inbox.length, since: null });
  });

  it('explains every point of a score change on the Home page', async () => {
    const fakeShop = sampleShop('home-moved');
    // If the app pixel were installed, the finding about the pasted pixel would remain urgent.
    fakeShop.pixels = [];
    const shop = await harness.install(fakeShop);
    await harness.scan(shop.domain);
    fakeShop.themes[0]!.files = sampleThemeFiles(PASTED.metaPixel);
    await harness.scan(shop.domain);
    const { score, verdict, findings } = await open(shop);
    expect(verdict.kind).toBe('attention');
    expect(findings.since).toBeLessThan(0);
    expect(score.moved.reduce((total, { points }) => total + points, 0)).toBe(score.value! - score.before!);
    expect(score.moved[0]!.title).not.toBe(score.moved[0]!.ruleId);
  });

  it('shows the number of scanned pages and files if the scan has no findings', async () => {
    const shop = await harness.install(cleanShop('home-clean'));
    await harness.scan(shop.domain);
    const { verdict, checked, inbox } = await open(shop);
    expect({ kind: verdict.kind, inbox }).toEqual({ kind: 'unknown', inbox: [] });
    expect(checked!.pages).toBeGreaterThan(2);
    expect(checked!.files).toBeGreaterThan(5);
  });

  it('gives the all-clear only if no information is missing', async () => {
    const shop = await harness.install(cleanShop('home-clear'));
    await harness.scan(shop.domain);
    expect((await open(shop, LISTS_ARE_CURRENT)).verdict).toMatchObject({ kind: 'unknown', unknown: ['catalog'] });
    await shop.variants.upsert('run', [{ ...VARIANT, status: 'clear' }]);
    expect((await open(shop, LISTS_ARE_CURRENT)).verdict).toMatchObject({ kind: 'clear', unknown: [] });
    expect((await open(shop, LISTS_ARE_CURRENT + DAY)).verdict).toMatchObject({ kind: 'unknown', unknown: ['lists'] });
    await shop.variants.upsert('run', [{ ...VARIANT, status: 'hit' }]);
    expect((await open(shop, LISTS_ARE_CURRENT)).verdict).toMatchObject({ kind: 'review', needs: 0 });
    await shop.variants.upsert('run', [{ ...VARIANT, status: 'missing' }]);
    expect((await open(shop, LISTS_ARE_CURRENT)).verdict).toMatchObject({ kind: 'attention', needs: 1 });
  });

  it('collects tasks from the catalog and the certificates, and lists review tasks last', async () => {
    const given = sampleShop('home-tasks');
    const shop = await harness.install(given);
    await shop.jobs.enqueue({ kind: 'catalog' });
    await harness.work(given.domain);
    await shop.productCertificates.saveDraft('gid://shopify/Product/1', {});
    const { byStatus } = await shop.variants.counts();
    const { inbox, verdict } = await open(shop);
    const { invalid, missing, needs_digits, hit, in_scope } = byStatus;
    expect(tasksOf(inbox)).toEqual({ invalid, missing, needs_digits, hit, in_scope, draft: 1 });
    expect(verdict).toMatchObject({ kind: 'attention', needs: 3, urgent: 0 });
    const urgencies = inbox.map(({ urgency }) => urgency);
    expect(urgencies).toEqual([...urgencies].sort().reverse());
  });

  it('adds up the estimated duties, and doesn’t count unknown duties as zero', async () => {
    const shop = await harness.install(cleanShop('home-duties'));
    const variant = (n: number, more: Pick<NewVariant, 'status' | 'duty'>) => ({
      ...VARIANT,
      variantId: `v${n}`,
      ...more,
    });
    await shop.variants.upsert('run', [
      variant(1, { status: 'hit', duty: { min: 100, max: 250 } }),
      variant(2, { status: 'hit', duty: { min: 0, max: 150 } }),
      variant(3, { status: 'in_scope', duty: { min: 900, max: 900 } }),
    ]);
    const covered = async () =>
      (await open(shop)).inbox.flatMap(item => (item.kind === 'task' ? [[item.task, item.duty]] : []));
    expect(await covered()).toEqual([
      ['in_scope', { min: 9, max: 9, unknown: 0 }],
      ['hit', { min: 1, max: 4, unknown: 0 }],
    ]);
    await shop.variants.upsert('run', [variant(4, { status: 'hit', duty: null })]);
    expect((await covered())[1]).toEqual(['hit', { min: 1, max: 4, unknown: 1 }]);
    expect((await open(shop)).verdict.unknown).toContain('duties');
  });

  it('reports certificates that are incomplete, need a test, or haven’t been checked', async () => {
    const shop = await harness.install(cleanShop('home-certificates'));
    await shop.productCertificates.issued('gid://shopify/Product/1', { gccId: 'one', by: '' });
    const before = await open(shop);
    expect(before.verdict.unknown).toContain('certificates');
    const result = { gccId: 'one', status: 'incomplete', retestDue: '2026-01-01' };
    await shop.productCertificates.checked('gid://shopify/Product/1', result);
    const { inbox, verdict } = await open(shop);
    expect(tasksOf(inbox)).toEqual({ incomplete: 1, retest: 1 });
    expect(verdict.unknown).not.toContain('certificates');
  });

  it('reports variants whose results changed with new tariff lists', async () => {
    const shop = await harness.install(cleanShop('home-changed'));
    await shop.variants.upsert('run', [{ ...VARIANT, status: 'clear', listVersion: '2025-01-01' }]);
    await shop.variants.upsert('run', [{ ...VARIANT, status: 'hit' }]);
    expect(tasksOf((await open(shop)).inbox)).toEqual({ changed: null, hit: 1 });
  });

  it('counts the findings that aren’t in the inbox', async () => {
    const shop = await harness.install(sampleShop('home-many'));
    await harness.scan(shop.domain);
    const { inbox, moreFindings, verdict } = await open(shop);
    expect(findingsOf(inbox).length + moreFindings).toBe(verdict.needs);
  });

  it('doesn’t count accepted findings as issues that need attention', async () => {
    const shop = await harness.install(sampleShop('home-accepted'));
    await harness.scan(shop.domain);
    const { inbox, findings } = await open(shop);
    const accepted = fingerprintOf(inbox[0])!;
    await shop.findings.accept([accepted], { reason: 'known', until: null, by: '42' });
    const after = await open(shop);
    expect(after.findings.open).toBe(findings.open - 1);
    expect(after.inbox.map(fingerprintOf)).not.toContain(accepted);
  });

  it('reports a password-protected storefront and a theme that the app can’t read', async () => {
    const shut = cleanShop('home-shut');
    shut.passwordProtected = true;
    const shop = await harness.install(shut);
    await harness.scan(shop.domain);
    expect((await open(shop)).notices).toContain('password');

    expect((await open(shop)).verdict.kind).toBe('unknown');

    // Findings that are only in the theme still need attention.
    const faulty = await harness.install(passwordShop('home-shut-faulty'));
    await harness.scan(faulty.domain);
    const { verdict, score } = await open(faulty);
    expect({ kind: verdict.kind, score: score.value }).toEqual({ kind: 'urgent', score: null });

    const silent = cleanShop('home-no-scope');
    silent.scopes.delete('read_themes');
    const other = await harness.install(silent);
    await harness.scan(other.domain);
    expect((await open(other)).notices).toContain('no_scope');
  });

  it('reports an outdated scan based on the scan schedule', async () => {
    const shop = await harness.install(cleanShop('home-old'));
    await harness.scan(shop.domain);
    await shop.setSettings({ schedule: 'daily' });
    const { at } = (await open(shop)).verdict;
    expect((await open(shop, at! + 2 * DAY)).notices).not.toContain('stale');
    expect((await open(shop, at! + 2 * DAY + 1)).notices).toContain('stale');
    await shop.setSettings({ schedule: 'off' });
    expect((await open(shop, at! + 20 * DAY)).notices).not.toContain('stale');
  });

  it('shows the setup guide until the merchant dismisses it', async () => {
    const shop = await harness.install(cleanShop('home-guide'));
    expect((await open(shop)).setup.map(({ step }) => step)).toContain('catalog');
    await dismissGuide(shop);
    expect((await open(shop)).setup).toEqual([]);
    const other = await harness.install(cleanShop('home-guided'));
    expect((await open(other)).setup).not.toEqual([]);
  });

  it('asks the merchant to reopen the app when the token is revoked', async () => {
    const shop = await harness.install(cleanShop('home-reopen'));
    await shop.setNeedsReopening(true);
    expect((await open(shop)).notices).toEqual(['needs_reopening']);
  });

  it('reports an interrupted scan after access is restored', async () => {
    const shop = await harness.install(cleanShop('home-interrupted'));
    harness.beforeAsking = operation => {
      if (operation === 'ThemeFiles') harness.fakeShopify.tokens.revoke(shop.domain);
    };
    await harness.scan(shop.domain);
    harness.beforeAsking = () => undefined;
    expect((await open(shop)).notices).toEqual(['needs_reopening', 'partial']);
    await shop.setNeedsReopening(false);
    expect((await open(shop)).notices).toEqual(['interrupted', 'partial']);
  });

  it('reports an unreadable storefront home page even if the theme was readable', async () => {
    const dark = cleanShop('home-dark');
    const shop = await harness.install(dark);
    harness.fakeShopify.network.names.delete(dark.host);
    await harness.scan(shop.domain);
    expect((await open(shop)).notices).toEqual(['not_reached']);
  });
});
