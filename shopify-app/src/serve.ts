import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  createScanner,
  type FetchCapture,
  type LookupFailure,
  publicTransport,
  type ScanRenderer,
} from '@compliance/crawler';
import { createPool, inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import { drawInPool } from '@compliance/drawing';
import { createListsSource } from '@compliance/lists/installed';
import { type DrainOptions, drainServers, startServer } from '@compliance/server';
import { createReadiness } from '@compliance/server/readiness';
import { openShopStore } from '@compliance/store/shop';
import type { Logger } from 'pino';
import { createMailer } from './alerts/mailer.ts';
import { loadHtsText } from './catalog/hts-text.ts';
import { createApp } from './context/app.ts';
import { type Config, openSigningKey, readFlagFile, readLabFile } from './context/config.ts';
import { type Build, createServer } from './http/server.ts';
import { jobHandlers } from './job-handlers.ts';
import { startWorker } from './jobs/worker.ts';
import { openAppRenderer } from './scan/rendering/open-renderer.ts';
import { startScheduler } from './schedule/scheduler.ts';

/** Resource limits for the pool of worker processes that scan untrusted pages and generate certificate PDFs. */
const POOL_LIMITS = { workers: 3, timeoutMs: 10_000, memoryMb: 256, queue: 1_000 };

/**
 * Limits for scans, which read several pages of a shop in the background and can wait when they reach the shop's rate
 * limit.
 */
const SCAN_LIMITS = { targetWaitMs: 90_000 };

/** Dependencies of a running app, apart from its configuration. */
export interface ServeDeps {
  readonly build: Build;
  /** Fetches storefront pages. In production, the pages come from the public internet. */
  readonly fetchCapture: FetchCapture;
  /**
   * Opens storefronts in a browser. By default, the app prepares its own browser if the configuration turns on
   * rendering.
   */
  readonly renderScan?: ScanRenderer | undefined;
  readonly log?: Logger | undefined;
}

/** Running app that serves pages and runs jobs. */
export interface RunningApp {
  /** URL that the app listens on. */
  readonly url: string;
  /**
   * Reports that the app isn't ready, completes open requests, releases jobs, and closes the database. By default,
   * stops without a delay.
   */
  stop(drain?: Partial<DrainOptions>): Promise<void>;
}

/**
 * Opens the database, serves the app, and runs its jobs, all in one process. Several processes can share one database.
 *
 * @example
 * const running = await serveApp(readConfig(process.env), { build: await loadBuild('build'), fetchCapture });
 */
export async function serveApp(
  config: Config,
  { build, fetchCapture, renderScan, log }: ServeDeps,
): Promise<RunningApp> {
  const { dataDir, databaseUrl, s3 } = config;
  const flags = config.flagFile === undefined ? null : await readFlagFile(config.flagFile);
  const labs = config.labFile === undefined ? null : await readLabFile(config.labFile);
  const sign = config.signing === undefined ? null : await openSigningKey(config.signing);
  const store = await openShopStore({ dataDir, databaseUrl, s3, clock: Date.now });
  const pool = createPool(POOL_LIMITS);
  const warning = sandboxWarning(inspectSandbox());
  if (warning) log?.warn(warning, 'sandbox');
  // `compliance lists update --data <DATA_DIR>` installs data sets in this folder.
  const lists = createListsSource({
    folder: join(dataDir, 'lists'),
    onChange: status => (status.problem ? log?.error(status, 'lists not updated') : log?.info(status, 'lists updated')),
  });
  const dataset = lists.current;
  const edition = await store.nomenclatures.latest();
  const reference = { hts: edition && loadHtsText(edition), flags, labs };
  const onLookupFailure = (failure: LookupFailure) => log?.info(failure, 'lookup failed');
  const crawl = { contact: config.contact, pool, limits: SCAN_LIMITS, targetRate: store.targetRate, onLookupFailure };
  const scanner = createScanner(fetchCapture, crawl);
  const { contact } = config;
  const runsJobs = config.jobsAtOnce > 0;
  const renderer = renderScan
    ? { availability: 'available' as const, render: renderScan, close: async () => {} }
    : await openAppRenderer(
        { isOn: config.render, runsJobs },
        { transport: publicTransport, contact, pool, targetRate: store.targetRate },
      );
  const { availability: rendering } = renderer;
  if (config.render && rendering !== 'available') log?.warn({ reason: rendering }, 'browser checks not available');
  const app = createApp({
    ...{ config, store, clock: Date.now, log, dataset, reference, rendering },
    drawing: drawInPool(pool),
    sign,
  });
  const worker = startWorker({
    store,
    handlers: jobHandlers({
      ...{ scanner, pool, clock: Date.now, audit: store.audit, certificates: store.certificates },
      renderScan: renderer.render,
      alerts: config.mail
        ? { mailer: createMailer(config.mail), links: app.unsubscribeLinks, apiKey: config.apiKey }
        : null,
      flow: { apiKey: config.apiKey, log },
      billing: app.billing,
    }),
    offlineContext: app.offlineContext,
    clock: Date.now,
    concurrency: config.jobsAtOnce,
    name: `${hostname()} ${process.pid}`,
    log,
    logFailure: app.logFailure,
  });
  const scheduler = startScheduler(store, {
    ...{ clock: Date.now, log, dataset, canRender: rendering === 'available', billing: app.billing },
  });
  let isStopping = false;
  const readiness = createReadiness({
    ...{ store, clock: Date.now, dataset, pool },
    hasListsProblem: () => lists.status().problem !== null,
    isStopping: () => isStopping,
  });
  const { fetch } = createServer(app, build, readiness);
  const server = await startServer(fetch, { port: config.port, host: config.host });

  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`,
    async stop(drain) {
      isStopping = true;
      lists.close();
      scheduler.stop();
      await Promise.all([drainServers([server], { ...config.drain, delayMs: 0, ...drain }), worker.stop()]);
      await renderer.close();
      await Promise.all([store.close(), pool.close()]);
    },
  };
}
