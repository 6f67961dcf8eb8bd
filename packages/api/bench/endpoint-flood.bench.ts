// Measures how much lookups slow down while the service is flooded with invalid keys or with scans of slow hosts, and
// how much the service's live heap grows during the load test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median, ratio, report, show } from '@compliance/bench';
import { startPostgres } from '@compliance/store/testing';
import { type Round, SLOW_SCAN, startServer, UNKNOWN_KEY } from './servers.ts';

const ROUNDS = 5;
const ROUND = { seconds: 4 };

const FLOODS = {
  'a flood of invalid keys': { bearer: UNKNOWN_KEY, connections: 200 },
  'a flood of slow-host scans': { ...SLOW_SCAN, connections: 200 },
};

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const postgres = await startPostgres();
const sqlite = await startServer('service on SQLite', dataDir);
const services = [sqlite, await startServer('service on PostgreSQL', postgres.url)];

/** Workloads by name. Each round runs every workload once so that temporary slowdowns affect all workloads alike. */
const workloads: Record<string, () => Promise<Round>> = {};
for (const server of services) {
  workloads[server.kind] = () => server.round(ROUND);
  for (const [name, flood] of Object.entries(FLOODS)) {
    workloads[`${server.kind}, ${name}`] = async () => {
      const [round] = await Promise.all([server.round(ROUND), server.load(ROUND, flood)]);
      return round;
    };
  }
}

// Warm up with each workload so that the heap growth doesn't include compiled code.
for (const run of Object.values(workloads)) await run();
await settled();
const before = await sqlite.memory();
const rounds: Record<string, Round[]> = {};
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(workloads)) rounds[name] = [...(rounds[name] ?? []), await run()];
await settled();
const after = await sqlite.memory();

const valuesOf = (name: string, metric: keyof Round) => rounds[name]!.map(round => round[metric]);
const medianOf = (name: string, metric: keyof Round) => show(median(valuesOf(name, metric)));

/** Waits for the flood requests to finish so that the measurement includes only retained memory. */
async function settled(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 6_000));
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
  ...services.flatMap(({ kind }) => Object.keys(FLOODS).map(flood => slowdown(kind, flood))),
  {
    what: "service's live heap after the load test ÷ live heap before the test",
    value: after.live / before.live,
    unit: '×',
    limit: { atMost: 1.2 },
    details: `${show(after.live)} MB compared with ${show(before.live)} MB; resident set size ${show(after.resident)} MB compared with ${show(before.resident)} MB`,
  },
]);

for (const server of services) server.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
