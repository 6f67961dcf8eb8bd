import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { StoreOptions } from '../index.ts';
import { openShopStore, type ShopStore } from '../shop/index.ts';
import { COMPLETE } from './records.ts';

/**
 * Entry point for the tests' child processes, which `child-processes.ts` starts. Prints `ready` once loaded, so that
 * several child processes can start a task together. Then runs the task in each command on stdin, and prints the
 * result.
 */

/** Store location. */
export type StoreLocation = Pick<StoreOptions, 'dataDir' | 'databaseUrl' | 's3'>;

/**
 * Command on stdin, as a line of JSON. The clock is fixed, so rate limit windows and leases don't end during a test.
 */
export interface Order extends StoreLocation {
  readonly task: Task;
  readonly now: number;
  /** IDs of the certificates or other objects for the task. */
  readonly ids: readonly string[];
}

export type Task = keyof typeof tasks;

// Write synchronously, so that the output is delivered even if this process is killed immediately afterward.
const say = (line: string) => writeSync(1, `${line}\n`);

const newCertificate = (id?: string) => ({
  id,
  family: 'fam_shared',
  record: COMPLETE,
  pdf: Buffer.from(`%PDF-1.7 ${process.pid} ${process.hrtime.bigint()}`),
  actor: `${process.pid}`,
});

const codeOf = (error: unknown) => (error as { code?: string }).code ?? `${error}`;

const tasks = {
  async open(store: ShopStore) {
    const { record } = await store.keys.issue({ scope: 'all', actor: 'child' });
    await store.usage.record({ keyId: record.id, operation: 'open' });
    return record.id;
  },

  async take(store: ShopStore) {
    let allowed = 0;
    for (let i = 0; i < 100; i++) if ((await store.limits.take('fam_shared')).allowed) allowed++;
    return `${allowed}`;
  },

  async takeTarget(store: ShopStore) {
    let allowed = 0;
    for (let i = 0; i < 50; i++) if ((await store.targetRate.take('shop.example', 60)).allowed) allowed++;
    return `${allowed}`;
  },

  async issueForever(store: ShopStore) {
    for (;;) say((await store.keys.issue({ scope: 'all', actor: 'child' })).key);
  },

  async certify(store: ShopStore) {
    return (await store.certificates.issue(newCertificate())).id;
  },

  async certifyForever(store: ShopStore) {
    for (;;) say((await store.certificates.issue(newCertificate())).id);
  },

  /** Tries to void or supersede each certificate and returns the outcomes. */
  async endCertificates(store: ShopStore, ids: readonly string[]) {
    const outcomes: string[] = [];
    for (const [i, id] of ids.entries()) {
      const ending =
        (process.pid + i) % 2 === 0
          ? store.certificates.void(id, { reason: 'A race', actor: `${process.pid}` })
          : store.certificates.supersede(id, newCertificate());
      outcomes.push(await ending.then(() => 'ended', codeOf));
    }
    return JSON.stringify(outcomes);
  },

  /** Runs all due jobs and returns their IDs. */
  async work(store: ShopStore) {
    const done: string[] = [];
    for (;;) {
      const job = await store.jobs.claim(`${process.pid}`, ['scan'], 60_000);
      if (!job) return JSON.stringify(done);
      await job.shop.themeFiles.replace(job.key, [{ name: 'by', checksum: `${process.pid}` }]);
      await job.complete();
      done.push(job.id);
    }
  },

  /** Records webhooks and returns those that no other process had already recorded. */
  async takeWebhooks(store: ShopStore, ids: readonly string[]) {
    const first: string[] = [];
    for (const eventId of ids) {
      const event = { eventId, topic: 'THEMES_PUBLISH', shop: 'one.myshopify.com' };
      if (await store.webhooks.take(event, [{ kind: 'scan', key: eventId }])) first.push(eventId);
    }
    return JSON.stringify(first);
  },

  /** Enqueues the scheduled scans that are due, and returns their shops. */
  async enqueueDue(store: ShopStore) {
    return JSON.stringify(await store.shops.enqueueDue({ kind: 'scan' }, 100));
  },

  /** Claims one job and runs it until its lease is lost. Prints a line for each stored batch. */
  async workForever(store: ShopStore) {
    const job = await store.jobs.claim(`${process.pid}`, ['catalog'], 60_000);
    for (let batch = 0; job; batch++) {
      const variants = Array.from({ length: 50 }, (_, i) => ({
        ...{ variantId: `${batch}-${i}`, productId: `${batch}`, productTitle: 'T', variantTitle: 'V', sku: null },
        ...{ htsCode: null, origin: null, digits: 'missing', status: 'missing', answer: null, listVersion: 'v1' },
      }));
      const lost = await job.shop.variants.upsert('run', variants).then(() => null, codeOf);
      if (lost) return lost;
      await job.heartbeat({ batch });
      say(`${batch}`);
    }
    return 'no job';
  },

  /**
   * For each idempotency key, issues a certificate or waits until another process has issued it. Returns the issuing
   * process and the certificate's ID for each key.
   */
  async certifyOnce(store: ShopStore, keys: readonly string[]) {
    const outcomes: { made: boolean; answer: string }[] = [];
    for (const key of keys) {
      for (let made = false; ; ) {
        const request = { family: 'fam_shared', operation: 'certify', key, fingerprint: 'body' };
        const begun = await store.idempotency.begin(request);
        if (begun.state === 'done') {
          outcomes.push({ made, answer: begun.response });
          break;
        }
        if (begun.state === 'new') {
          await store.certificates.issue(newCertificate(begun.run.id));
          await store.idempotency.finish(begun.run, `${begun.run.id} by ${process.pid}`);
          made = true;
        }
      }
    }
    return JSON.stringify(outcomes);
  },
};

say('ready');
for await (const line of createInterface(process.stdin)) {
  const { now, task, ids, ...location } = JSON.parse(line) as Order;
  const store = await openShopStore({ ...location, clock: () => now });
  const outcome = await tasks[task](store, ids);
  await store.close();
  say(outcome);
}
