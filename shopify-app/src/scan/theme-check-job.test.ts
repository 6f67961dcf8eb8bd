import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeFiles, createJobHarness, type JobHarness, newestScan } from '../../test/job-harness.ts';
import type { ThemeCheckOutcome } from './theme-check-job.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

/** Runs the nightly theme check and the jobs that it enqueues. */
async function check(domain: string) {
  const shop = harness.store.shop(domain);
  const { job } = await shop.jobs.enqueue({ kind: 'theme_check' });
  await harness.work(domain);
  const { rows } = await shop.scans.list({ limit: 100 });
  const { different } = (await shop.jobs.get(job.id))!.result as ThemeCheckOutcome;
  return { different, scans: rows };
}

describe('nightly theme check', () => {
  it('scans the store only if a theme file was changed, added, or removed', async () => {
    const given = sampleShop('watched');
    const shop = await harness.install(given);
    await harness.scan(given.domain);
    expect(await check(given.domain)).toMatchObject({ different: 0, scans: [{ trigger: 'merchant' }] });
    const { files } = given.themes[0]!;
    files.set('layout/theme.liquid', `${files.get('layout/theme.liquid')}<!-- edited -->`);
    files.set('snippets/new.liquid', '');
    files.delete('templates/404.liquid');
    expect((await check(given.domain)).different).toBe(3);
    expect(await newestScan(shop)).toMatchObject({ trigger: 'schedule', state: 'complete' });
    expect(await check(given.domain)).toMatchObject({ different: 0, scans: { length: 2 } });
  });

  it('never requests file content during a theme check', async () => {
    const given = sampleShop('cheap');
    await harness.install(given);
    await harness.scan(given.domain);
    harness.fakeShopify.calls.length = 0;
    await check(given.domain);
    expect(harness.fakeShopify.calls.map(({ operation }) => operation)).toEqual(['MainTheme', 'ThemeChecksums']);
  });

  it('treats the publication of another theme as a change', async () => {
    const given = sampleShop('other-theme');
    await harness.install(given);
    await harness.scan(given.domain);
    for (const theme of given.themes) theme.role = theme.role === 'MAIN' ? 'UNPUBLISHED' : 'MAIN';
    expect((await check(given.domain)).different).toBe(
      codeFiles({ ...given, themes: given.themes.filter(({ role }) => role === 'MAIN') }),
    );
  });

  it('doesn’t report a change if the theme can’t be compared', async () => {
    const given = sampleShop('unlisted');
    await harness.install(given);
    await harness.scan(given.domain);
    const filenames = ['snippets/tracking.liquid'];
    harness.fakeShopify.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeChecksums' });
    expect(await check(given.domain)).toMatchObject({ different: null, scans: { length: 1 } });
    given.themes = [];
    expect((await check(given.domain)).different).toBeNull();
  });
});
