import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DATASET } from '@compliance/core/tariff';
import { waitUntil } from '@compliance/store/jobs';
import { openShopStore } from '@compliance/store/shop';
import { describeWithPostgres } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Merchant } from '../admin/merchant.ts';
import { CATALOG, PRODUCT } from '../catalog/model/job-types.ts';
import { SCAN } from '../scan/scan-job.ts';
import { startScan } from '../scan/start-scan.ts';
import type { JobHandler } from './job.ts';
import { startWorker } from './worker.ts';

/** Number of jobs that the worker runs concurrently. */
const SLOTS = 2;

/** Registers the tests for one database engine. */
function registerFairness(openFresh: () => Promise<{ readonly databaseUrl?: string }>): void {
  it('starts a merchant’s scan next, despite 1,000 webhooks from another shop and two endless exports', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-'));
    const store = await openShopStore({ dataDir, ...(await openFresh()), clock: Date.now });
    const started: string[] = [];
    const run = (kind: string, work: () => Promise<unknown>): JobHandler => ({
      kind,
      async run() {
        started.push(kind);
        return await work();
      },
    });
    const handlers = [
      run(PRODUCT, () => wait(20)),
      run(CATALOG, async () => waitUntil(Date.now())),
      run(SCAN, () => wait(20)),
    ];
    const offlineContext = (domain: string): Merchant => ({
      ...{ domain, shop: store.shop(domain), user: null, dataset: () => DATASET },
      admin: null as unknown as Merchant['admin'],
    });
    const domains = ['busy', 'export-1', 'export-2', 'waiting'].map(name => `${name}.myshopify.com`);
    for (const domain of domains) await store.shops.install(domain, { scopes: [] });
    const [busy, ...exporting] = domains.slice(0, 3).map(domain => store.shop(domain));
    const { shop, ...merchant } = offlineContext(domains[3]!);
    for (const each of exporting) await each.jobs.enqueue({ kind: CATALOG });
    const webhooks = Array.from({ length: 1_000 }, (_, i) => ({ kind: PRODUCT, key: `${i}` }));
    await store.webhooks.take({ eventId: 'e', topic: 'T', shop: busy!.domain }, webhooks);

    const worker = startWorker({
      ...{ store, handlers, offlineContext, clock: Date.now, concurrency: SLOTS, name: 'test' },
      logFailure: error => {
        throw error;
      },
    });
    onTestFinished(async () => {
      await worker.stop();
      await store.close();
      await rm(dataDir, { recursive: true });
    });
    const ready = () => started.filter(kind => kind === PRODUCT).length > 5 && started.includes(CATALOG);
    await expect.poll(ready, { timeout: 10_000 }).toBe(true);

    await startScan({ shop, ...merchant }, 'merchant');
    const before = started.length;
    await expect.poll(() => started.includes(SCAN), { timeout: 3_000, interval: 10 }).toBe(true);
    // When the scan was enqueued, each slot might already have been claiming another job.
    expect(started.indexOf(SCAN) - before).toBeLessThanOrEqual(SLOTS);
    const states = await Promise.all(exporting.map(each => each.jobs.latest(CATALOG)));
    expect(states.map(job => job!.attempts <= 1)).toEqual([true, true]);
  });
}

describe('fair job scheduling on SQLite', () => registerFairness(async () => ({})));

await describeWithPostgres('fair job scheduling on PostgreSQL', startFresh =>
  registerFairness(async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    return { databaseUrl: url };
  }),
);
