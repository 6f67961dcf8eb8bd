import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { styleText } from 'node:util';
import { type Api, createApi, createLinks } from '@compliance/api';
import { createMetrics, type Metrics } from '@compliance/api/metrics';
import { openFonts } from '@compliance/core/entry';
import { isCalendarDate, lookup, type Nomenclature } from '@compliance/core/tariff';
import { createScanner, fetchCapture } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { loadFace } from '@compliance/fonts';
import type { Store } from '@compliance/store';
import { type ServerType, serve } from '@hono/node-server';
import { type Level, pino } from 'pino';
import { contactOf } from '../contact.ts';
import { Failure } from '../failure.ts';
import { parseNomenclature } from '../input/nomenclature.ts';
import { print } from '../output/print.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorAccess, operatorSecret } from '../secrets/operator-secret.ts';
import { openFor } from '../store.ts';

/** How long requests in flight may take to end when the service stops, in milliseconds. */
const DRAIN_MS = 5_000;

/** Room for hostile pages: each costs its own process at most. */
const SCANS = { workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 };

/** A request whose answer does not change with the day. */
const SAMPLE = { codes: ['7318.15.2061'], as_of: '2026-10-01' };

/** How the service is run. */
export interface ServeOptions {
  port: number;
  host: string;
  data: string;
  /** `info` writes a line for each request, `error` only failures of the service. */
  log: Level | 'silent';
  metricsPort?: number;
  baseUrl?: string;
  trustedProxies: number;
  /** When v0 ends, YYYY-MM-DD: both or neither. */
  v0Deprecated?: string;
  v0Sunset?: string;
}

/** `compliance serve` */
export async function serveCommand(options: ServeOptions): Promise<void> {
  const { port, host, data, log: level, metricsPort, baseUrl, trustedProxies } = options;
  const retirement = retirementOf(options);
  // A service that lacks its secrets or is told nonsense leaves no trace.
  const contact = contactOf(process.env);
  const { secret, origin } = operatorSecret(data, process.env);
  const links = createLinks(linkKeys(data, process.env));
  const store = await openFor(data);
  const pool = createPool(SCANS);
  const servers: ServerType[] = [];
  try {
    const latest = await store.nomenclatures.latest();
    const nomenclature = latest ? parseNomenclature('the store', latest.body, latest.edition) : null;
    const operator = await operatorAccess(store, secret);
    const scanner = createScanner(fetchCapture, { contact, pool });
    // The log goes to standard error: standard output greets the person who started the service.
    const log = level === 'silent' ? undefined : pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
    const metrics = metricsPort === undefined ? undefined : createMetrics();
    if (metrics) servers.push(await listen({ fetch: request => scrape(metrics, request) }, metricsPort!, host));
    // Certificates print the address, and a port that the system chooses is known only once it listens.
    let api: Api | null = null;
    const server = await listen({ fetch: (...request) => api!.fetch(...request) }, port, host);
    servers.push(server);
    const { port: bound } = server.address() as AddressInfo;
    const base = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    const certificates = { fonts: openFonts(loadFace), links, baseUrl: baseUrl ?? base };
    api = createApi({
      store,
      clock: Date.now,
      nomenclature,
      scanner,
      certificates,
      operator,
      baseUrl,
      trustedProxies,
      v0Retirement: retirement,
      ...(log && { log }),
      ...(metrics && { metrics }),
    });
    // Whoever has read the welcome may stop the service.
    const stopped = interrupted();
    print(await welcome(store, base, nomenclature, origin));
    await stopped;
  } finally {
    await Promise.all(servers.map(drain));
    await Promise.all([store.close(), pool.close()]);
  }
  print('Stopped.');
}

/** The metrics alone, on a port of their own, which the public does not reach. */
async function scrape(metrics: Metrics, request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response(null, { status: 404 });
  return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType } });
}

function retirementOf({ v0Deprecated, v0Sunset }: ServeOptions) {
  if (v0Deprecated === undefined && v0Sunset === undefined) return null;
  const [deprecatedAt, sunsetAt] = [v0Deprecated, v0Sunset].map(date =>
    date !== undefined && isCalendarDate(date) ? Date.parse(date) : Number.NaN,
  ) as [number, number];
  if (sunsetAt >= deprecatedAt) return { deprecatedAt, sunsetAt };
  throw new Failure(
    'Give --v0-deprecated and --v0-sunset together, as YYYY-MM-DD, the sunset not before the deprecation.',
    2,
  );
}

async function listen({ fetch }: Pick<Api, 'fetch'>, port: number, hostname: string): Promise<ServerType> {
  const server = serve({ fetch, port, hostname });
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Failure(`Port ${port} is in use. Stop what listens there, or give another: --port ${port + 1}`);
    throw new Failure(`Cannot listen on ${hostname} port ${port}: ${message}`);
  }
}

/**
 * What to try first. A demo key is issued when the store has never had a key, and only after the port is ours; in
 * production never, since what is printed there is kept in logs.
 */
async function welcome(
  store: Store,
  base: string,
  nomenclature: Nomenclature | null,
  secretOrigin: string,
): Promise<string> {
  const address = `Portfolio Compliance serves ${styleText('bold', base)}`;
  const facts = `Description: ${base}/openapi.yaml\nOperator pages: ${base}/operator (the secret is ${secretOrigin})`;
  if (process.env.NODE_ENV === 'production' || (await store.keys.list({ includeEnded: true })).length > 0) {
    return `${address}\n${facts}\nNo key is shown again. Issue one: compliance keys issue --note delegate:on\nStop with Ctrl-C.`;
  }
  const { key } = await store.keys.issue({ scope: 'all', note: 'demo delegate:on', actor: 'first start' });
  const answer = lookup(SAMPLE.codes, { asOf: SAMPLE.as_of, ...(nomenclature && { nomenclature }) });
  return `${address}
${facts}

Demo key, shown once:
  ${styleText('bold', key)}

Try it:
  curl -s ${base}/api/v1/tariff/hts/lookup -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(SAMPLE)}'

It answers:
  ${styleText('dim', JSON.stringify(answer))}

No legal, customs or tax advice. Stop with Ctrl-C.`;
}

async function interrupted(): Promise<void> {
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** Takes no more requests, and lets those in flight end. */
async function drain(server: ServerType): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
}
