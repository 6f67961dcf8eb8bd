import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';
import { serveTestApp } from './serve-app.ts';

const given = sampleShop('killed');
const WORKER = join(import.meta.dirname, 'worker-process.ts');

// The web process keeps running while the test kills the worker process during a scan.
await describeInBrowser('scan whose worker process is killed', open => {
  let session: BrowserSession;

  beforeAll(async () => {
    session = await startBrowserSession(open, [given], { jobsAtOnce: 0 });
  });
  afterAll(() => session?.close());

  it('keeps showing the progress of an interrupted scan, and shows only one result after another process resumes it', async () => {
    const { fakeShopify, dataDir, store } = session;
    fakeShopify.faults.plan({ kind: 'slow', ms: 60_000 }, { operation: 'ThemeFiles' });
    const home = await session.visit();
    await home.getByRole('heading', { name: 'The scan will start soon' }).waitFor();
    const worker = spawn(
      process.execPath,
      ['--conditions=@compliance/source', WORKER, dataDir, fakeShopify.url, 'killed'],
      { stdio: ['ignore', 'ignore', 'inherit'], timeout: 110_000, killSignal: 'SIGKILL' },
    );
    const ended = once(worker, 'close');
    await home.getByRole('heading', { name: 'Scanning your theme files' }).waitFor({ timeout: 30_000 });
    worker.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    // The page keeps showing the last known progress and a message that the scan will continue.
    await home.getByText('You can leave this page. The scan will continue.').waitFor();
    await session.checkScreen(home, 'fault-killed');
    const other = await serveTestApp(fakeShopify, { dataDir, jobsAtOnce: 2 });
    try {
      await home.getByText(/^Last scanned/).waitFor({ timeout: 50_000 });
      const shop = store.shop(given.domain);
      await vi.waitFor(async () => expect((await shop.variants.counts()).total).toBe(79), { timeout: 20_000 });
      const { rows } = await shop.scans.list({ limit: 10 });
      expect(rows.map(({ state, trigger }) => [state, trigger])).toEqual([['complete', 'install']]);
      expect((await shop.jobs.list({ limit: 10 })).find(({ kind }) => kind === 'scan')).toMatchObject({
        ...{ state: 'done', attempts: 2 },
      });
      const history = await session.visit('/app/history');
      expect(await history.getByText('App installed').count()).toBe(1);
      await session.checkScreen(history, 'fault-killed-history');
    } finally {
      await other.stop();
    }
    // A lease expires after 30 seconds without a heartbeat.
  }, 120_000);
});
