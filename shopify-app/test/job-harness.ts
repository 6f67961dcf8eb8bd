import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DATASET, type Dataset } from '@compliance/core/tariff';
import { createScanner, type Scanner } from '@compliance/crawler';
import { createPool, type Pool } from '@compliance/crawler/pool';
import type { FakeShop } from '@compliance/fake-shopify';
import { API_KEY, API_SECRET, type FakeShopify, idToken, startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { type Job, openShopStore, type Scan, type Shop, type ShopStore } from '@compliance/store/shop';
import type { Admin } from '../src/admin/admin.ts';
import type { Merchant } from '../src/admin/merchant.ts';
import { type App, createApp } from '../src/context/app.ts';
import { type JobDeps, jobHandlers } from '../src/job-handlers.ts';
import { startWorker } from '../src/jobs/worker.ts';
import type { FindingDetail, ScanCoverage } from '../src/scan/model/types.ts';
import { startScan } from '../src/scan/start-scan.ts';

/** Time limit for a shop's jobs, in milliseconds. The limit is high because benchmarks read large catalogs. */
const WORK_TIMEOUT_MS = 300_000;

/** Pool that all harnesses in this process share, because starting a worker takes half a second of CPU time. */
let sharedPool: Pool | undefined;

/** Test harness that runs the app's services and jobs with a database and the fake Shopify, but without HTTP. */
export interface JobHarness {
  readonly fakeShopify: FakeShopify;
  readonly store: ShopStore;
  readonly app: App;
  readonly pool: Pool;
  readonly scanner: Scanner;
  readonly dataDir: string;
  /** The tariff data set in use. */
  dataset: Dataset;
  /** Installs the app as the shop's merchant and cancels the jobs that the installation enqueues. */
  install(shop: FakeShop): Promise<Shop>;
  /** Scans a shop with a worker, as in production. Returns the finished job. */
  scan(domain: string, deps?: Partial<JobDeps>): Promise<Job>;
  /**
   * Runs before each Admin API operation of a job. If this function throws an error, the operation fails with that
   * error.
   */
  beforeAsking: (operation: string) => void;
  /** Advances the clock by the given number of milliseconds. */
  advance(ms: number): void;
  /** Runs workers until the shop has no due jobs. */
  work(domain: string, deps?: Partial<JobDeps>): Promise<void>;
  close(): Promise<void>;
}

/** Test environment shared with another process. */
export interface SharedEnvironment {
  readonly dataDir: string;
  /** URL of the fake Shopify in the other process. */
  readonly url: string;
}

/**
 * Creates a job harness.
 *
 * @param databaseUrl PostgreSQL database. Defaults to SQLite.
 * @example
 * const harness = await createJobHarness();
 * const shop = await harness.install(sampleShop());
 */
export async function createJobHarness(shared?: SharedEnvironment, databaseUrl?: string): Promise<JobHarness> {
  const fakeShopify = await startFakeShopify([]);
  wireFetch(shared ?? fakeShopify);
  const dataDir = shared?.dataDir ?? (await mkdtemp(join(tmpdir(), 'scans-')));
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const store = await openShopStore({ dataDir, databaseUrl, clock });
  const config = {
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl: 'https://app.example',
    tokenKeys: [Buffer.alloc(32, 7)],
  };
  const app = createApp({ config, store, clock, dataset: () => harness.dataset });
  const pool = (sharedPool ??= createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 }));
  const scanner = createScanner(fakeShopify.fetchCapture, { contact: 'https://app.example/about', pool });

  const offlineContext = (domain: string): Merchant => {
    const merchant = app.offlineContext(domain);
    const run: Admin['run'] = async (operation, variables, options) => {
      harness.beforeAsking(operation.name);
      return await merchant.admin.run(operation, variables, options);
    };
    return { ...merchant, admin: { run } };
  };
  const work: JobHarness['work'] = async (domain, deps) => {
    const handlers = jobHandlers({
      ...{ scanner, pool, clock, audit: store.audit, certificates: store.certificates, alerts: null },
      renderScan: null,
      flow: { apiKey: API_KEY },
      billing: null,
      ...deps,
    });
    const worker = startWorker({
      ...{ store, handlers, offlineContext, clock, concurrency: 1, name: 'test' },
      logFailure: error => {
        throw error;
      },
    });
    const hasDueJobs = async () =>
      (await store.shop(domain).jobs.list({ limit: 100 })).some(
        ({ state, runAt }) => state === 'running' || (state === 'queued' && runAt <= clock()),
      );
    const deadline = Date.now() + WORK_TIMEOUT_MS;
    while (await hasDueJobs()) {
      if (Date.now() > deadline) throw new Error(`${domain} still has due jobs after ${WORK_TIMEOUT_MS} ms`);
      await wait(50);
    }
    await worker.stop();
  };

  const harness: JobHarness = {
    ...{ fakeShopify, store, app, pool, scanner, dataDir, work },
    beforeAsking: () => undefined,
    dataset: DATASET,
    advance: ms => {
      ahead += ms;
    },
    async install(shop) {
      await fakeShopify.add(shop);
      const name = shop.domain.split('.')[0];
      const query = new URLSearchParams({
        ...{ embedded: '1', shop: shop.domain, id_token: await idToken(shop.domain) },
        host: Buffer.from(`admin.shopify.com/store/${name}`).toString('base64'),
      });
      const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0' };
      await app.authenticateMerchant(new Request(`https://app.example/app?${query}`, { headers }));
      await store.shop(shop.domain).jobs.cancel();
      return store.shop(shop.domain);
    },
    async scan(domain, deps) {
      const { id } = await startScan(app.offlineContext(domain), 'merchant');
      await work(domain, deps);
      return (await store.shop(domain).jobs.get(id))!;
    },
    async close() {
      await Promise.all([fakeShopify.close(), store.close()]);
      if (!shared) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return harness;
}

/** Returns a shop's newest scan. */
export async function newestScan(shop: Shop): Promise<Scan & { readonly coverage: ScanCoverage }> {
  const scan = await shop.scans.get((await shop.scans.latest())!.id);
  return scan as Scan & { readonly coverage: ScanCoverage };
}

/** Returns the details of a rule's findings in a scan, with one entry per fingerprint. */
export const detailsOf = (scan: Scan, rule: string): FindingDetail[] => [
  ...new Map(
    scan.findings.filter(({ ruleId }) => ruleId === rule).map(one => [one.fingerprint, one.detail as FindingDetail]),
  ).values(),
];

/** Returns the number of code files in a shop's published theme. */
export const codeFiles = ({ themes: [main] }: FakeShop): number =>
  [...main!.files.keys()].filter(name =>
    /^(layout|sections|snippets|blocks|templates)\/|^config\/settings_data/.test(name),
  ).length;
