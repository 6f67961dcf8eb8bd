// Prints the CPU that the server process spends on one look-up request, against bare node:http + zod with the same body,
// in alternating rounds of one run. The service authenticates, counts the limit and records usage on sqlite.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi } from '@compliance/api';
import { openStore } from '@compliance/store';
import { serve } from '@hono/node-server';
import autocannon from 'autocannon';
import { z } from 'zod';

const ROUNDS = 4;
const SECONDS = 3;
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

async function service(dataDir: string): Promise<Ready> {
  const store = await openStore({ dataDir, clock: Date.now, limits: { minute: 1e9, day: 1e9 } });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });
  const api = createApi({ store, clock: Date.now });
  const server = serve({ fetch: (request, { incoming }) => api.fetch(request, incoming.socket), port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, key };
}

async function serveUntilKilled(kind: string, dataDir: string): Promise<void> {
  process.send!(await (kind === 'bare' ? bare() : service(dataDir)));
  process.on('message', () => process.send!({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss }));
}

async function start(kind: string, dataDir: string) {
  const child = fork(fileURLToPath(import.meta.url), [kind, dataDir], { execArgv: process.execArgv });
  const [{ port, key }] = (await once(child, 'message')) as [Ready];
  const usage = async () => {
    child.send('usage');
    const [{ cpu, memory }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage; memory: number }];
    return { microseconds: cpu.user + cpu.system, memory };
  };
  const round = async () => {
    const before = await usage();
    const result = await autocannon({
      url: `http://127.0.0.1:${port}/api/v1/tariff/hts/lookup`,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ codes: CODES }),
      connections: 16,
      duration: SECONDS,
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${kind}: ${result.non2xx} refused, ${result.errors} failed`);
    const after = await usage();
    return {
      cpu: (after.microseconds - before.microseconds) / result.requests.total,
      rate: result.requests.average,
      p99: result.latency.p99,
      memory: after.memory / 1024 / 1024,
    };
  };
  return { round, stop: () => child.kill() };
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
  const servers = [await start('bare', dataDir), await start('service', dataDir)] as const;
  for (const server of servers) await server.round();
  console.log(
    `POST lookup of ${CODES.length} codes, 16 connections, ${ROUNDS} rounds of ${SECONDS} s each in turn; server CPU`,
  );
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const [a, b] = [await servers[0].round(), await servers[1].round()];
    ratios.push(b.cpu / a.cpu);
    const show = (r: typeof a) =>
      `${r.cpu.toFixed(0)} µs, ${r.rate.toFixed(0)}/s, p99 ${r.p99} ms, ${r.memory.toFixed(0)} MB`;
    console.log(`  bare ${show(a)} | service on sqlite ${show(b)} | ${(b.cpu / a.cpu).toFixed(2)}×`);
  }
  const median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!;
  console.log(`  median ${median.toFixed(2)}× the CPU of bare node:http + zod`);
  for (const server of servers) server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const [kind, dataDir] = process.argv.slice(2);
if (kind && dataDir) await serveUntilKilled(kind, dataDir);
else await main();
