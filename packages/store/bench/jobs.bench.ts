// Compares the job queue on PostgreSQL with pg-boss, which does the same work on the same server. In both queues, jobs
// for several shops are enqueued in a transaction, each key has at most one live job, and only a job's current worker
// can write.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '@compliance/bench';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { openShopStore } from '../src/shop/index.ts';
import { startPostgres } from '../src/testing/index.ts';

/** Number of jobs per measurement, and number of workers. */
const [JOBS, WORKERS] = [1_000, 4];

/** Number of waiting jobs per shop for the fairness measurement, and number of shops with a backlog. */
const [WAITING, BUSY] = [300, 3];

/** Number of one shop's waiting jobs during the claim time measurement. */
const BACKLOG = 5_000;

const LEASE_MS = 60_000;
const shopOf = (n: number) => `shop-${n}.myshopify.com`;

/** One of the two queues. */
interface Contender {
  enqueue(shop: string, keys: readonly string[]): Promise<void>;
  /**
   * Claims a job, if one is available. Returns functions that write the shop's data and complete the job, each in its
   * own transaction.
   */
  claim(): Promise<{ readonly shop: string; write(): Promise<void>; complete(): Promise<void> } | null>;
  close(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'compliance-bench-'));

async function tableQueue(): Promise<Contender> {
  const postgres = await startPostgres();
  const store = await openShopStore({ dataDir: folder, databaseUrl: postgres.url, clock: Date.now });
  for (let n = 0; n <= BUSY; n++) await store.shops.install(shopOf(n), { scopes: [] });
  let events = 0;
  return {
    async enqueue(shop, keys) {
      const jobs = keys.map(key => ({ kind: 'work', key }));
      await store.webhooks.take({ eventId: `${++events}`, topic: 'T', shop }, jobs);
    },
    async claim() {
      const job = await store.jobs.claim('w', ['work'], LEASE_MS);
      if (!job) return null;
      const write = async () => void (await job.shop.setProfile({ name: job.key }));
      return { shop: job.domain, write, complete: () => job.complete(job.key) };
    },
    async close() {
      await store.close();
      await postgres.stop();
    },
  };
}

interface Shops {
  shops: { shop: string; name: string | null };
}

async function pgBoss(): Promise<Contender> {
  const postgres = await startPostgres();
  const db = new Kysely<Shops>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgres.url, max: 10 }) }),
  });
  await db.schema
    .createTable('shops')
    .addColumn('shop', 'text', column => column.primaryKey())
    .addColumn('name', 'text')
    .execute();
  for (let n = 0; n <= BUSY; n++)
    await db
      .insertInto('shops')
      .values({ shop: shopOf(n), name: null })
      .execute();
  const boss = new PgBoss({ connectionString: postgres.url, max: 10 });
  boss.on('error', error => process.stderr.write(`${error}\n`));
  await boss.start();
  await boss.createQueue('work', { policy: 'exclusive', heartbeatSeconds: 60 });
  const inShop = <T>(shop: string, work: (trx: Transaction<Shops>) => Promise<T>) =>
    db.transaction().execute(async trx => {
      await trx.updateTable('shops').set({ shop }).where('shop', '=', shop).execute();
      return await work(trx);
    });
  return {
    enqueue: (shop, keys) =>
      inShop(shop, async trx => {
        for (const key of keys) {
          const options = { singletonKey: `${shop} ${key}`, group: { id: shop }, db: fromKysely(trx) };
          await boss.send('work', { shop, key }, options);
        }
      }),
    async claim() {
      const [job] = await boss.fetch<{ shop: string; key: string }>('work', {
        groupConcurrency: 1,
        includeMetadata: true,
      });
      if (!job) return null;
      const { shop, key } = job.data;
      const fenced = (work: (trx: Transaction<Shops>) => Promise<unknown>) =>
        inShop(shop, async trx => {
          // The declared type omits the number of affected jobs.
          const touched = (await boss.touch('work', job, { db: fromKysely(trx) })) as { affected?: number };
          if (touched.affected !== 1) throw new Error('lease_lost');
          await work(trx);
        });
      return {
        shop,
        write: () => fenced(trx => trx.updateTable('shops').set({ name: key }).where('shop', '=', shop).execute()),
        complete: () => fenced(trx => boss.complete('work', job, { key }, { db: fromKysely(trx) })),
      };
    },
    async close() {
      await boss.stop();
      await db.destroy();
      await postgres.stop();
    },
  };
}

