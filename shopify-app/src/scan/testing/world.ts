import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createScanner, type Scanner } from '@compliance/crawler';
import { createPool, type Pool } from '@compliance/crawler/pool';
import { type Job, openStore, type Scan, type Shop, type Store } from '@compliance/store';
import { API_KEY, API_SECRET, idToken } from '../../../stand-in/admin/tokens.ts';
import type { StandInShop } from '../../../stand-in/shop/shop.ts';
import { type StandIn, startStandIn } from '../../../stand-in/stand-in.ts';
import { wireFetch } from '../../../stand-in/wire-fetch.ts';
import type { Admin } from '../../admin/admin.ts';
import { type App, createApp } from '../../app.ts';
import { type JobDoors, jobKinds } from '../../jobs/kinds.ts';
import { startWorker } from '../../jobs/worker.ts';
import type { Merchant } from '../../merchant.ts';
import { startScan } from '../start-scan.ts';
import type { FindingDetail, ScanCoverage } from '../types.ts';

/** A store of ours beside a Shopify that is stood in for, and the app between them, without HTTP. */
export interface World {
  readonly standIn: StandIn;
  readonly store: Store;
  readonly app: App;
  readonly pool: Pool;
  readonly scanner: Scanner;
  readonly dataDir: string;
  /** Opens the app as the shop's merchant does for the first time. What that sets going is cancelled. */
  install(shop: StandInShop): Promise<Shop>;
  /** Scans a shop by a worker as in production, and gives the ended job. */
  scan(domain: string, doors?: Partial<JobDoors>): Promise<Job>;
  /** Is called before each question that a job asks Shopify; what it throws is what Shopify answers. */
  beforeAsking: (operation: string) => void;
  /** Lets time pass, in milliseconds. */
  advance(ms: number): void;
  /** Runs workers until nothing waits for them any more. */
  work(domain: string, doors?: Partial<JobDoors>): Promise<void>;
  close(): Promise<void>;
}

/** A world in a process of its own, on what another process has. */
export interface Beside {
  readonly dataDir: string;
  /** Where the other's stand-in listens. */
  readonly url: string;
}

/** @example const world = await createWorld(); const shop = await world.install(sampleShop()); */
export async function createWorld(beside?: Beside): Promise<World> {
  const standIn = await startStandIn([]);
  wireFetch(beside ?? standIn);
  const dataDir = beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'scans-')));
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const store = await openStore({ dataDir, clock });
  const config = {
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl: 'https://app.example',
    tokenKeys: [Buffer.alloc(32, 7)],
  };
  const app = createApp({ config, store, clock });
  const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  const scanner = createScanner(standIn.fetchCapture, { contact: 'https://app.example/about', pool });

  const merchantBehind = (domain: string): Merchant => {
    const merchant = app.merchantBehind(domain);
    const run: Admin['run'] = async (operation, variables, options) => {
      world.beforeAsking(operation.name);
      return await merchant.admin.run(operation, variables, options);
    };
    return { ...merchant, admin: { run } };
  };
  const work: World['work'] = async (domain, doors) => {
    const kinds = jobKinds({ scanner, pool, clock, audit: store.audit, ...doors });
    const worker = startWorker({
      ...{ store, kinds, merchantBehind, clock, concurrency: 1, name: 'test' },
      failed: error => {
        throw error;
      },
    });
    const waits = async () =>
      (await store.shop(domain).jobs.list({ limit: 100 })).some(
        ({ state, runAt }) => state === 'running' || (state === 'queued' && runAt <= clock()),
      );
    while (await waits()) await wait(50);
    await worker.stop();
  };

  const world: World = {
    ...{ standIn, store, app, pool, scanner, dataDir, work },
    beforeAsking: () => undefined,
    advance: ms => {
      ahead += ms;
    },
    async install(shop) {
      await standIn.add(shop);
      const name = shop.domain.split('.')[0];
      const query = new URLSearchParams({
        ...{ embedded: '1', shop: shop.domain, id_token: await idToken(shop.domain) },
        host: Buffer.from(`admin.shopify.com/store/${name}`).toString('base64'),
      });
      const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0' };
      await app.merchantOf(new Request(`https://app.example/app?${query}`, { headers }));
      await store.shop(shop.domain).jobs.cancel();
      return store.shop(shop.domain);
    },
    async scan(domain, doors) {
      const { id } = await startScan(app.merchantBehind(domain), 'merchant');
      await work(domain, doors);
      return (await store.shop(domain).jobs.get(id))!;
    },
    async close() {
      await Promise.all([pool.close(), standIn.close(), store.close()]);
      if (!beside) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

/** The newest scan of a shop. */
export async function newestScan(shop: Shop): Promise<Scan & { readonly coverage: ScanCoverage }> {
  const scan = await shop.scans.get((await shop.scans.latest())!.id);
  return scan as Scan & { readonly coverage: ScanCoverage };
}

/** What a scan says of a rule, once for each finding. */
export const detailsOf = (scan: Scan, rule: string): FindingDetail[] => [
  ...new Map(
    scan.findings.filter(({ ruleId }) => ruleId === rule).map(one => [one.fingerprint, one.detail as FindingDetail]),
  ).values(),
];

/** How many files of a shop's published theme may hold code. */
export const codeFiles = ({ themes: [main] }: StandInShop): number =>
  [...main!.files.keys()].filter(name =>
    /^(layout|sections|snippets|blocks|templates)\/|^config\/settings_data/.test(name),
  ).length;
