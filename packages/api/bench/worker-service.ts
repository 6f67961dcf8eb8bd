// Runs the service and its worker pool in a separate process for fairness benchmarks. Every hostname resolves to a
// public address, and every connection goes to the benchmark's site server.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApi, createLinks } from '@compliance/api';
import { createCrawler, createScanner, isPublicAddress, type Transport } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { unlimitedRate } from '@compliance/crawler/testing';
import { drawInPool } from '@compliance/drawing';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';

/** Time limit for the server process to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000;
const KEYS = 6;

/** Message that the server process sends when it's ready. */
interface Ready {
  readonly port: number;
  readonly keys: readonly string[];
}

async function run(dataDir: string, sitePort: number): Promise<Ready> {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index++)
    keys.push((await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' })).key);
  // Use the production limits.
  const pool = createPool({ workers: 3, timeoutMs: 10_000, memoryMb: 256, queue: 1_000 });
  const transport: Transport = {
    resolve: async () => ['93.184.216.34'],
    isAllowed: isPublicAddress,
    async dial(_addresses, _port, signal) {
      const socket = connect({ host: '127.0.0.1', port: sitePort });
      await once(socket, 'connect', { signal });
      return socket;
    },
  };
  // Don't limit the request rate for each site, because all benchmark sites share one IP address, and the
  // benchmarks measure only each caller's share of the worker pool.
  const crawl = { contact: 'https://scanner.example/about', pool, targetRate: unlimitedRate };
  const scanner = createScanner(createCrawler(transport), crawl);
  const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
  const certificates = { drawing: drawInPool(pool), links, baseUrl: 'https://service.example' };
  const api = createApi({ store, clock: Date.now, scanner, certificates, trustedProxies: 1 });
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  return { port: (server.address() as AddressInfo).port, keys };
}

/**
 * Starts the service in a separate process.
 *
 * @param sitePort local port of the site server, which receives all connections from the crawler
 */
export async function startWorkerService(dataDir: string, sitePort: number) {
  const child = fork(fileURLToPath(import.meta.url), [dataDir, `${sitePort}`], { execArgv: process.execArgv });
  const [{ port, keys }] = (await once(child, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) })) as [Ready];
  return { base: `http://127.0.0.1:${port}`, keys, stop: () => child.kill() };
}

/** Returns a function that uses an API key to request a lookup of three codes. */
export function lookupRequest(base: string, key: string): () => Promise<Response> {
  return postRequest(`${base}/api/v1/tariff/hts/lookup`, key, { codes: ['7318.15.2061', '0101.21.00', '8302.41.60'] });
}

/** Returns a function that sends a POST request with a key. */
export function postRequest(url: string, key: string, body: object): () => Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return () => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

if (import.meta.main) {
  const [dataDir, sitePort] = process.argv.slice(2);
  process.send!(await run(dataDir!, Number(sitePort)));
}
