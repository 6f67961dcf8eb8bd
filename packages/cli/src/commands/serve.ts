import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { styleText } from 'node:util';
import { createApi, createLinks } from '@compliance/api';
import { openFonts } from '@compliance/core/entry';
import { lookup, type Nomenclature } from '@compliance/core/tariff';
import { createScanner, fetchCapture } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { loadFace } from '@compliance/fonts';
import type { Store } from '@compliance/store';
import { type ServerType, serve } from '@hono/node-server';
import { contact } from '../contact.ts';
import { Failure } from '../failure.ts';
import { parseNomenclature } from '../input/nomenclature.ts';
import { linkKeys } from '../link-keys.ts';
import { operatorAccess, operatorSecret } from '../operator-secret.ts';
import { print } from '../output/print.ts';
import { openFor } from '../store.ts';

/** How long requests in flight may take to end when the service stops, in milliseconds. */
const DRAIN_MS = 5_000;

/** Room for hostile pages: each costs its own process at most. */
const SCANS = { workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 };

/** A request whose answer does not change with the day. */
const SAMPLE = { codes: ['7318.15.2061'], as_of: '2026-10-01' };

interface ServeOptions {
  port: number;
  host: string;
  data: string;
  baseUrl?: string;
  trustedProxies: number;
}

/** `compliance serve` */
export async function serveCommand({ port, host, data, baseUrl, trustedProxies }: ServeOptions): Promise<void> {
  const { secret, origin } = operatorSecret(data, process.env);
  const store = await openFor(data);
  const pool = createPool(SCANS);
  try {
    const latest = await store.nomenclatures.latest();
    const nomenclature = latest ? parseNomenclature('the store', latest.body, latest.edition) : null;
    const operator = await operatorAccess(store, secret);
    const scanner = createScanner(fetchCapture, { contact: contact(), pool });
    const links = createLinks(linkKeys(data, process.env));
    // Certificates print the address, and a port that the system chooses is known only once it listens.
    let api: ReturnType<typeof createApi> | null = null;
    const server = await listen((...request) => api!.fetch(...request), port, host);
    const { port: bound } = server.address() as AddressInfo;
    const base = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    const certificates = { fonts: openFonts(loadFace), links, baseUrl: baseUrl ?? base };
    const settings = { baseUrl, trustedProxies, onFailure: report };
    api = createApi({ store, clock: Date.now, nomenclature, scanner, certificates, operator, ...settings });
    print(await welcome(store, base, nomenclature, origin));
    await interrupted();
    await drain(server);
  } finally {
    await Promise.all([store.close(), pool.close()]);
  }
  print('Stopped.');
}

async function listen(
  fetch: ReturnType<typeof createApi>['fetch'],
  port: number,
  hostname: string,
): Promise<ServerType> {
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

/** What to try first. A demo key is issued when the store has never had a key, and only after the port is ours. */
async function welcome(
  store: Store,
  base: string,
  nomenclature: Nomenclature | null,
  secretOrigin: string,
): Promise<string> {
  const address = `Portfolio Compliance serves ${styleText('bold', base)}`;
  const facts = `Description: ${base}/openapi.yaml\nOperator pages: ${base}/operator (the secret is ${secretOrigin})`;
  if ((await store.keys.list({ includeEnded: true })).length > 0) {
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

/** Names the failure but not what it says: messages can hold what a caller sent. */
function report(failure: unknown, requestId: string): void {
  const name = failure instanceof Error ? failure.name : typeof failure;
  process.stderr.write(`request ${requestId} failed: ${name}\n`);
}
