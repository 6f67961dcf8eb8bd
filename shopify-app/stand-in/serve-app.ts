import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadBuild } from '../src/http/server.ts';
import { type Running, serveApp } from '../src/serve.ts';
import { API_KEY, API_SECRET } from './admin/tokens.ts';
import type { StandIn } from './stand-in.ts';

/** How an app beside the stand-in differs from its usual form. */
export interface AppOptions {
  readonly dataDir?: string;
  readonly port?: number;
  /** Where browsers reach it, when a proxy stands before it. */
  readonly appUrl?: string;
  readonly log?: Logger;
  /** With 0 nobody works off the jobs. */
  readonly jobsAtOnce?: number;
}

/**
 * The real app, as it is built, with the crawler on the stand-in's internet.
 *
 * @example
 * const app = await serveAppBeside(standIn);
 */
export async function serveAppBeside(standIn: StandIn, options: AppOptions = {}): Promise<Running> {
  const { port = 0, appUrl = 'https://app.example', log, jobsAtOnce = 2 } = options;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'shopify-app-')));
  const build = await loadBuild(join(import.meta.dirname, '../build'));
  const config = {
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    appUrl,
    tokenKeys: [Buffer.alloc(32, 7)],
    contact: 'https://app.example/about',
    host: '127.0.0.1',
    port,
    dataDir,
    databaseUrl: undefined,
    complianceUrl: 'https://verify.example',
    jobsAtOnce,
  };
  return await serveApp(config, { build, fetchCapture: standIn.fetchCapture, log });
}

/**
 * The same app at the address that it takes for its own, for browsers on this machine.
 *
 * @example
 * const app = await serveAppForBrowsers(standIn);
 * await routeStandIn(context, standIn, app.url);
 */
export async function serveAppForBrowsers(standIn: StandIn, options: AppOptions = {}): Promise<Running> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return await serveAppBeside(standIn, { ...options, port, appUrl: `http://127.0.0.1:${port}` });
}
