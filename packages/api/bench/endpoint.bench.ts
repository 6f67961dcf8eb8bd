// Compares the service's CPU time for a three-code lookup with that of a minimal node:http and Zod endpoint for the
// same request body. The service runs on SQLite, on SQLite with logging and metrics, and on PostgreSQL. For each
// request, the service authenticates the key, enforces the rate limit, and records usage. The benchmark also measures
// heap growth, the cost of rejecting an invalid key, and the slowdown of lookups during a flood of invalid keys or of
// slow-host scans.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median, ratio, report, show } from '@compliance/bench';
import { startPostgres } from '@compliance/store/testing';
import { type Round, SLOW_SCAN, startServer } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP = 2;

/** An unknown key with a valid checksum, so that the service must query the store to reject the key. */
const UNKNOWN_KEY = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

const FLOODS = {
  'a flood of invalid keys': { bearer: UNKNOWN_KEY, connections: 200 },
  'a flood of scans of slow hosts': { ...SLOW_SCAN, connections: 200 },
};

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const bare = await startServer('bare', dataDir);
const observed = await startServer('with logging and metrics', dataDir);
const sqlite = await startServer('service on SQLite', dataDir);
const onPostgres = await startServer('service on PostgreSQL', postgres.url);
const services = [sqlite, onPostgres];

/** Workloads by name. Each round runs every workload once, so that temporary slowdowns affect all workloads alike. */
const workloads: Record<string, () => Promise<Round>> = {
  bare: () => bare.round(SECONDS),
  'with logging and metrics': () => observed.round(SECONDS),
  'a malformed key': () => sqlite.round(SECONDS, { bearer: 'cmpl_live_all_nonsense' }),
  'an unknown key': () => sqlite.round(SECONDS, { bearer: UNKNOWN_KEY }),
};
for (const server of services) {
  workloads[server.kind] = () => server.round(SECONDS);
  for (const [name, flood] of Object.entries(FLOODS)) {
    workloads[`${server.kind}, ${name}`] = async () => {
      const [round] = await Promise.all([server.round(SECONDS), server.load(SECONDS, flood)]);
      return round;
    };
  }
}

for (const server of [bare, observed, ...services])
  for (let round = 0; round < WARM_UP; round++) await server.round(SECONDS);
const before = await sqlite.memory();
const rounds: Record<string, Round[]> = {};
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(workloads)) rounds[name] = [...(rounds[name] ?? []), await run()];
// Wait for the flood requests to finish, so that the measurement includes only retained memory.
await new Promise(resolve => setTimeout(resolve, 6_000));
const after = await sqlite.memory();

const valuesOf = (name: string, metric: keyof Round) => rounds[name]!.map(round => round[metric]);
const medianOf = (name: string, metric: keyof Round) => show(median(valuesOf(name, metric)));

function cost(name: string, peer: string, what: string, limit?: BenchRow['limit']): BenchRow {
  return {
    what,
    value: ratio(valuesOf(name, 'cpu'), valuesOf(peer, 'cpu')),
    unit: '×',
    details: `${medianOf(name, 'cpu')} µs of CPU time compared with ${medianOf(peer, 'cpu')} µs; ${medianOf(name, 'rate')} requests per second, p99 ${medianOf(name, 'p99')} ms`,
    ...(limit && { limit }),
  };
}

function slowdown(kind: string, flood: string): BenchRow {
  const name = `${kind}, ${flood}`;
  return {
    what: `lookups, ${kind}: slowdown during ${flood}`,
    value: ratio(valuesOf(kind, 'rate'), valuesOf(name, 'rate')),
    unit: '×',
    limit: { atMost: 2 },
    details: `${medianOf(name, 'rate')} requests per second compared with ${medianOf(kind, 'rate')} requests per second; p99 ${medianOf(name, 'p99')} ms compared with ${medianOf(kind, 'p99')} ms`,
  };
}

report([
  cost('service on SQLite', 'bare', 'lookup, service on SQLite ÷ bare node:http + zod', { atMost: 6 }),
  cost('with logging and metrics', 'bare', 'lookup, with logging and metrics ÷ bare node:http + zod'),
  cost('service on PostgreSQL', 'bare', 'lookup, service on PostgreSQL ÷ bare node:http + zod'),
  cost('a malformed key', 'service on SQLite', 'request with a malformed key ÷ lookup'),
  cost('an unknown key', 'service on SQLite', 'request with an unknown key ÷ lookup'),
  ...services.flatMap(({ kind }) => Object.keys(FLOODS).map(flood => slowdown(kind, flood))),
  {
    what: 'live heap of the service after the load test ÷ live heap before the test',
    value: after.live / before.live,
    unit: '×',
    limit: { atMost: 1.2 },
    details: `${show(after.live)} MB compared with ${show(before.live)} MB; resident set size ${show(after.resident)} MB compared with ${show(before.resident)} MB`,
  },
]);

for (const server of [bare, observed, ...services]) server.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
