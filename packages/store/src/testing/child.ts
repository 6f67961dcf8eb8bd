import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openStore, type Store, type StoreOptions } from '../index.ts';

/**
 * A second process for the tests: `node child.ts <task>`. It says `ready` once loaded, so that several can be set off
 * together, then does its task for each order on stdin and says the outcome. `children.ts` starts it.
 */

/** Where the store is. */
export type Place = Pick<StoreOptions, 'dataDir' | 'databaseUrl' | 's3'>;

/** A line on stdin, as JSON. Time stands still, so that no window or lease ends in the middle of a test. */
export interface Order extends Place {
  readonly now: number;
  /** Ids that the task is about. */
  readonly ids: readonly string[];
}

export type Task = keyof typeof tasks;

// Without a buffer: what was written is with the reader even if this process is killed in the next instant.
const say = (line: string) => writeSync(1, `${line}\n`);

const newCertificate = (id?: string) => ({
  id,
  family: 'fam_shared',
  record: '{}',
  pdf: Buffer.from(`%PDF-1.7 ${process.pid} ${process.hrtime.bigint()}`),
  actor: `${process.pid}`,
});

const codeOf = (error: unknown) => (error as { code?: string }).code ?? `${error}`;

const tasks = {
  async open(store: Store) {
    const { record } = await store.keys.issue({ scope: 'all', actor: 'child' });
    await store.usage.record({ keyId: record.id, operation: 'open' });
    return record.id;
  },

  async take(store: Store) {
    let allowed = 0;
    for (let i = 0; i < 100; i++) if ((await store.limits.take('fam_shared')).allowed) allowed++;
    return `${allowed}`;
  },

  async issueForever(store: Store) {
    for (;;) say((await store.keys.issue({ scope: 'all', actor: 'child' })).key);
  },

  async certify(store: Store) {
    return (await store.certificates.issue(newCertificate())).id;
  },

  async certifyForever(store: Store) {
    for (;;) say((await store.certificates.issue(newCertificate())).id);
  },

  /** Voids or supersedes each certificate, and tells how each attempt went. */
  async endCertificates(store: Store, ids: readonly string[]) {
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

  /** Does every job that is due, and tells which. */
  async work(store: Store) {
    const done: string[] = [];
    for (;;) {
      const job = await store.jobs.claim(`${process.pid}`, ['scan'], 60_000);
      if (!job) return JSON.stringify(done);
      await job.shop.themeFiles.replace(job.key, [{ name: 'by', checksum: `${process.pid}` }]);
      await job.complete();
      done.push(job.id);
    }
  },

  /** Takes webhooks, and tells which of them it was the first for. */
  async takeWebhooks(store: Store, ids: readonly string[]) {
    const first: string[] = [];
    for (const eventId of ids) {
      const event = { eventId, topic: 'THEMES_PUBLISH', shop: 'one.myshopify.com' };
      if (await store.webhooks.take(event, [{ kind: 'scan', key: eventId }])) first.push(eventId);
    }
    return JSON.stringify(first);
  },

  /** Takes one job and works at it for as long as it is let, saying a line for each batch that is kept. */
  async workForever(store: Store) {
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

  /** Makes a certificate for each idempotency key, or waits for the one who does, and tells who made what. */
  async certifyOnce(store: Store, keys: readonly string[]) {
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

const task = tasks[process.argv[2] as Task];
if (!task) throw new Error(`The task must be one of ${Object.keys(tasks).join(', ')}.`);

say('ready');
for await (const line of createInterface(process.stdin)) {
  const { now, ids, ...place } = JSON.parse(line) as Order;
  const store = await openStore({ ...place, clock: () => now });
  const outcome = await task(store, ids);
  await store.close();
  say(outcome);
}
