import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DATASET } from '@compliance/core/tariff';
import { openStore } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import { createApi } from '../src/api.ts';
import { createJobLinks } from '../src/jobs/job-links.ts';
import { startBulkWorker } from '../src/jobs/worker.ts';

/** Measurements of a job. Times are in milliseconds, and memory is in bytes. */
export interface JobMeasurement {
  readonly times: { readonly upload: number; readonly work: number; readonly download: number; readonly total: number };
  readonly resultBytes: number;
  /** Peak memory of the service. */
  readonly service: number;
  /** Peak memory of each worker process. */
  readonly workers: readonly number[];
}

/**
 * Runs a job that looks up codes, from the upload to the download of the result, and prints a `JobMeasurement` as JSON:
 * `node job-of-codes.ts <codes> <worker processes>`. If there are worker processes, the data is in PostgreSQL.
 * Otherwise, the data is in SQLite, and this process does all the work.
 */
const [codes, workers] = process.argv.slice(2).map(Number) as [number, number];
const postgres = workers > 0 ? await startPostgres() : null;
const dataDir = mkdtempSync(join(tmpdir(), 'compliance-jobs-'));
const store = await openStore({ dataDir, databaseUrl: postgres?.url, clock: Date.now, limits: { minute: 10_000 } });
const jobLinks = createJobLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } }, 'http://service.test');
const api = createApi({ store, clock: Date.now, jobLinks });
const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });

async function call(path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await api.fetch(new Request(`http://service.test${path}`, { headers, ...init }));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string; state: string; upload_url: string; result_url: string };
}

/** Returns the elapsed time in ms. */
async function elapsed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Yields the file in chunks of 10,000 codes, most of which exist. */
async function* file() {
  yield new TextEncoder().encode('code\n');
  for (let from = 0; from < codes; from += 10_000) {
    const chunk = Array.from(
      { length: Math.min(10_000, codes - from) },
      (_, i) => `${(((from + i) * 7_919) % 9_000_000_000) + 1_000_000_000}`,
    );
    yield new TextEncoder().encode(`${chunk.join('\n')}\n`);
  }
}

const program = join(import.meta.dirname, 'jobs-worker.ts');
const children = Array.from({ length: workers }, () =>
  spawn(process.execPath, ['--conditions=@compliance/source', program, dataDir, postgres!.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  }),
);
const ownWorker =
  workers > 0
    ? null
    : startBulkWorker({
        ...{ store, clock: Date.now, dataset: () => DATASET, nomenclature: null, scanner: null, certificates: null },
        ...{ concurrency: 2, name: `${process.pid}` },
        onFailure: failure => process.stderr.write(`${failure}\n`),
      });

const body = { operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' };
let current = await call('/api/v1/jobs', { method: 'POST', body: JSON.stringify(body) });
const upload = await elapsed(async () => {
  const init = { method: 'PUT', body: ReadableStream.from(file()), duplex: 'half' } as const;
  const response = await api.fetch(new Request(current.upload_url, init));
  if (!response.ok) throw new Error(await response.text());
});
const work = await elapsed(async () => {
  while (current.state !== 'done') {
    await pause(250);
    current = await call(`/api/v1/jobs/${current.id}`);
    if (current.state === 'failed') throw new Error('The job failed.');
  }
});
let [resultBytes, resultRows] = [0, 0];
const download = await elapsed(async () => {
  const response = await api.fetch(new Request(current.result_url));
  for await (const chunk of response.body!) {
    resultBytes += chunk.byteLength;
    for (const byte of chunk) if (byte === 10) resultRows++;
  }
});
if (resultRows !== codes + 1) throw new Error(`The result has ${resultRows - 1} of ${codes} rows.`);

const peaks = await Promise.all(
  children.map(async child => {
    child.stdin.end();
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return Number(output);
  }),
);
await ownWorker?.stop();
await store.close();
await postgres?.stop();
rmSync(dataDir, { recursive: true });
const times = { upload, work, download, total: upload + work + download };
const measurement: JobMeasurement = {
  ...{ times, resultBytes, workers: peaks },
  service: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(measurement));