/**
 * Returns the elapsed time in milliseconds. CPU time would be misleading, because most of the work happens in the
 * database server.
 */
async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => `${i}`);

/** Returns the time to run every job once, in milliseconds. */
async function cycle(queue: Contender): Promise<number> {
  for (let n = 0; n < WORKERS; n++) await queue.enqueue(shopOf(n), keys(JOBS / WORKERS));
  let done = 0;
  const worker = async () => {
    while (done < JOBS) {
      const job = await queue.claim();
      if (!job) continue;
      await job.write();
      await job.complete();
      done++;
    }
  };
  return await elapsed(() => Promise.all(Array.from({ length: WORKERS }, worker)));
}

/**
 * Returns the number of jobs that two slots start before they start a new shop's only job, while other shops have a
 * backlog.
 */
async function jobsBefore(queue: Contender): Promise<number> {
  for (let n = 0; n < BUSY; n++) await queue.enqueue(shopOf(n), keys(WAITING));
  const slots = [await queue.claim(), await queue.claim()];
  await queue.enqueue(shopOf(BUSY), ['only']);
  for (let before = 0; ; before++) {
    await slots.shift()!.complete();
    const next = (await queue.claim())!;
    if (next.shop === shopOf(BUSY)) return before;
    slots.push(next);
  }
}

/**
 * Returns the median time to claim and complete a job, in milliseconds, while another shop has a backlog and a running
 * job.
 */
async function claimTime(queue: Contender): Promise<number> {
  for (let done = 0; done < BACKLOG; done += 1_000)
    await queue.enqueue(
      shopOf(0),
      keys(1_000).map(key => `${done} ${key}`),
    );
  await queue.claim();
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    await queue.enqueue(shopOf(1), [`${i}`]);
    times.push(await elapsed(async () => await (await queue.claim())!.complete()));
  }
  return times.sort((a, b) => a - b)[10]!;
}

async function compare(measure: (queue: Contender) => Promise<number>): Promise<readonly [number, number]> {
  const figures: number[] = [];
  for (const open of [tableQueue, pgBoss]) {
    const queue = await open();
    figures.push(await measure(queue));
    await queue.close();
  }
  return figures as [number, number];
}

// Start the PostgreSQL server before the measurements. It runs until the process exits.
const server = await startPostgres();
const [cycles, before, claims] = [await compare(cycle), await compare(jobsBefore), await compare(claimTime)];
const shown = ([own, peer]: readonly [number, number], unit: string) =>
  `pg-boss 12.38: ${peer.toFixed(1)} ${unit}; our queue: ${own.toFixed(1)} ${unit}`;
report([
  {
    what: `${JOBS.toLocaleString('en-US')} jobs with one fenced write each, ${WORKERS} workers`,
    ...{ value: cycles[0] / cycles[1], unit: '×', limit: { atMost: 1.25 }, details: shown(cycles, 'ms') },
  },
  {
    what: `jobs that start before another shop’s only job, ${BUSY} shops with ${WAITING} jobs each`,
    ...{ value: before[0] / before[1], unit: '×', limit: { atMost: 1 }, details: shown(before, 'jobs') },
  },
  {
    what: `claim and completion while another shop has ${BACKLOG.toLocaleString('en-US')} waiting jobs`,
    ...{ value: claims[0] / claims[1], unit: '×', limit: { atMost: 2 }, details: shown(claims, 'ms') },
  },
]);
await server.stop();
rmSync(folder, { recursive: true });
