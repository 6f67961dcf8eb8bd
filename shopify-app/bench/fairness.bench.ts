// Measures how long a merchant waits for a scan to start while another shop has 1,000 product webhooks and two other
// shops have exports that never end. The app's worker runs the jobs with the production handlers.
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchRow, report } from '@compliance/bench';
import { bigShop, sampleShop } from '@compliance/fake-shopify';
import { startPostgres } from '@compliance/store/testing';
import { startCatalogRead } from '../src/catalog/catalog.ts';
import { CATALOG, PRODUCT } from '../src/catalog/model/job-types.ts';
import { jobHandlers } from '../src/job-handlers.ts';
import { startWorker } from '../src/jobs/worker.ts';
import { startScan } from '../src/scan/start-scan.ts';
import { createJobHarness } from '../test/job-harness.ts';

const WEBHOOKS = 1_000;

/** Number of variants in a shop whose catalog is large enough to require an export. */
const EXPORTED_VARIANTS = 4_000;

/** Number of jobs that the worker runs concurrently. */
const SLOTS = 2;

/** Number of scans to run, one after another. */
const SCANS = 5;

async function measure(engine: string, databaseUrl?: string): Promise<BenchRow> {
  const harness = await createJobHarness(undefined, databaseUrl);
  const { store, app, scanner, pool } = harness;
  const busy = bigShop(WEBHOOKS * 4, 'busy');
  const exporting = ['export-1', 'export-2'].map(name => bigShop(EXPORTED_VARIANTS, name));
  const waiting = sampleShop('waiting');
  for (const shop of [busy, ...exporting, waiting]) await harness.install(shop);
  for (const { domain } of exporting) await startCatalogRead(store.shop(domain));
  const webhooks = busy.products.map(({ id }) => ({ kind: PRODUCT, key: id, payload: { productId: id } }));
  await store.webhooks.take({ eventId: 'e', topic: 'T', shop: busy.domain }, webhooks);
  // Keep the exports from finishing.
  const endless = setInterval(() => {
    for (const { bulks } of exporting) for (const bulk of bulks.values()) bulk.polls = 0;
  }, 50);

  const handlers = jobHandlers({
    ...{ scanner, pool, clock: Date.now, audit: store.audit, certificates: store.certificates, alerts: null },
    renderScan: null,
    flow: { apiKey: 'key' },
    billing: null,
  });
  const worker = startWorker({
    ...{ store, handlers, clock: Date.now, concurrency: SLOTS, name: 'bench', offlineContext: app.offlineContext },
    logFailure: error => {
      throw error;
    },
  });
  const doneWebhooks = async () =>
    (await store.shop(busy.domain).jobs.list({ limit: 2_000 })).filter(({ state }) => state === 'done').length;
  while ((await doneWebhooks()) < 10) await pause(50);

  const { jobs } = store.shop(waiting.domain);
  const waits: number[] = [];
  for (let i = 0; i < SCANS; i++) {
    const { id } = await startScan(app.offlineContext(waiting.domain), 'merchant');
    let job = (await jobs.get(id))!;
    while (job.finishedAt === null) {
      await pause(50);
      job = (await jobs.get(id))!;
    }
    if (job.state !== 'done') throw new Error(`The scan ended in the ${job.state} state.`);
    waits.push(job.startedAt! - job.createdAt);
  }
  const done = await doneWebhooks();
  if (done === WEBHOOKS) throw new Error('All webhooks finished before the last scan did.');
  for (const { domain } of exporting) {
    const state = (await store.shop(domain).jobs.latest(CATALOG))?.state;
    if (state !== 'queued' && state !== 'running') throw new Error(`An export is in the ${state} state.`);
  }
  clearInterval(endless);
  await worker.stop();
  await harness.close();
  return {
    what: `longest time until a merchant’s scan starts on ${engine}`,
    ...{ value: Math.max(...waits), unit: 'ms', limit: { atMost: 3_000 } },
    details: `${SCANS} scans: ${waits.join(', ')} ms; another shop has ${WEBHOOKS - done} of ${WEBHOOKS.toLocaleString('en-US')} webhooks left, and 2 shops have endless exports`,
  };
}

const postgres = await startPostgres();
report([await measure('SQLite'), await measure('PostgreSQL', postgres.url)]);
await postgres.stop();
