// Prints the CPU that the server process spends on one look-up request, against bare node:http + zod with the same body, in
// alternating rounds of one run: on sqlite, with log and metrics, and on PostgreSQL. The service authenticates, counts the
// limit and records usage. Then what bad keys cost, and what a flood of them does to look-ups.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi } from '@compliance/api';
import { createMetrics } from '@compliance/api/metrics';
import { openStore, type StoreOptions } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import { serve } from '@hono/node-server';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { z } from 'zod';

const ROUNDS = 4;
const SECONDS = 3;
const CONNECTIONS = 16;
const CODES = ['7318.15.2061', '0101.21.00', '8302.41.60'];

/** What a server process tells: where it listens, and the key that it takes. */
interface Ready {
  port: number;
  key: string;
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
  const api = createApi({ store, clock: Date.now, ...(observed && { log, metrics: createMetrics() }) });
  const server = serve({ fetch: api.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, key };
}

const clock = Date.now;
const KINDS: Record<string, (place: string) => Promise<Ready>> = {
  bare,
  'service on sqlite': dataDir => service({ dataDir, clock }, false),
  'with log and metrics': dataDir => service({ dataDir, clock }, true),
  'service on PostgreSQL': databaseUrl => service({ databaseUrl, clock }, false),
};

async function serveUntilKilled(kind: string, place: string): Promise<void> {
  process.send!(await KINDS[kind]!(place));
  process.on('message', () => process.send!({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss }));
}

async function start(kind: string, place: string) {
  const child = fork(fileURLToPath(import.meta.url), [kind, place], { execArgv: process.execArgv });
  const [{ port, key }] = (await once(child, 'message')) as [Ready];
  const usage = async () => {
    child.send('usage');
    const [{ cpu, memory }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage; memory: number }];
    return { microseconds: cpu.user + cpu.system, memory };
  };
  /** Asks for some seconds; `bearer` is the service's own key unless given. */
  const ask = async (bearer = key) =>
    await autocannon({
      url: `http://127.0.0.1:${port}/api/v1/tariff/hts/lookup`,
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ codes: CODES }),
      connections: CONNECTIONS,
      duration: SECONDS,
      workers: 1,
    });
  const round = async (bearer?: string) => {
    const before = await usage();
    const result = await ask(bearer);
    if (result.errors > 0 || (!bearer && result.non2xx > 0))
      throw new Error(`${kind}: ${result.non2xx} refused, ${result.errors} failed`);
    const after = await usage();
    return {
      cpu: (after.microseconds - before.microseconds) / result.requests.total,
      rate: result.requests.average,
      p99: result.latency.p99,
      memory: after.memory / 1024 / 1024,
    };
  };
  return { kind, ask, round, stop: () => child.kill() };
}

type Server = Awaited<ReturnType<typeof start>>;
type Round = Awaited<ReturnType<Server['round']>>;

const show = ({ cpu, rate, p99, memory }: Round) =>
  `${cpu.toFixed(0)} µs, ${rate.toFixed(0)}/s, p99 ${p99} ms, ${memory.toFixed(0)} MB`;
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

async function compareWithBare(peer: Server, server: Server): Promise<void> {
  for (const one of [peer, server]) for (let i = 0; i < 2; i++) await one.round();
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const [a, b] = [await peer.round(), await server.round()];
    ratios.push(b.cpu / a.cpu);
    console.log(`  bare ${show(a)} | ${server.kind} ${show(b)} | ${(b.cpu / a.cpu).toFixed(2)}×`);
  }
  console.log(`  ${server.kind}: median ${median(ratios).toFixed(2)}× the CPU of bare node:http + zod\n`);
}

/** A key with a right checksum costs a query; one without costs none. */
const BAD_KEYS = {
  'a malformed key': 'cmpl_live_all_nonsense',
  'a well-formed key that was never issued': 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7',
};

/** What a flood takes is told by the server's CPU: by the clock, the load generators take their share of the machine, too. */
async function floodWithBadKeys(server: Server): Promise<void> {
  for (const [name, bad] of Object.entries(BAD_KEYS)) {
    const rounds: { cost: number; byCpu: number; byClock: number }[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const alone = await server.round();
      const cost = (await server.round(bad)).cpu / alone.cpu;
      const [flooded] = await Promise.all([server.round(), server.ask(bad)]);
      rounds.push({ cost, byCpu: flooded.cpu / alone.cpu, byClock: alone.rate / flooded.rate });
    }
    const middle = (of: keyof (typeof rounds)[number]) => `${median(rounds.map(round => round[of])).toFixed(2)}×`;
    console.log(
      `  ${name}: ${middle('cost')} the CPU of a look-up. With as many connections of them at full speed, ` +
        `look-ups take ${middle('byCpu')} the server CPU, and are ${middle('byClock')} slower by the clock`,
    );
  }
  console.log();
}

async function main(): Promise<void> {
  console.log(
    `POST lookup of ${CODES.length} codes, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s in turn; server CPU`,
  );
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
  const postgres = await startPostgres();
  const peer = await start('bare', dataDir);
  for (const kind of Object.keys(KINDS).slice(1)) {
    const server = await start(kind, kind === 'service on PostgreSQL' ? postgres.url : dataDir);
    await compareWithBare(peer, server);
    if (kind !== 'with log and metrics') await floodWithBadKeys(server);
    server.stop();
  }
  peer.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const [kind, place] = process.argv.slice(2);
if (kind && place) await serveUntilKilled(kind, place);
else await main();
