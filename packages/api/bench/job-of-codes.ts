import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DATASET } from '@compliance/core/tariff';
import { createPool } from '@compliance/crawler/pool';
import { openStore } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { createApi } from '../src/api.ts';
import { createJobLinks } from '../src/jobs/job-links.ts';
import { createParquetReader } from '../src/jobs/parquet/parquet-lines.ts';
import { startBulkWorker } from '../src/jobs/worker.ts';

/** Measurements of a job. Times are in milliseconds, and memory is in bytes. */
export interface JobMeasurement {
  readonly times: { readonly upload: number; readonly work: number; readonly download: number; readonly total: number };
  /** Longest time that this process's event loop was blocked during each phase. */
  readonly stalls: { readonly upload: number; readonly work: number; readonly download: number };
  readonly resultBytes: number;
  /** Peak memory of the service. */
  readonly service: number;
  /** Peak memory of each worker process. */
  readonly workers: readonly number[];
}

/**
 * Runs a code lookup job, from the upload of the input to the download of the result, and prints a `JobMeasurement` as
 * JSON: `node job-of-codes.ts <codes> <worker processes> <csv or parquet>`. If there are worker processes, the data is
 * in PostgreSQL. Otherwise, the data is in SQLite, and this process does all the work. The input and the result have
 * the same format.
 */
const [codes, workers] = process.argv.slice(2, 4).map(Number) as [number, number];
const format = process.argv[4] as 'csv' | 'parquet';
const postgres = workers > 0 ? await startPostgres() : null;
const dataDir = mkdtempSync(join(tmpdir(), 'compliance-jobs-'));
const store = await openStore({ dataDir, databaseUrl: postgres?.url, clock: Date.now, limits: { minute: 10_000 } });
const jobLinks = createJobLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } }, 'http://service.test');
const pool = createPool({ workers: 1, timeoutMs: 10_000, memoryMb: 256, queue: 100 });
const api = createApi({ store, clock: Date.now, jobLinks, readParquet: createParquetReader(pool) });
const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });

async function call(path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await api.fetch(new Request(`http://service.test${path}`, { headers, ...init }));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string; state: string; upload_url: string; result_url: string };
}

/** Returns the elapsed time and the longest time that the event loop was blocked, in milliseconds. */
async function measure(work: () => Promise<void>): Promise<{ readonly time: number; readonly stall: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const start = performance.now();
  delay.enable();
  await work();
  delay.disable();
  return { time: performance.now() - start, stall: delay.max / 1e6 };
}

/** Returns the input code at an index. Most of these ten-digit codes don't exist in the HTS. */
const codeAt = (index: number) => `${((index * 7_919) % 9_000_000_000) + 1_000_000_000}`;

/** Yields a CSV file in chunks of 10,000 codes. */
async function* csvFile() {
  yield new TextEncoder().encode('code\n');
  for (let from = 0; from < codes; from += 10_000) {
    const chunk = Array.from({ length: Math.min(10_000, codes - from) }, (_, i) => codeAt(from + i));
    yield new TextEncoder().encode(`${chunk.join('\n')}\n`);
  }
}

/** Returns a Parquet file in chunks of 64 KiB. */
function parquetFile(): Uint8Array[] {
  const data = Array.from({ length: codes }, (_, i) => codeAt(i));
  const file = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'code', data, type: 'STRING' }] }));
  return Array.from({ length: Math.ceil(file.length / 65_536) }, (_, i) => file.subarray(i * 65_536, (i + 1) * 65_536));
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

const input = format === 'csv' ? csvFile() : parquetFile();
const body = { operation: 'tariff.hts.lookup', format, as_of: '2026-10-01' };
let current = await call('/api/v1/jobs', { method: 'POST', body: JSON.stringify(body) });
const upload = await measure(async () => {
  const init = { method: 'PUT', body: ReadableStream.from(input), duplex: 'half' } as const;
  const response = await api.fetch(new Request(current.upload_url, init));
  if (!response.ok) throw new Error(await response.text());
});
const work = await measure(async () => {
  while (current.state !== 'done') {
    await pause(250);
    current = await call(`/api/v1/jobs/${current.id}`);
    if (current.state === 'failed') throw new Error('The job failed.');
  }
});
/** Result chunks, for Parquet only. Keeping a CSV result would increase the service's measured memory. */
const kept: Uint8Array[] = [];
let resultBytes = 0;
let lines = 0;
const download = await measure(async () => {
  const response = await api.fetch(new Request(current.result_url));
  for await (const chunk of response.body!) {
    resultBytes += chunk.byteLength;
    if (format === 'parquet') kept.push(chunk);
    else for (const byte of chunk) if (byte === 10) lines++;
  }
});
const rows = format === 'parquet' ? rowsOf(Buffer.concat(kept)) : lines - 1;
if (rows !== codes) throw new Error(`The result has ${rows} of ${codes} rows.`);

function rowsOf(file: Buffer<ArrayBuffer>): number {
  return Number(parquetMetadata(file.buffer.slice(file.byteOffset, file.byteOffset + file.length)).num_rows);
}

const peaks = await Promise.all(
  children.map(async child => {
    child.stdin.end();
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return Number(output);
  }),
);
await ownWorker?.stop();
await pool.close();
await store.close();
await postgres?.stop();
rmSync(dataDir, { recursive: true });
const times = { upload: upload.time, work: work.time, download: download.time };
const measurement: JobMeasurement = {
  times: { ...times, total: times.upload + times.work + times.download },
  stalls: { upload: upload.stall, work: work.stall, download: download.stall },
  ...{ resultBytes, workers: peaks },
  service: process.resourceUsage().maxRSS * 1024,
};
process.stdout.write(JSON.stringify(measurement));
