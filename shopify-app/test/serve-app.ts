import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScanRenderer } from '@compliance/crawler';
import type { FakeShopify } from '@compliance/fake-shopify';
import { API_KEY, API_SECRET } from '@compliance/fake-shopify';
import { DEFAULT_DRAIN } from '@compliance/server';
import type { Logger } from 'pino';
import type { MailSettings } from '../src/alerts/mailer.ts';
import type { Billing } from '../src/billing/plan.ts';
import { loadBuild } from '../src/http/server.ts';
import { type RunningApp, serveApp } from '../src/serve.ts';

/** Options for the app under test. */
export interface AppOptions {
  readonly dataDir?: string;
  /** PostgreSQL database. Defaults to SQLite in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  readonly port?: number;
  /** URL at which browsers reach the app. Defaults to `https://app.example`. */
  readonly appUrl?: string;
  readonly log?: Logger;
  /** SMTP server for alerts. By default, merchants can't turn on alerts. */
  readonly mail?: MailSettings;
  /** Billing settings. By default, billing is off. */
  readonly billing?: Billing;
  /** JSON file with CPSC-accepted laboratories. By default, the app doesn't check whether laboratories are accepted. */
  readonly labFile?: string;
  /** Maximum number of concurrent jobs. If the number is 0, no jobs run. */
  readonly jobsAtOnce?: number;
  /** Opens storefronts in a browser. By default, browser checks aren't available. */
  readonly renderScan?: ScanRenderer;
}

/**
 * Starts the production build of the app with a crawler that can access only the fake storefronts.
 *
 * @example
 * const app = await serveTestApp(fakeShopify);
 */
export async function serveTestApp(
  fakeShopify: Pick<FakeShopify, 'fetchCapture'>,
  options: AppOptions = {},
): Promise<RunningApp> {
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
    databaseUrl: options.databaseUrl,
    complianceUrl: 'https://verify.example',
    jobsAtOnce,
    mail: options.mail,
    billing: options.billing,
    render: false,
    labFile: options.labFile,
    drain: DEFAULT_DRAIN,
  };
  const { renderScan } = options;
  return await serveApp(config, { build, fetchCapture: fakeShopify.fetchCapture, renderScan, log });
}

/**
 * Starts the app on a known port so that browsers on this machine can use the app's own URL.
 *
 * @example
 * const app = await serveAppForBrowsers(fakeShopify);
 * await routeFakeShopify(context, fakeShopify, app.url);
 */
export async function serveAppForBrowsers(fakeShopify: FakeShopify, options: AppOptions = {}): Promise<RunningApp> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening', { signal: AbortSignal.timeout(10_000) });
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close', { signal: AbortSignal.timeout(10_000) });
  return await serveTestApp(fakeShopify, { ...options, port, appUrl: `http://127.0.0.1:${port}` });
}
