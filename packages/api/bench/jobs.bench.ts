// Measures a job with a million HTS codes on PostgreSQL: the upload, two worker processes, and the result download.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchRow, report } from '@compliance/bench';
import { openStore } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import { createApi } from '../src/api.ts';
import { createJobLinks } from '../src/jobs/job-links.ts';

const CODES = 1_000_000;
const WORKERS = 2;
const MB = 1024 * 1024;

/** Returns the elapsed time in ms. */
async function elapsed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const postgres = await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), 'compliance-jobs-'));
const store = await openStore({ dataDir, databaseUrl: postgres.url, clock: Date.now, limits: { minute: 10_000 } });
const jobLinks = createJobLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } }, 'http://service.test');
const api = createApi({ store, clock: Date.now, jobLinks });
const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'bench' });

async function call(path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await api.fetch(new Request(`http://service.test${path}`, { headers, ...init }));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { id: string; state: string; upload_url: string; result_url: string };
}

const program = join(import.meta.dirname, 'jobs-worker.ts');
const workers = Array.from({ length: WORKERS }, () =>
  spawn(process.execPath, ['--conditions=@compliance/source', program, dataDir, postgres.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  }),
);

/** Yields the file in chunks of 10,000 codes, most of which exist. */
async function* file() {
  yield new TextEncoder().encode('code\n');
  for (let from = 0; from < CODES; from += 10_000) {
    const codes = Array.from({ length: 10_000 }, (_, i) => `${(((from + i) * 7_919) % 9_000_000_000) + 1_000_000_000}`);
    yield new TextEncoder().encode(`${codes.join('\n')}\n`);
  }
}

let resultBytes = 0;
let resultRows = 0;
const times: Record<string, number> = {};
const total = await elapsed(async () => {
  const body = { operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' };
  const job = await call('/api/v1/jobs', { method: 'POST', body: JSON.stringify(body) });
  times.upload = await elapsed(async () => {
    const init = { method: 'PUT', body: ReadableStream.from(file()), duplex: 'half' } as const;
    const response = await api.fetch(new Request(job.upload_url, init));
    if (!response.ok) throw new Error(await response.text());
  });
  let current = job;
  times.work = await elapsed(async () => {
    while (current.state !== 'done') {
      current = await call(`/api/v1/jobs/${job.id}`);
      if (current.state === 'failed') throw new Error('The job failed.');
      await pause(250);
    }
  });
  times.download = await elapsed(async () => {
    const response = await api.fetch(new Request(current.result_url));
    for await (const chunk of response.body!) {
      resultBytes += chunk.byteLength;
      for (const byte of chunk) if (byte === 10) resultRows++;
    }
  });
});
if (resultRows !== CODES + 1) throw new Error(`The result has ${resultRows - 1} of ${CODES} rows.`);

const peaks = await Promise.all(
  workers.map(async worker => {
    worker.stdin.end();
    const [output] = await Promise.all([text(worker.stdout), once(worker, 'close')]);
    return Number(output);
  }),
);
const own = process.resourceUsage().maxRSS * 1024;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const rows: BenchRow[] = [
  {
    what: `job with ${CODES.toLocaleString('en-US')} codes on PostgreSQL, ${WORKERS} worker processes`,
    ...{ value: total, unit: 'ms', limit: { atMost: 60_000 } },
    details: `upload ${seconds(times.upload!)}, processing ${seconds(times.work!)}, download (${Math.round(resultBytes / MB)} MB) ${seconds(times.download!)}`,
  },
  {
    what: "peak memory of this job's largest process",
    ...{ value: Math.max(own, ...peaks) / MB, unit: 'MB', limit: { atMost: 500 } },
    details: `service ${Math.round(own / MB)} MB, workers ${peaks.map(peak => Math.round(peak / MB)).join(' and ')} MB`,
  },
];
report(rows);
await store.close();
await postgres.stop();
rmSync(dataDir, { recursive: true });
