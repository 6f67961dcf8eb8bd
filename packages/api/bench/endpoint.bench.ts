// Compares the service's CPU time for a three-code lookup with that of a minimal node:http and Zod endpoint for the
// same request body. The service runs on SQLite, on SQLite with logging and metrics, and on PostgreSQL. For each
// request, the service authenticates the key, enforces the rate limit, and records usage. The benchmark also measures
// the cost of tracing, both with the default sampler and with every request sampled, and the cost of rejecting an
// invalid key.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median, ratio, report, show } from '@compliance/bench';
import { startPostgres } from '@compliance/store/testing';
import { type Round, startServer, startSink, UNKNOWN_KEY } from './servers.ts';

/** Number of rounds. The servers take turns in short rounds so that a busy machine affects all of them alike. */
const ROUNDS = 15;
const ROUND = { seconds: 1 };

/** Number of requests after which V8 has compiled almost all of the request-handling code. */
const WARM_UP = { requests: 40_000 };

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const bare = await startServer('bare', dataDir);
const sqlite = await startServer('service on SQLite', dataDir);
const observed = await startServer('with logging and metrics', dataDir);
const onPostgres = await startServer('service on PostgreSQL', postgres.url);
const sink = await startSink();
const tracedSqlite = await startServer('traced on SQLite', dataDir, sink.url);
const tracedPostgres = await startServer('traced on PostgreSQL', postgres.url, sink.url);
const everyTraced = await startServer('every request traced', dataDir, sink.url);
const servers = [bare, sqlite, tracedSqlite, everyTraced, observed, onPostgres, tracedPostgres];

/** Workloads by name. Each round runs every workload once. */
const workloads: Record<string, () => Promise<Round>> = {
  ...Object.fromEntries(servers.map(server => [server.kind, () => server.round(ROUND)])),
  'a malformed key': () => sqlite.round(ROUND, { bearer: 'cmpl_live_all_nonsense' }),
  'an unknown key': () => sqlite.round(ROUND, { bearer: UNKNOWN_KEY }),
};

for (const server of servers) await server.round(WARM_UP);
const rounds: Record<string, Round[]> = {};
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(workloads)) rounds[name] = [...(rounds[name] ?? []), await run()];

if (sink.received() === 0) throw new Error('The collector received no spans.');

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

report([
  cost('service on SQLite', 'bare', 'lookup, service on SQLite ÷ bare node:http + zod', { atMost: 3 }),
  cost('with logging and metrics', 'bare', 'lookup, with logging and metrics ÷ bare node:http + zod'),
  cost('service on PostgreSQL', 'bare', 'lookup, service on PostgreSQL ÷ bare node:http + zod', { atMost: 4.5 }),
  cost('traced on SQLite', 'service on SQLite', 'lookup with tracing ÷ lookup, SQLite', { atMost: 1.15 }),
  cost('traced on PostgreSQL', 'service on PostgreSQL', 'lookup with tracing ÷ lookup, PostgreSQL', { atMost: 1.15 }),
  cost('every request traced', 'service on SQLite', 'lookup with OTEL_TRACES_SAMPLER=always_on ÷ lookup, SQLite'),
  cost('a malformed key', 'service on SQLite', 'request with a malformed key ÷ lookup'),
  cost('an unknown key', 'service on SQLite', 'request with an unknown key ÷ lookup'),
]);

for (const server of servers) server.stop();
sink.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
