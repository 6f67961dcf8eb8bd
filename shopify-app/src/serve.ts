import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { createScanner, type FetchCapture, type LookupFailure } from '@compliance/crawler';
import { createPool, inspectSandbox, sandboxWarning } from '@compliance/crawler/pool';
import { openShopStore } from '@compliance/store/shop';
import { serve } from '@hono/node-server';
import type { Logger } from 'pino';
import { drawWithPool } from './certificates/drawing.ts';
import { createApp } from './context/app.ts';
import type { Config } from './context/config.ts';
import { type Build, createServer } from './http/server.ts';
import { jobHandlers } from './job-handlers.ts';
import { startWorker } from './jobs/worker.ts';
import { startScheduler } from './schedule/scheduler.ts';

/** Resource limits for scanning untrusted pages and drawing certificates, each job in its own process. */
const POOL_LIMITS = { workers: 3, timeoutMs: 10_000, memoryMb: 256, queue: 1_000 };

/**
 * Time limits for one page. A scan reads several pages of a shop in the background, so it waits when it reaches the rate limit
 * of the shop.
 */
const SCAN_LIMITS = { targetWaitMs: 90_000, totalMs: 105_000 };

/** Maximum time, in milliseconds, for open requests to complete when the app stops. */
const DRAIN_MS = 5_000;

/** Dependencies of a running app, apart from its configuration. */
export interface ServeDeps {
  readonly build: Build;
  /** Fetches storefront pages. In production, the pages come from the public internet. */
  readonly fetchCapture: FetchCapture;
  readonly log?: Logger | undefined;
}

/** Running app that serves pages and runs jobs. */
export interface RunningApp {
  /** URL that the app listens on. */
  readonly url: string;
  /** Completes open requests, releases jobs, and closes the database. */
  stop(): Promise<void>;
}

/**
 * Opens the database, serves the app, and runs its jobs, all in one process. Several processes can share one database.
 *
 * @example
 * const running = await serveApp(readConfig(process.env), { build: await loadBuild('build'), fetchCapture });
 */
export async function serveApp(config: Config, { build, fetchCapture, log }: ServeDeps): Promise<RunningApp> {
  const { dataDir, databaseUrl, s3 } = config;
  const store = await openShopStore({ dataDir, databaseUrl, s3, clock: Date.now });
  const pool = createPool(POOL_LIMITS);
  const warning = sandboxWarning(inspectSandbox());
  if (warning) log?.warn(warning, 'sandbox');
  const app = createApp({ config, store, clock: Date.now, log, draw: drawWithPool(pool) });
  const onLookupFailure = (failure: LookupFailure) => log?.info(failure, 'lookup failed');
  const crawl = { contact: config.contact, pool, limits: SCAN_LIMITS, targetRate: store.targetRate, onLookupFailure };
  const scanner = createScanner(fetchCapture, crawl);
  const worker = startWorker({
    store,
    handlers: jobHandlers({ scanner, pool, clock: Date.now, audit: store.audit }),
    offlineContext: app.offlineContext,
    clock: Date.now,
    concurrency: config.jobsAtOnce,
    name: `${hostname()} ${process.pid}`,
    log,
    logFailure: app.logFailure,
  });
  const scheduler = startScheduler(store, { clock: Date.now, log });
  const server = serve({ fetch: createServer(app, build).fetch, port: config.port, hostname: config.host });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    async stop() {
      scheduler.stop();
      const closed = once(server, 'close');
      server.close();
      const drainTimer = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), DRAIN_MS);
      await Promise.all([closed, worker.stop()]);
      clearTimeout(drainTimer);
      await Promise.all([store.close(), pool.close()]);
    },
  };
}
