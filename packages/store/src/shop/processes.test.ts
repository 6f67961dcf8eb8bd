import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';
import { childClock, endAll, type Place, startChild, startChildren, together } from '../testing/children.ts';
import { describeWithPostgres } from '../testing/index.ts';

const ONE = 'one.myshopify.com';

/** Does something with the store as a process of its own would, at a moment after the children's. */
async function asAnother<T>(place: Place, work: (store: Store) => Promise<T>, later = 0): Promise<T> {
  const store = await openStore({ ...place, clock: () => childClock() + later });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function registerProcesses(fresh: () => Promise<Place>): void {
  it('4 processes do 200 jobs of 5 shops, each exactly once', async () => {
    const place = await fresh();
    const ids = await asAnother(place, async store => {
      const made: string[] = [];
      for (let i = 0; i < 200; i++) {
        const domain = `shop-${i % 5}.myshopify.com`;
        await store.shops.install(domain, { scopes: [] });
        made.push((await store.shop(domain).jobs.enqueue({ kind: 'scan', key: `${i}` })).job.id);
      }
      return made;
    });
    const children = await startChildren(4, 'work');
    const done = (await together(children, place)).map(line => JSON.parse(line) as string[]);
    expect(done.flat().sort()).toEqual(ids.sort());
    await asAnother(place, async store => {
      for (let i = 0; i < 5; i++) {
        const jobs = await store.shop(`shop-${i}.myshopify.com`).jobs.list({ limit: 100 });
        expect(jobs.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(jobs.map(() => 'done 1'));
        expect(jobs).toHaveLength(40);
      }
    });
    await endAll(children);
  });

  it('4 processes take the same 60 webhooks, each once, each with its job', async () => {
    const place = await fresh();
    await asAnother(place, store => store.shops.install(ONE, { scopes: [] }));
    const children = await startChildren(4, 'takeWebhooks');
    const ids = Array.from({ length: 60 }, (_, i) => `event-${i}`);
    const first = (await together(children, place, ids)).map(line => JSON.parse(line) as string[]);
    expect(first.flat().sort()).toEqual([...ids].sort());
    const jobs = await asAnother(place, store => store.shop(ONE).jobs.list({ limit: 100 }));
    expect(jobs.map(({ key }) => key).sort()).toEqual([...ids].sort());
    await endAll(children);
  });

  it('a job whose worker is killed is taken up after its lease, with all that was acknowledged', async () => {
    const place = await fresh();
    await asAnother(place, async store => {
      await store.shops.install(ONE, { scopes: [] });
      await store.shop(ONE).jobs.enqueue({ kind: 'catalog' });
    });
    const { child, lines, closed, begin } = await startChild('workForever');
    let said = -1;
    lines.on('line', line => {
      said = Number(line);
      if (said === 20) child.kill('SIGKILL');
    });
    begin(place);
    expect(await closed).toEqual([null, 'SIGKILL']);

    const claim = (store: Store) => store.jobs.claim('another', ['catalog'], 60_000);
    expect(await asAnother(place, claim, 59_999)).toBeNull();
    await asAnother(
      place,
      async store => {
        const job = await claim(store);
        expect(job?.attempt).toBe(2);
        expect(job?.progress).toMatchObject({ batch: expect.toSatisfy((batch: number) => batch >= said) });
        const { total } = await store.shop(ONE).variants.counts();
        expect(total).toBeGreaterThanOrEqual((said + 1) * 50);
        // Every batch is there whole or not at all.
        expect(total % 50).toBe(0);
        await job?.complete();
      },
      60_000,
    );
  });

  it('a worker that goes on after its job was taken from it, or its shop erased, writes nothing more', async () => {
    for (const taken of [true, false]) {
      const place = await fresh();
      await asAnother(place, async store => {
        await store.shops.install(ONE, { scopes: [] });
        await store.shop(ONE).jobs.enqueue({ kind: 'catalog' });
      });
      const { child, lines, closed, begin } = await startChild('workForever');
      begin(place);
      await once(lines, 'line');
      let said = '';
      lines.on('line', line => (said = line));
      const total = await asAnother(
        place,
        async store => {
          // It is not taken from a worker in the middle of a write, so it may need asking again.
          const claim = () => store.jobs.claim('another', ['catalog'], 60_000);
          if (taken) await expect.poll(claim, { interval: 1 }).not.toBeNull();
          else await store.shop(ONE).erase();
          return (await store.shop(ONE).variants.counts()).total;
        },
        60_000,
      );
      child.stdin.end();
      expect(await closed).toEqual([0, null]);
      expect(said).toBe('lease_lost');
      expect((await asAnother(place, store => store.shop(ONE).variants.counts())).total).toBe(total);
      expect(total > 0).toBe(taken);
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), 'compliance-shop-processes-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

describe('several processes with shops on node:sqlite', () => {
  registerProcesses(async () => ({ dataDir: join(folder, `${count++}`) }));
});

await describeWithPostgres('several processes with shops on PostgreSQL', startFresh => {
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
