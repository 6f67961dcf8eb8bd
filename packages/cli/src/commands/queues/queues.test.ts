import { openShopStore, type ShopStore } from '@compliance/store/shop';
import { describe, expect, it } from 'vitest';
import { expectRefusal, runCli, temporaryFolder } from '../../testing/run-cli.ts';

const SHOP = 'some-name.myshopify.com';
const LEASE_MS = 60_000;
const NO_RETRY = { retryAt: null };

/** Runs `work` on the store in a data folder. */
async function inStore<T>(dataDir: string, work: (store: ShopStore) => Promise<T>): Promise<T> {
  const store = await openShopStore({ dataDir, clock: Date.now });
  return await work(store).finally(() => store.close());
}

/** Causes both a Shopify app job and the fetch of a bulk job's input to fail. Returns the bulk job ID. */
async function failJobs(store: ShopStore): Promise<string> {
  const job = { family: 'fam', keyId: 'key', operation: 'pixel.scan', format: 'csv', options: {} } as const;
  const { id } = await store.bulkJobs.create({ ...job, source: 'https://files.example/urls.csv' });
  await (await store.bulkJobs.claimInput('w', LEASE_MS))!.fail('unavailable', NO_RETRY);
  await store.shops.install(SHOP, { scopes: [] });
  await store.shop(SHOP).jobs.enqueue({ kind: 'scan' });
  await (await store.jobs.claim('w', ['scan'], LEASE_MS))!.fail('throttled', NO_RETRY);
  return id;
}

describe('compliance queues', () => {
  it('lists the service’s and the app’s failed jobs and runs them again', async () => {
    const dataDir = temporaryFolder();
    const bulk = await inStore(dataDir, failJobs);
    const queues = (...args: string[]) => runCli(['queues', ...args, '--data', dataDir]);
    expect((await queues('list')).stdout).toBe(
      'jobs  0 live, 1 failed, no job is due\nwebhooks  0 live, 0 failed, no job is due\napp  0 live, 1 failed, no job is due\n',
    );
    const failed = JSON.parse((await queues('failed', '--json')).stdout);
    expect(failed).toMatchObject([
      { queue: 'app', tenant: SHOP, kind: 'scan', error: 'throttled' },
      { queue: 'jobs', tenant: 'fam', key: `${bulk}/input`, error: 'unavailable', attempts: 1 },
    ]);
    expect((await queues('failed', '--queue', 'app')).stdout).toContain(`throttled, attempts: 1\n  scan    ${SHOP}\n`);

    for (const { id, queue } of failed) {
      expect((await queues('redrive', id)).stdout).toBe(`Job ${id} in queue ${queue} will run again.\n`);
      const again = await queues('redrive', id);
      expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('No failed job has the ID')]);
    }
    expect((await queues('failed')).stdout).toBe('No failed jobs.\n');
    await inStore(dataDir, async store => {
      expect((await store.bulkJobs.claimInput('w', LEASE_MS))?.bulk.id).toBe(bulk);
      expect((await store.jobs.claim('w', ['scan'], LEASE_MS))?.domain).toBe(SHOP);
      expect((await store.audit.list({ limit: 2 })).map(({ action }) => action)).toEqual([
        'job.redrive',
        'job.redrive',
      ]);
    });
  });

  it('refuses to rerun the failed parts of a canceled job', async () => {
    const dataDir = temporaryFolder();
    const id = await inStore(dataDir, async store => {
      const job = { family: 'fam', keyId: 'key', operation: 'pixel.scan', format: 'csv', options: {} } as const;
      const { id: bulk } = await store.bulkJobs.create(job);
      const parts = [0, 1].map(first => ({ first, rows: 1 }));
      await store.bulkJobs.beginUpload(bulk, 'upl');
      await store.bulkJobs.start(bulk, { upload: 'upl', header: 'url', parts, quota: 10 });
      await (await store.bulkJobs.claim('w', LEASE_MS))!.fail('unavailable', NO_RETRY);
      await store.bulkJobs.cancel('fam', bulk);
      return (await store.bulkJobs.queue.deadLetters({ limit: 1 }))[0]!.id;
    });
    await expectRefusal(['queues', 'redrive', id, '--data', dataDir], 'canceled');
  });
});
