import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { createScanner, type FetchCapture } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { type Build, createServer } from './http/server.ts';
import { jobKinds } from './jobs/kinds.ts';
import { startScheduler } from './jobs/scheduler.ts';
import { startWorker } from './jobs/worker.ts';

/** Room for hostile pages: each costs its own process at most. */
const SCANS = { workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 };

/** How long requests in flight may take to end when the app stops, in milliseconds. */
const DRAIN_MS = 5_000;

/** What a running app is made of besides its settings. */
export interface ServeParts {
  readonly build: Build;
  /** The way to storefronts; the public internet in production. */
  readonly fetchCapture: FetchCapture;
  readonly log?: Logger | undefined;
}

/** An app that serves and works. */
export interface Running {
  /** Where it listens. */
  readonly url: string;
  /** Ends requests in flight, lets go of jobs, closes the store. */
  stop(): Promise<void>;
}

/**
 * Opens the store, serves the app and works off its jobs, in one process. More processes may do the same on one database.
 *
 * @example
 * const running = await serveApp(readConfig(process.env), { build: await loadBuild('build'), fetchCapture });
 */
export async function serveApp(config: Config, { build, fetchCapture, log }: ServeParts): Promise<Running> {
  const { dataDir, databaseUrl, s3 } = config;
  const store = await openStore({ dataDir, databaseUrl, s3, clock: Date.now });
  const pool = createPool(SCANS);
  const app = createApp({ config, store, clock: Date.now, log });
  const scanner = createScanner(fetchCapture, { contact: config.contact, pool });
  const worker = startWorker({
    store,
    kinds: jobKinds({ scanner, pool, clock: Date.now, audit: store.audit }),
    merchantBehind: app.merchantBehind,
    clock: Date.now,
    concurrency: config.jobsAtOnce,
    name: `${hostname()} ${process.pid}`,
    log,
    failed: app.failed,
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
      const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), DRAIN_MS);
      await Promise.all([closed, worker.stop()]);
      clearTimeout(late);
      await Promise.all([store.close(), pool.close()]);
    },
  };
}
