import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { childClock, type StoreLocation, startChild, useChildren } from '../testing/child-processes.ts';
import { describeWithPostgres } from '../testing/index.ts';
import { openShopStore, type ShopStore } from './shop-store.ts';

const ONE = 'one.myshopify.com';

/** Runs `work` with a store opened in this process, whose clock is `later` ms ahead of the child processes' clock. */
async function withStore<T>(location: StoreLocation, work: (store: ShopStore) => Promise<T>, later = 0): Promise<T> {
  const store = await openShopStore({ ...location, clock: () => childClock() + later });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const runTogether = useChildren();

function registerProcesses(fresh: () => Promise<StoreLocation>): void {
  it('runs each of 200 jobs for 5 shops exactly once across 4 processes', async () => {
    const location = await fresh();
    const ids = await withStore(location, async store => {
      const made: string[] = [];
      for (let i = 0; i < 200; i++) {
        const domain = `shop-${i % 5}.myshopify.com`;
        await store.shops.install(domain, { scopes: [] });
        made.push((await store.shop(domain).jobs.enqueue({ kind: 'scan', key: `${i}` })).job.id);
      }
      return made;
    });
    const done = (await runTogether(4, 'work', location)).map(line => JSON.parse(line) as string[]);
    expect(done.flat().sort()).toEqual(ids.sort());
    await withStore(location, async store => {
      for (let i = 0; i < 5; i++) {
        const jobs = await store.shop(`shop-${i}.myshopify.com`).jobs.list({ limit: 100 });
        expect(jobs.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(jobs.map(() => 'done 1'));
        expect(jobs).toHaveLength(40);
      }
    });
  });

  it('records each of 60 webhooks exactly once, together with its job, when 4 processes receive every webhook', async () => {
    const location = await fresh();
    await withStore(location, store => store.shops.install(ONE, { scopes: [] }));
    const ids = Array.from({ length: 60 }, (_, i) => `event-${i}`);
    const first = (await runTogether(4, 'takeWebhooks', location, ids)).map(line => JSON.parse(line) as string[]);
    expect(first.flat().sort()).toEqual([...ids].sort());
    const jobs = await withStore(location, store => store.shop(ONE).jobs.list({ limit: 100 }));
    expect(jobs.map(({ key }) => key).sort()).toEqual([...ids].sort());
  });

  it('enqueues each of 40 due scans exactly once across 4 processes', async () => {
    const location = await fresh();
    const domains = Array.from({ length: 40 }, (_, i) => `shop-${i}.myshopify.com`);
    // Install the app with a clock that is a day and a minute behind the child processes' clock.
    const open = { ...location, clock: () => childClock() - 86_460_000 };
    const store = await openShopStore(open);
    for (const domain of domains) await store.shops.install(domain, { scopes: [] });
    await store.close();
    const enqueued = (await runTogether(4, 'enqueueDue', location)).map(line => JSON.parse(line) as string[]);
    expect(enqueued.flat().sort()).toEqual([...domains].sort());
  });

  it('resumes a killed worker’s job after the lease expires, without losing acknowledged writes', async () => {
    const location = await fresh();
    await withStore(location, async store => {
      await store.shops.install(ONE, { scopes: [] });
      await store.shop(ONE).jobs.enqueue({ kind: 'catalog' });
    });
    const { child, lines, closed, begin } = await startChild();
    let said = -1;
    lines.on('line', line => {
      said = Number(line);
      if (said === 20) child.kill('SIGKILL');
    });
    begin(location, 'workForever');
    expect(await closed).toEqual([null, 'SIGKILL']);

    const claim = (store: ShopStore) => store.jobs.claim('another', ['catalog'], 60_000);
    expect(await withStore(location, claim, 59_999)).toBeNull();
    await withStore(
      location,
      async store => {
        const job = await claim(store);
        expect(job?.attempt).toBe(2);
        expect(job?.progress).toMatchObject({ batch: expect.toSatisfy((batch: number) => batch >= said) });
        const { total } = await store.shop(ONE).variants.counts();
        expect(total).toBeGreaterThanOrEqual((said + 1) * 50);
        // Every batch is stored in full or not at all.
        expect(total % 50).toBe(0);
        await job?.complete();
      },
      60_000,
    );
  });

  it('rejects writes through a job if another worker claimed the job or the job’s shop was erased', async () => {
    for (const taken of [true, false]) {
      const location = await fresh();
      await withStore(location, async store => {
        await store.shops.install(ONE, { scopes: [] });
        await store.shop(ONE).jobs.enqueue({ kind: 'catalog' });
      });
      const { child, lines, closed, begin } = await startChild();
      begin(location, 'workForever');
      await once(lines, 'line');
      let said = '';
      lines.on('line', line => (said = line));
      const total = await withStore(
        location,
        async store => {
          // Another worker can't claim the job during a write, so the claim might take several attempts.
          const claim = () => store.jobs.claim('another', ['catalog'], 60_000);
          if (taken) await expect.poll(claim, { interval: 1, timeout: 30_000 }).not.toBeNull();
          else await store.shop(ONE).erase();
          return (await store.shop(ONE).variants.counts()).total;
        },
        60_000,
      );
      child.stdin.end();
      expect(await closed).toEqual([0, null]);
      expect(said).toBe('lease_lost');
      expect((await withStore(location, store => store.shop(ONE).variants.counts())).total).toBe(total);
      expect(total > 0).toBe(taken);
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), 'compliance-shop-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

describe('several processes that share a shop store on node:sqlite', () => {
  registerProcesses(async () => ({ dataDir: join(folder, `${count++}`) }));
});

await describeWithPostgres('several processes that share a shop store on PostgreSQL', startFresh => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  registerProcesses(async () => {
    const { url, stop } = await startFresh();
    stops.push(stop);
    return { databaseUrl: url };
  });
});
