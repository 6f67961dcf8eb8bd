import { performance } from 'node:perf_hooks';
import { createLinks, startBulkWorker } from '@compliance/api';
import { DATASET } from '@compliance/core/tariff';
import { drawInProcess } from '@compliance/drawing';
import { openStore } from '@compliance/store';

/**
 * A worker process's start time, CPU time, and busy time, in milliseconds, from its first claim until the process is
 * stopped.
 */
export interface WorkerUse {
  /** Unix time when the worker first claimed a part, or null if the worker didn't claim a part. */
  readonly startedAt: number | null;
  /** CPU time of all threads. */
  readonly cpu: number;
  /** Time that the main thread was busy, including time spent blocked on the database or a file. */
  readonly busy: number;
}

/**
 * Runs jobs in a separate process until stdin is closed, and then prints a `WorkerUse` as JSON:
 * `node worker.ts <data folder> <lanes> [<database URL>]`. Prints a line when the worker is ready.
 */
const [dataDir, lanes, databaseUrl] = process.argv.slice(2) as [string, string, string | undefined];
const store = await openStore({ dataDir, databaseUrl, clock: Date.now });
const { bulkJobs } = store;
const used = () => {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1000, busy: performance.eventLoopUtilization().active };
};
let started: WorkerUse | null = null;
const claim: typeof bulkJobs.claim = async (...args) => {
  const before = used();
  const part = await bulkJobs.claim(...args);
  if (part) started ??= { startedAt: Date.now(), ...before };
  return part;
};
const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
const worker = startBulkWorker({
  ...{ store: { ...store, bulkJobs: { ...bulkJobs, claim } }, clock: Date.now },
  ...{ dataset: () => DATASET, nomenclature: null, scanner: null },
  certificates: { drawing: drawInProcess, links, baseUrl: 'http://service.test' },
  ...{ concurrency: Number(lanes), name: `${process.pid}` },
  onFailure: failure => process.stderr.write(`${failure}\n`),
});
process.stdout.write('ready\n');
process.stdin.resume().once('end', async () => {
  const { cpu, busy } = used();
  await worker.stop();
  await store.close();
  const { startedAt = null, cpu: cpuBefore = cpu, busy: busyBefore = busy } = started ?? {};
  const use: WorkerUse = { startedAt, cpu: cpu - cpuBefore, busy: busy - busyBefore };
  process.stdout.write(JSON.stringify(use));
});
