import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleShop } from '../../stand-in/shop/samples.ts';
import { codeFiles, createWorld, newestScan, type World } from './testing/world.ts';
import type { ThemeCheckOutcome } from './theme-check-job.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Looks at the theme as every night, and does what follows from it. */
async function check(domain: string) {
  const shop = world.store.shop(domain);
  const { job } = await shop.jobs.enqueue({ kind: 'theme_check' });
  await world.work(domain);
  const { rows } = await shop.scans.list({ limit: 100 });
  const { different } = (await shop.jobs.get(job.id))!.result as ThemeCheckOutcome;
  return { different, scans: rows };
}

describe('the nightly look at the theme', () => {
  it('scans the store when a file was changed, added or removed, and only then', async () => {
    const given = sampleShop('watched');
    const shop = await world.install(given);
    await world.scan(given.domain);
    expect(await check(given.domain)).toMatchObject({ different: 0, scans: [{ trigger: 'merchant' }] });
    const { files } = given.themes[0]!;
    files.set('layout/theme.liquid', `${files.get('layout/theme.liquid')}<!-- edited -->`);
    files.set('snippets/new.liquid', '');
    files.delete('templates/404.liquid');
    expect((await check(given.domain)).different).toBe(3);
    expect(await newestScan(shop)).toMatchObject({ trigger: 'schedule', state: 'complete' });
    expect(await check(given.domain)).toMatchObject({ different: 0, scans: { length: 2 } });
  });

  it('asks for no text of any file', async () => {
    const given = sampleShop('cheap');
    await world.install(given);
    await world.scan(given.domain);
    world.standIn.calls.length = 0;
    await check(given.domain);
    expect(world.standIn.calls.map(({ operation }) => operation)).toEqual(['MainTheme', 'ThemeChecksums']);
  });

  it('takes another published theme for a change', async () => {
    const given = sampleShop('other-theme');
    await world.install(given);
    await world.scan(given.domain);
    for (const theme of given.themes) theme.role = theme.role === 'MAIN' ? 'UNPUBLISHED' : 'MAIN';
    expect((await check(given.domain)).different).toBe(
      codeFiles({ ...given, themes: given.themes.filter(({ role }) => role === 'MAIN') }),
    );
  });

  it('says nothing of a theme that it cannot compare', async () => {
    const given = sampleShop('unlisted');
    await world.install(given);
    await world.scan(given.domain);
    const filenames = ['snippets/tracking.liquid'];
    world.standIn.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeChecksums' });
    expect(await check(given.domain)).toMatchObject({ different: null, scans: { length: 1 } });
    given.themes = [];
    expect((await check(given.domain)).different).toBeNull();
  });
});
