import { setTimeout as wait } from 'node:timers/promises';
import { PASTED, sampleShop } from '@compliance/fake-shopify';
import type { Worker } from '@compliance/store/jobs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type FindingView, findingOf } from '../findings/findings.ts';
import { startWorker } from '../jobs/worker.ts';
import { scanJob } from './scan-job.ts';
import { themeWatchJob, watchTheme } from './theme-watch-job.ts';

let harness: JobHarness;
let worker: Worker;
let ahead = 0;
const clock = () => Date.now() + ahead;
const advance = (seconds: number) => {
  ahead += seconds * 1_000;
  harness.advance(seconds * 1_000);
};
beforeAll(async () => {
  harness = await createJobHarness();
  const { store, scanner, pool, app } = harness;
  worker = startWorker({
    ...{ store, clock, concurrency: 2, name: 'test', offlineContext: app.offlineContext },
    handlers: [scanJob({ scanner, pool, clock, renderScan: null }), themeWatchJob(clock)],
    logFailure: error => {
      throw error;
    },
  });
});
afterAll(async () => {
  await worker.stop();
  await harness.close();
});

const TRACKING = 'snippets/tracking.liquid';

/** Installs the app in a shop, scans the shop, and starts watching its theme. */
async function watched(name: string) {
  const given = sampleShop(name);
  const shop = await harness.install(given);
  const merchant = harness.app.offlineContext(given.domain);
  await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
  const scans = async () => (await shop.scans.list({ limit: 100 })).rows.length;
  const until = async (check: () => Promise<void>) => await vi.waitFor(check, { timeout: 15_000, interval: 100 });
  await until(async () => expect(await scans()).toBe(1));
  const { rows } = await shop.findings.list({ ruleId: 'ga_analytics_js_legacy', limit: 1 });
  const view = async () => (await findingOf(shop, rows[0]!.fingerprint))!;
  const compared = () =>
    harness.fakeShopify.calls.filter(({ operation, shop: on }) => operation === 'ThemeChecksums' && on === given.domain)
      .length;
  /** Calls `start`, and waits until the job has compared the theme again. */
  const comparison = async (start: () => unknown) => {
    const before = compared();
    await start();
    await until(async () => expect(compared()).toBeGreaterThan(before));
    await until(async () => expect((await shop.jobs.latest('theme_watch'))?.state).not.toBe('running'));
  };
  await comparison(() => watchTheme(merchant));
  return {
    ...{ shop, merchant, scans, until, view, comparison, files: given.themes[0]!.files },
    /** Waits until the finding matches the expected values. */
    shows: (expected: Partial<FindingView> | object) => until(async () => expect(await view()).toMatchObject(expected)),
  };
}

describe('theme watch', () => {
  it('checks a finding again soon after the merchant saves the fix, without a manual scan', async () => {
    const { files, view, comparison, shows } = await watched('saved');
    const { fix, ...before } = await view();
    expect(before).toMatchObject({ watching: true, checked: null, status: 'open' });
    await comparison(() => advance(16));
    expect(await view()).toMatchObject({ checked: null, rechecking: false });
    files.set(TRACKING, fix && 'hunks' in fix ? fix.corrected! : '');
    await comparison(() => advance(16));
    advance(4);
    await shows({ status: 'fixed', checked: { is: 'fixed' }, fix: null });
  });

  it('reports that a problem still exists after the merchant saves an unrelated change, and keeps watching', async () => {
    const { files, comparison, shows } = await watched('still');
    files.set(TRACKING, `${files.get(TRACKING)}<p>Thanks</p>`);
    await comparison(() => advance(16));
    advance(4);
    await shows({ status: 'open', checked: { is: 'still_there' }, watching: true });
    files.set(TRACKING, PASTED.metaPixel);
    await comparison(() => advance(16));
    advance(4);
    await shows({ status: 'fixed' });
  });

  it('runs only one scan when the merchant saves several files in quick succession', async () => {
    const { files, merchant, comparison, scans, until } = await watched('debounced');
    for (const name of ['a', 'b', 'c']) {
      files.set(`snippets/${name}.liquid`, '');
      await comparison(() => watchTheme(merchant));
    }
    advance(4);
    await until(async () => expect(await scans()).toBe(2));
    await comparison(() => advance(16));
    await wait(1_000);
    expect(await scans()).toBe(2);
  });

  it('doesn’t scan again for a change that a running scan already includes', async () => {
    const { files, shop, merchant, comparison, scans, until } = await watched('running');
    files.set(TRACKING, '');
    harness.fakeShopify.faults.plan({ kind: 'slow', ms: 3_000 }, { operation: 'storefront', shop: merchant.domain });
    await shop.jobs.enqueue({ kind: 'scan', payload: { trigger: 'merchant' } });
    await until(async () => expect((await shop.jobs.latest('scan'))?.state).toBe('running'));
    await comparison(() => watchTheme(merchant));
    expect((await shop.jobs.latest('scan'))?.state).toBe('running');
    await until(async () => expect(await scans()).toBe(2));
    await comparison(() => advance(16));
    advance(4);
    await wait(1_000);
    expect(await scans()).toBe(2);
  });

  it('scans only once if the scan can’t read the changed theme', async () => {
    const { files, comparison, scans, until } = await watched('unreadable');
    files.set('snippets/big.liquid', 'x'.repeat(2_000_001));
    await comparison(() => advance(16));
    advance(4);
    await until(async () => expect(await scans()).toBe(2));
    await comparison(() => advance(16));
    advance(4);
    await wait(1_000);
    expect(await scans()).toBe(2);
  });

  it('stops watching after half an hour', async () => {
    const { comparison, shows, view } = await watched('stopped');
    await comparison(() => advance(29 * 60));
    expect((await view()).watching).toBe(true);
    advance(60);
    await shows({ watching: false });
  });

  it('doesn’t watch a theme that the app has no permission to read', async () => {
    const { shop, merchant, until, shows } = await watched('unscoped');
    await shop.setScopes(['read_products']);
    await watchTheme(merchant);
    await until(async () => expect((await shop.jobs.latest('theme_watch'))?.state).toBe('done'));
    await shows({ watching: false });
  });
});
