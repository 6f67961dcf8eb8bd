import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanShop, passwordShop, sampleShop } from '../../stand-in/shop/samples.ts';
import { PASTED, themeFiles } from '../../stand-in/shop/theme.ts';
import { createWorld, type World } from '../scan/testing/world.ts';
import { dismissGuide, homeOf } from './home.ts';

const DAY = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('Home', () => {
  it('says before the first scan that there was none', async () => {
    const shop = await world.install(sampleShop('home-new'));
    const view = await homeOf(shop, Date.now());
    expect(view.verdict).toMatchObject({ kind: 'none', needs: 0, at: null });
    expect(view.score).toEqual({ value: null, before: null, moved: [] });
    expect(view.setup.find(({ step }) => step === 'scan')!.done).toBe(false);
    expect(view.notices).toEqual([]);
  });

  it('shows a scan that waits', async () => {
    const shop = await world.install(sampleShop('home-live'));
    const { job } = await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
    expect((await homeOf(shop, Date.now())).live).toEqual({ id: job.id, queued: true, progress: null });
  });

  it('counts what needs the merchant, names the file, and puts the gravest first', async () => {
    const shop = await world.install(sampleShop('home-found'));
    await world.scan(shop.domain);
    const view = await homeOf(shop, Date.now());
    expect(view.verdict).toMatchObject({ kind: 'urgent', theme: 'Dawn' });
    expect(view.verdict.needs).toBe(view.first.length);
    expect(view.first[0]).toMatchObject({ severity: 'error', place: 'snippets/tracking.liquid' });
    expect(view.findings).toEqual({ open: view.first.length, since: null });
  });

  it('says what moved the score, and it adds up', async () => {
    const stood = sampleShop('home-moved');
    // Beside the app's own pixel the pasted one would stay urgent.
    stood.pixels = [];
    const shop = await world.install(stood);
    await world.scan(shop.domain);
    stood.themes[0]!.files = themeFiles(PASTED.metaPixel);
    await world.scan(shop.domain);
    const { score, verdict, findings } = await homeOf(shop, Date.now());
    expect(verdict.kind).toBe('attention');
    expect(findings.since).toBeLessThan(0);
    expect(score.moved.reduce((total, { points }) => total + points, 0)).toBe(score.value! - score.before!);
    expect(score.moved[0]!.title).not.toBe(score.moved[0]!.ruleId);
  });

  it('says of a store with nothing to find how much was looked at', async () => {
    const shop = await world.install(cleanShop('home-clean'));
    await world.scan(shop.domain);
    const { verdict, checked, first } = await homeOf(shop, Date.now());
    expect({ kind: verdict.kind, first }).toEqual({ kind: 'clear', first: [] });
    expect(checked!.pages).toBeGreaterThan(2);
    expect(checked!.files).toBeGreaterThan(5);
  });

  it('does not count what the merchant accepted', async () => {
    const shop = await world.install(sampleShop('home-accepted'));
    await world.scan(shop.domain);
    const { first, findings } = await homeOf(shop, Date.now());
    await shop.findings.accept([first[0]!.fingerprint], { reason: 'known', until: null, by: '42' });
    const after = await homeOf(shop, Date.now());
    expect(after.findings.open).toBe(findings.open - 1);
    expect(after.first.map(({ fingerprint }) => fingerprint)).not.toContain(first[0]!.fingerprint);
  });

  it('says that a storefront is behind a password, and that a theme may not be read', async () => {
    const shut = cleanShop('home-shut');
    shut.passwordProtected = true;
    const shop = await world.install(shut);
    await world.scan(shop.domain);
    expect((await homeOf(shop, Date.now())).notices).toContain('password');

    expect((await homeOf(shop, Date.now())).verdict.kind).toBe('unknown');

    // What the theme alone shows still needs the merchant.
    const faulty = await world.install(passwordShop('home-shut-faulty'));
    await world.scan(faulty.domain);
    const { verdict, score } = await homeOf(faulty, Date.now());
    expect({ kind: verdict.kind, score: score.value }).toEqual({ kind: 'urgent', score: null });

    const silent = cleanShop('home-no-scope');
    silent.scopes.delete('read_themes');
    const other = await world.install(silent);
    await world.scan(other.domain);
    expect((await homeOf(other, Date.now())).notices).toContain('no_scope');
  });

  it('says that a scan is old, by the schedule', async () => {
    const shop = await world.install(cleanShop('home-old'));
    await world.scan(shop.domain);
    await shop.setSettings({ schedule: 'daily' });
    const { at } = (await homeOf(shop, Date.now())).verdict;
    expect((await homeOf(shop, at! + 2 * DAY)).notices).not.toContain('stale');
    expect((await homeOf(shop, at! + 2 * DAY + 1)).notices).toContain('stale');
    await shop.setSettings({ schedule: 'off' });
    expect((await homeOf(shop, at! + 20 * DAY)).notices).not.toContain('stale');
  });

  it('guides through the set-up until the merchant puts that away', async () => {
    const shop = await world.install(cleanShop('home-guide'));
    expect((await homeOf(shop, Date.now())).setup.map(({ step }) => step)).toContain('catalog');
    await dismissGuide(shop);
    expect((await homeOf(shop, Date.now())).setup).toEqual([]);
    const other = await world.install(cleanShop('home-guided'));
    expect((await homeOf(other, Date.now())).setup).not.toEqual([]);
  });

  it('asks to open the app again when Shopify takes its word back', async () => {
    const shop = await world.install(cleanShop('home-reopen'));
    await shop.setNeedsReopening(true);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['needs_reopening']);
  });

  it('says that a scan lost its word in the middle, once it has it again', async () => {
    const shop = await world.install(cleanShop('home-interrupted'));
    world.beforeAsking = operation => {
      if (operation === 'ThemeFiles') world.standIn.tokens.revoke(shop.domain);
    };
    await world.scan(shop.domain);
    world.beforeAsking = () => undefined;
    expect((await homeOf(shop, Date.now())).notices).toEqual(['needs_reopening', 'partial']);
    await shop.setNeedsReopening(false);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['interrupted', 'partial']);
  });

  it('says that the home page could not be read, though the theme was', async () => {
    const dark = cleanShop('home-dark');
    const shop = await world.install(dark);
    world.standIn.network.names.delete(dark.host);
    await world.scan(shop.domain);
    expect((await homeOf(shop, Date.now())).notices).toEqual(['not_reached']);
  });
});
