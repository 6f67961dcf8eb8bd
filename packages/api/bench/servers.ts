// Server processes for the benchmarks: the service, and a minimal JSON endpoint for comparison.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApi } from '@compliance/api';
import { createMetrics } from '@compliance/api/metrics';
import { createCrawler, createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { createNetwork, unlimitedRate } from '@compliance/crawler/testing';
import { startTelemetry } from '@compliance/server/telemetry';
import { openStore, type StoreOptions } from '@compliance/store';
import { serve } from '@hono/node-server';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { z } from 'zod';

const CONNECTIONS = 16;
/** Time limit for a server process to start or to respond to a message. */
const MESSAGE_TIMEOUT_MS = 30_000;

/** Request to look up three codes. */
const LOOKUP = {
  path: '/api/v1/tariff/hts/lookup',
  body: JSON.stringify({ codes: ['7318.15.2061', '0101.21.00', '8302.41.60'] }),
};

/** Hostname of a loopback site that starts each page response immediately but never finishes it. */
const SLOW_SITE = 'slow.example';

/** Request to scan the slow site. */
export const SLOW_SCAN = { path: '/api/v1/pixel/scan', body: JSON.stringify({ url: `http://${SLOW_SITE}/` }) };

/** Unknown key with a valid checksum, which forces the service to query the store before it rejects the key. */
export const UNKNOWN_KEY = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

/** The first message from a server process, which contains the server's port and an API key. */
interface Ready {
  port: number;
  key: string;
}

/** Resource usage of a server process. */
interface Usage {
  cpu: NodeJS.CpuUsage;
  memory: NodeJS.MemoryUsage;
}

/** Starts a minimal JSON endpoint that validates each request body before responding. */
async function bare(): Promise<Ready> {
  const schema = z.strictObject({ codes: z.array(z.string()).min(1).max(1000) });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { codes } = schema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ results: codes.map(code => ({ code })) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  return { port: (server.address() as AddressInfo).port, key: 'none' };
}

async function service(options: StoreOptions, observed: boolean): Promise<Ready> {
  const store = await openStore({ ...options, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });
  const log = pino(pino.destination({ dest: '/dev/null', sync: true }));
  const scanner = await slowScanner();
  const api = createApi({ store, clock, scanner, ...(observed && { log, metrics: createMetrics() }) });
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
  return { port: (server.address() as AddressInfo).port, key };
}

async function slowScanner() {
  const network = createNetwork();
  await network.site(SLOW_SITE, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html' });
    // The slow site runs in the same process as the server, so send chunks infrequently to limit CPU use.
    const drip = setInterval(() => response.write('<p>'), 250);
    response.on('close', () => clearInterval(drip));
  });
  const pool = createPool({ workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  // Use a shorter scan timeout than in production so that the last scans of a flood end before the next measurement
  // starts.
  const limits = { totalMs: 3_000 };
  const options = { contact: 'https://scanner.example/about', pool, limits, targetRate: unlimitedRate };
  return createScanner(createCrawler(network.transport), options);
}

/** Starts the service with tracing. */
async function traced(options: StoreOptions, sampler = ''): Promise<Ready> {
  const env = { ...process.env, OTEL_TRACES_SAMPLER: sampler };
  await startTelemetry({ env, serviceName: 'bench', serviceVersion: '0' });
  return await service(options, false);
}

const clock = Date.now;
const KINDS = {
  bare,
  'service on SQLite': (dataDir: string) => service({ dataDir, clock }, false),
  'with logging and metrics': (dataDir: string) => service({ dataDir, clock }, true),
  'service on PostgreSQL': (databaseUrl: string) => service({ databaseUrl, clock }, false),
  'traced on SQLite': (dataDir: string) => traced({ dataDir, clock }),
  'traced on PostgreSQL': (databaseUrl: string) => traced({ databaseUrl, clock }),
  'every request traced': (dataDir: string) => traced({ dataDir, clock }, 'always_on'),
};

/** Type of server to measure. */
export type Kind = keyof typeof KINDS;

/** Request to send repeatedly. Defaults to a lookup with the server's key. */
interface Workload {
  path?: string;
  body?: string;
  bearer?: string;
  connections?: number;
}

/** Length of a load test: a duration or a number of requests. */
type Duration = { readonly seconds: number } | { readonly requests: number };

/** Load measurement results. `cpu` is the server's CPU time in microseconds per request. */
export interface Round {
  cpu: number;
  rate: number;
  p50: number;
  p99: number;
}

/**
 * Starts a server in a separate process.
 *
 * @param storage the server's data folder or database URL
 * @param collector URL that a traced server exports its spans to
 */
export async function startServer(kind: Kind, storage: string, collector?: string) {
  const child = fork(fileURLToPath(import.meta.url), [kind, storage], {
    execArgv: process.execArgv,
    env: { ...process.env, ...(collector && { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector }) },
  });
  const [{ port, key }] = (await nextMessage(child, kind)) as [Ready];
  const usage = async (request: 'usage' | 'heap' = 'usage') => {
    const message = nextMessage(child, kind);
    child.send(request);
    const [{ cpu, memory }] = (await message) as [Usage];
    return { microseconds: cpu.user + cpu.system, memory };
  };
  /** Sends requests as fast as possible and returns the load statistics. */
  const load = async (duration: Duration, workload: Workload = {}) =>
    await autocannon({
      url: `http://127.0.0.1:${port}${workload.path ?? LOOKUP.path}`,
      method: 'POST',
      headers: { authorization: `Bearer ${workload.bearer ?? key}`, 'content-type': 'application/json' },
      body: workload.body ?? LOOKUP.body,
      connections: workload.connections ?? CONNECTIONS,
      ...('requests' in duration ? { amount: duration.requests } : { duration: duration.seconds }),
      timeout: 60,
      workers: 1,
    });
  /** Measures the server under load. Throws an error if any request with the server's key fails. */
  const round = async (duration: Duration, workload: Workload = {}): Promise<Round> => {
    const before = await usage();
    const result = await load(duration, workload);
    if (result.errors > 0 || (!workload.bearer && result.non2xx > 0))
      throw new Error(`${kind}: ${result.non2xx} refused, ${result.errors} failed`);
    const after = await usage();
    return {
      cpu: (after.microseconds - before.microseconds) / result.requests.total,
      rate: result.requests.total / result.duration,
      p50: result.latency.p50,
      p99: result.latency.p99,
    };
  };
  /**
   * Returns the resident set size and the live heap size after garbage collection, in MB. Requires `--expose-gc`.
   */
  const memory = async () => {
    const { rss, heapUsed } = (await usage('heap')).memory;
    return { resident: rss / 1024 / 1024, live: heapUsed / 1024 / 1024 };
  };
  return { kind, load, round, memory, stop: () => child.kill() };
}

/**
 * Waits for the next message from a server process. Throws an error if the process exits or doesn't respond in time.
 */
async function nextMessage(child: ChildProcess, kind: Kind): Promise<unknown[]> {
  const settled = new AbortController();
  const { signal } = settled;
  const timeout = AbortSignal.timeout(MESSAGE_TIMEOUT_MS);
  try {
    return await Promise.race([
      once(child, 'message', { signal: AbortSignal.any([signal, timeout]) }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`The server process "${kind}" exited with code ${code}.`);
      }),
    ]);
  } catch (error) {
    if (!timeout.aborted) throw error;
    child.kill('SIGKILL');
    throw new Error(`The server process "${kind}" didn't respond within ${MESSAGE_TIMEOUT_MS / 1000} seconds.`);
  } finally {
    settled.abort();
  }
}

/** Starts a collector that discards everything it receives. */
export async function startSink() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, received: () => bytes, stop };
}

/** A running server. */
export type Server = Awaited<ReturnType<typeof startServer>>;

if (import.meta.main) {
  const [kind, storage] = process.argv.slice(2) as [Kind, string];
  process.send!(await KINDS[kind](storage));
  process.on('message', request => {
    if (request === 'heap') globalThis.gc?.();
    process.send!({ cpu: process.cpuUsage(), memory: process.memoryUsage() } satisfies Usage);
  });
}
