// Processes that benches ask: the service as it is run, and the least that a JSON endpoint does.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createApi } from '@compliance/api';
import { createMetrics } from '@compliance/api/metrics';
import { createCrawler, createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { createNetwork } from '@compliance/crawler/testing';
import { openStore, type StoreOptions } from '@compliance/store';
import { serve } from '@hono/node-server';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { z } from 'zod';

const CONNECTIONS = 16;

/** A look-up of three codes. */
const LOOKUP = {
  path: '/api/v1/tariff/hts/lookup',
  body: JSON.stringify({ codes: ['7318.15.2061', '0101.21.00', '8302.41.60'] }),
};

/** A site that the service's crawler reaches on loopback: it begins its page at once and takes forever over it. */
const SLOW_SITE = 'slow.example';

/** Asks for the page of the slow site. */
export const SLOW_SCAN = { path: '/api/v1/pixel/scan', body: JSON.stringify({ url: `http://${SLOW_SITE}/` }) };

/** What a server process tells: where it listens, and the key that it takes. */
interface Ready {
  port: number;
  key: string;
}

/** What a server process has used so far. */
interface Usage {
  cpu: NodeJS.CpuUsage;
  memory: NodeJS.MemoryUsage;
}

/** The least that a JSON endpoint does: read, check, answer. */
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
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, key: 'none' };
}

async function service(place: StoreOptions, observed: boolean): Promise<Ready> {
  const store = await openStore({ ...place, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });
  const log = pino(pino.destination({ dest: '/dev/null', sync: true }));
  const scanner = await slowScanner();
  const api = createApi({ store, clock, scanner, ...(observed && { log, metrics: createMetrics() }) });
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, key };
}

async function slowScanner() {
  const network = createNetwork();
  await network.site(SLOW_SITE, (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html' });
    // Rarely enough that the site, which runs in the server's process, costs little of what is measured.
    const drip = setInterval(() => response.write('<p>'), 250);
    response.on('close', () => clearInterval(drip));
  });
  const pool = createPool({ workers: 2, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
  // They are given up sooner than in earnest, so that a flood of scans is over when its slice of the bench is.
  const limits = { totalMs: 3_000 };
  return createScanner(createCrawler(network.doors), { contact: 'https://scanner.example/about', pool, limits });
}

const clock = Date.now;
const KINDS = {
  bare,
  'service on sqlite': (dataDir: string) => service({ dataDir, clock }, false),
  'with log and metrics': (dataDir: string) => service({ dataDir, clock }, true),
  'service on PostgreSQL': (databaseUrl: string) => service({ databaseUrl, clock }, false),
};

/** A kind of server. */
export type Kind = keyof typeof KINDS;

/** What is asked, and how; a look-up with the server's own key unless told otherwise. */
interface Question {
  path?: string;
  body?: string;
  bearer?: string;
  connections?: number;
}

/** What some seconds of questions came to. CPU is the server's, in microseconds per request. */
export interface Round {
  cpu: number;
  rate: number;
  p50: number;
  p99: number;
}

/** Starts a server in a process of its own. `place` is its data folder or database. */
export async function startServer(kind: Kind, place: string) {
  const child = fork(fileURLToPath(import.meta.url), [kind, place], { execArgv: process.execArgv });
  const [{ port, key }] = (await once(child, 'message')) as [Ready];
  const usage = async (question: 'usage' | 'heap' = 'usage') => {
    child.send(question);
    const [{ cpu, memory }] = (await once(child, 'message')) as [Usage];
    return { microseconds: cpu.user + cpu.system, memory };
  };
  /** Asks at full speed for some seconds, whatever is answered. */
  const ask = async (seconds: number, question: Question = {}) =>
    await autocannon({
      url: `http://127.0.0.1:${port}${question.path ?? LOOKUP.path}`,
      method: 'POST',
      headers: { authorization: `Bearer ${question.bearer ?? key}`, 'content-type': 'application/json' },
      body: question.body ?? LOOKUP.body,
      connections: question.connections ?? CONNECTIONS,
      duration: seconds,
      timeout: 60,
      workers: 1,
    });
  /** The same, measured. Own look-ups must all succeed. */
  const round = async (seconds: number, question: Question = {}): Promise<Round> => {
    const before = await usage();
    const result = await ask(seconds, question);
    if (result.errors > 0 || (!question.bearer && result.non2xx > 0))
      throw new Error(`${kind}: ${result.non2xx} refused, ${result.errors} failed`);
    const after = await usage();
    return {
      cpu: (after.microseconds - before.microseconds) / result.requests.total,
      rate: result.requests.total / result.duration,
      p50: result.latency.p50,
      p99: result.latency.p99,
    };
  };
  /** What is resident, and what is alive on the heap after a collection (with `--expose-gc`), in MB. */
  const memory = async () => {
    const { rss, heapUsed } = (await usage('heap')).memory;
    return { resident: rss / 1024 / 1024, alive: heapUsed / 1024 / 1024 };
  };
  return { kind, ask, round, memory, stop: () => child.kill() };
}

/** A server that was started. */
export type Server = Awaited<ReturnType<typeof startServer>>;

if (import.meta.main) {
  const [kind, place] = process.argv.slice(2) as [Kind, string];
  process.send!(await KINDS[kind](place));
  process.on('message', question => {
    if (question === 'heap') globalThis.gc?.();
    process.send!({ cpu: process.cpuUsage(), memory: process.memoryUsage() } satisfies Usage);
  });
}
