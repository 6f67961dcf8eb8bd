import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DATASET } from '@compliance/core/tariff';
import type { Worker } from '@compliance/store/jobs';
import { openShopStore, type ShopStore } from '@compliance/store/shop';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../test/harness.ts';
import { AdminApiError, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import type { JobHandler } from './job.ts';
import { startWorker } from './worker.ts';

const DOMAIN = 'some-shop.myshopify.com';

let store: ShopStore;
let dataDir: string;
let lines: string[];
let failures: unknown[];
let workers: Worker[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
  store = await openShopStore({ dataDir, clock: Date.now });
  await store.shops.install(DOMAIN, { scopes: [] });
  [lines, failures, workers] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(workers.map(worker => worker.stop()));
  await store.close();
  await rm(dataDir, { recursive: true });
});

const shop = () => store.shop(DOMAIN);
const job = async () => (await shop().jobs.latest('work'))!;
function start(run: JobHandler['run'], kind = 'work'): Worker {
  const worker = startWorker({
    store,
    handlers: [{ kind, run }],
    offlineContext: domain => ({
      domain,
      shop: store.shop(domain),
      admin: null as unknown as Merchant['admin'],
      dataset: () => DATASET,
      user: null,
    }),
    clock: Date.now,
    concurrency: 2,
    name: 'test',
    log: createLog(lines),
    logFailure: error => failures.push(error),
  });
  workers.push(worker);
  return worker;
}
const untilAborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const ended = { timeout: 10_000 };

describe('background jobs', () => {
  it('passes the payload to a job, and shows the job’s progress while it runs', async () => {
    let go = () => {};
    const gate = new Promise<void>(open => {
      go = open;
    });
    start(async ({ job, merchant, report }) => {
      report({ done: 1, total: 2 });
      await gate;
      await merchant.shop.setProfile({ name: String(job.payload) });
      return { shop: merchant.domain };
    });
    await shop().jobs.enqueue({ kind: 'work', payload: 'Shop' });
    await expect.poll(async () => (await job()).progress, ended).toEqual({ done: 1, total: 2 });
    go();
    await expect.poll(async () => (await job()).state, ended).toBe('done');
    expect((await job()).result).toEqual({ shop: DOMAIN });
    expect((await shop().record())!.name).toBe('Shop');
  });

  it('leaves a job queued if the worker doesn’t have a handler for its type', async () => {
    start(async () => null, 'other');
    await shop().jobs.enqueue({ kind: 'work' });
    await wait(1_200);
    expect(await job()).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it.each<AdminFault>(['throttled', 'unavailable', 'unexpected'])(
    'retries a job after a delay if Shopify returns the error %s',
    async fault => {
      start(async () => Promise.reject(new AdminApiError(fault, 'Themes')));
      await shop().jobs.enqueue({ kind: 'work' });
      await expect.poll(async () => (await job()).error, ended).toBe(fault);
      const { state, runAt } = await job();
      expect(state).toBe('queued');
      expect(runAt - Date.now()).toBeGreaterThan(25_000);
      expect(runAt - Date.now()).toBeLessThanOrEqual(30_000);
      expect(failures).toEqual([]);
    },
  );

  it.each<AdminFault>(['revoked', 'forbidden', 'frozen'])(
    'doesn’t retry a job after the Shopify error %s, which only the merchant can fix',
    async fault => {
      start(async () => Promise.reject(new AdminApiError(fault, 'Themes')));
      await shop().jobs.enqueue({ kind: 'work' });
      await expect.poll(async () => (await job()).state, ended).toBe('failed');
      expect((await job()).error).toBe(fault);
      expect((await shop().record())!.needsReopeningAt !== null).toBe(fault === 'revoked');
    },
  );

  it('logs a failed job without its error message', async () => {
    const broken = new RangeError('untrusted text');
    start(async () => Promise.reject(broken));
    await shop().jobs.enqueue({ kind: 'work', maxAttempts: 1 });
    await expect.poll(async () => (await job()).state, ended).toBe('failed');
    expect(failures).toEqual([broken]);
    expect(lines.join('')).not.toContain('untrusted');
  });

  it('stops a canceled job and rejects its later writes', async () => {
    let refused: unknown;
    start(async tools => {
      await untilAborted(tools).catch(() => undefined);
      refused = await tools.merchant.shop.setProfile({ name: 'late' }).catch(error => error.code);
      throw new Error('over');
    });
    await shop().jobs.enqueue({ kind: 'work' });
    await expect.poll(async () => (await job()).state, ended).toBe('running');
    await shop().uninstall();
    await expect.poll(() => refused, ended).toBe('lease_lost');
    await expect.poll(() => lines.join(''), ended).toContain('"outcome":"lost"');
    expect(failures).toEqual([]);
    expect(await job()).toMatchObject({ state: 'cancelled' });
  });

  it('releases a stopped worker’s jobs without counting the attempts, so that another worker can resume them', async () => {
    const first = start(async tools => {
      tools.report({ done: 3 });
      return await untilAborted(tools);
    });
    await shop().jobs.enqueue({ kind: 'work', maxAttempts: 1 });
    await expect.poll(async () => (await job()).progress, ended).toEqual({ done: 3 });
    const stopping = Date.now();
    await first.stop();
    expect(await job()).toMatchObject({ state: 'queued', attempts: 0 });
    start(async ({ job }) => ({ tookUp: job.progress }));
    await expect.poll(async () => (await job()).result, ended).toEqual({ tookUp: { done: 3 } });
    expect(Date.now() - stopping).toBeLessThan(10_000);
    expect(lines.join('')).toContain('"outcome":"released"');
  });

  it('waits only a few seconds at shutdown for a job that ignores the abort signal', async () => {
    const worker = start(() => new Promise(() => {}));
    await shop().jobs.enqueue({ kind: 'work' });
    await expect.poll(async () => (await job()).state, ended).toBe('running');
    await worker.stop();
    workers = [];
    expect((await job()).state).toBe('running');
  });
});

describe('job workers', () => {
  it('runs several jobs concurrently, but each job only once, even when another worker is running', async () => {
    const seen: string[] = [];
    let [running, most] = [0, 0];
    const run: JobHandler['run'] = async ({ job }) => {
      most = Math.max(most, ++running);
      seen.push(job.key);
      await wait(50);
      running--;
      return null;
    };
    const keys = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    for (const key of keys) await shop().jobs.enqueue({ kind: 'work', key });
    start(run);
    start(run);
    await expect.poll(() => seen.length, ended).toBe(20);
    expect([...seen].sort()).toEqual([...keys].sort());
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('continues to run jobs after a temporary database failure', async () => {
    let failing = true;
    const { claim } = store.jobs;
    store.jobs.claim = async (...asked) => {
      if (failing) throw new Error('the database is unavailable');
      return await claim(...asked);
    };
    start(async () => 'done');
    await shop().jobs.enqueue({ kind: 'work' });
    await expect.poll(() => failures.length, ended).toBeGreaterThan(0);
    failing = false;
    await expect.poll(async () => (await job()).state, ended).toBe('done');
  });
});
