import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { serveAppBeside } from '../stand-in/serve-app.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';
import { beginWalk, type Walk } from './walk.ts';

const given = sampleShop('killed');
const WORKER = join(import.meta.dirname, '../src/scan/testing/child.ts');

// The process that serves pages lives; the one that works is killed in the middle of a scan.
await describeInBrowser('a merchant whose scan loses its process', open => {
  let walk: Walk;

  beforeAll(async () => {
    walk = await beginWalk(open, [given], { jobsAtOnce: 0 });
  });
  afterAll(() => walk?.close());

  it('sees how far it came, and then its end: another process takes it over, and nothing is there twice', async () => {
    const { standIn, dataDir, store } = walk;
    standIn.faults.plan({ kind: 'slow', ms: 60_000 }, { operation: 'ThemeFiles' });
    const home = await walk.visit();
    await home.getByRole('heading', { name: 'The scan is about to start' }).waitFor();
    const worker = spawn(
      process.execPath,
      ['--conditions=@compliance/source', WORKER, dataDir, standIn.url, 'killed'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const ended = once(worker, 'close');
    await home.getByRole('heading', { name: 'Reading the files of your theme' }).waitFor({ timeout: 30_000 });
    worker.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    // What was known stays on the page, and that the scan goes on.
    await home.getByText('You can leave this page; the scan goes on.').waitFor();
    await walk.inspected(home, 'fault-killed');
    const other = await serveAppBeside(standIn, { dataDir, jobsAtOnce: 2 });
    try {
      await home.getByText(/things? needs? you/).waitFor({ timeout: 50_000 });
      const shop = store.shop(given.domain);
      await vi.waitFor(async () => expect((await shop.variants.counts()).total).toBe(79), { timeout: 20_000 });
      const { rows } = await shop.scans.list({ limit: 10 });
      expect(rows.map(({ state, trigger }) => [state, trigger])).toEqual([['complete', 'install']]);
      expect((await shop.jobs.list({ limit: 10 })).find(({ kind }) => kind === 'scan')).toMatchObject({
        ...{ state: 'done', attempts: 2 },
      });
      const history = await walk.visit('/app/history');
      expect(await history.getByText('The app was installed').count()).toBe(1);
      await walk.inspected(history, 'fault-killed-history');
    } finally {
      await other.stop();
    }
    // Half a minute is how long a silent process is believed in.
  }, 120_000);
});
