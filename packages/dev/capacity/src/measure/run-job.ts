import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createApi, createJobLinks } from '@compliance/api';
import { openStore } from '@compliance/store';
import { startPostgres } from '@compliance/store/testing';
import { type DatabaseUse, databaseUse } from './database-use.ts';
import type { WorkerUse } from './worker.ts';

/** A job to measure. */
export interface JobSpec {
  readonly engine: 'sqlite' | 'postgres';
  readonly work: 'codes' | 'certificates';
  readonly rows: number;
  readonly processes: number;
  /** Number of parts that a process runs concurrently. */
  readonly lanes: number;
}

/** Measurements of a job. Times are in milliseconds. */
export interface MeasuredJob {
  /** Time from when the first part was claimed until the last part ended. */
  readonly elapsed: number;
  /** Totals for all worker processes. */
  readonly workers: Pick<WorkerUse, 'cpu' | 'busy'>;
  /** Resources that the PostgreSQL server used for the job, or null if they weren't measured. */
  readonly database: DatabaseUse | null;
  readonly inputBytes: number;
  readonly resultBytes: number;
}

const REQUEST = {
  codes: { operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' },
  certificates: { operation: 'entry.gcc.generate', format: 'ndjson' },
};

/**
 * Runs a job with real worker processes.
 *
 * @param options whether to measure the PostgreSQL server's resource use, which takes another 22 seconds
 */
export async function runJob(
  { engine, work, rows, processes, lanes }: JobSpec,
  { countsDatabase = false }: { readonly countsDatabase?: boolean } = {},
): Promise<MeasuredJob> {
  const postgres = engine === 'postgres' ? await startPostgres() : null;
  const dataDir = mkdtempSync(join(tmpdir(), 'compliance-capacity-'));
  const store = await openStore({ dataDir, databaseUrl: postgres?.url, clock: Date.now, limits: { minute: 100_000 } });
  const jobLinks = createJobLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } }, 'http://service.test');
  const api = createApi({ store, clock: Date.now, jobLinks });
  const { key } = await store.keys.issue({ scope: 'all', note: 'delegate:on', actor: 'capacity' });
  const { family } = (await store.keys.authenticate(key))!;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(REQUEST[work]);
  const created = await api.fetch(new Request('http://service.test/api/v1/jobs', { method: 'POST', headers, body }));
  const { id, upload_url } = (await created.json()) as { id: string; upload_url: string };

  const program = join(import.meta.dirname, 'worker.ts');
  const argv = ['--conditions=@compliance/source', program, dataDir, `${lanes}`, ...(postgres ? [postgres.url] : [])];
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const outputs = children.map(child => createInterface(child.stdout)[Symbol.asyncIterator]());
  for (const output of outputs) await output.next();

  const server = countsDatabase ? postgres : null;
  const before = server && (await databaseUse(server.url));
  const input = inputOf(work, rows);
  const uploaded = await api.fetch(new Request(upload_url, { method: 'PUT', body: input }));
  if (!uploaded.ok) throw new Error(await uploaded.text());
  let job = await store.bulkJobs.get(family, id);
  // Poll infrequently, so that polling doesn't affect the measurement.
  for (; job.state === 'running'; job = await store.bulkJobs.get(family, id)) await pause(500);
  if (job.state !== 'done' || job.errorRows > 0)
    throw new Error(`The job ended in the ${job.state} state with ${job.errorRows} errors.`);
  const after = server && (await databaseUse(server.url));

  const uses: WorkerUse[] = [];
  for (const [i, child] of children.entries()) {
    child.stdin.end();
    uses.push(JSON.parse((await outputs[i]!.next()).value ?? ''));
    await once(child, 'close');
  }
  const { result_url } = (await (
    await api.fetch(new Request(`http://service.test/api/v1/jobs/${id}`, { headers }))
  ).json()) as { result_url: string };
  const result = await (await api.fetch(new Request(result_url))).arrayBuffer();
  await store.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true });
  return {
    elapsed: job.finishedAt! - Math.min(...uses.flatMap(({ startedAt }) => startedAt ?? [])),
    workers: { cpu: sum(uses.map(({ cpu }) => cpu)), busy: sum(uses.map(({ busy }) => busy)) },
    database: before && after && subtract(after, before),
    inputBytes: input.length,
    resultBytes: result.byteLength,
  };
}

function inputOf(work: JobSpec['work'], rows: number): string {
  const numbers = Array.from({ length: rows }, (_, i) => i);
  if (work === 'codes') {
    const codes = numbers.map(i => `${((i * 7_919) % 9_000_000_000) + 1_000_000_000}`);
    return ['code', ...codes].join('\n');
  }
  return numbers.map(i => JSON.stringify(certificateRequest(`Helmet ${i}`))).join('\n');
}

const certificateRequest = (name: string) => ({
  product_info: { name, date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
  manufacturer: { name: 'Velo Safety', address: '88 Keyuan Road, Shenzhen', contact_email: 'desk@velo.example' },
  testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
  cpsc_rules_cited: ['16 CFR 1203'],
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const subtract = (after: DatabaseUse, before: DatabaseUse): DatabaseUse => ({
  cpu: after.cpu - before.cpu,
  rows: after.rows - before.rows,
  walBytes: after.walBytes - before.walBytes,
});
