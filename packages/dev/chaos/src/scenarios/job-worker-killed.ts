import { setTimeout as pause } from 'node:timers/promises';
import { certificateOf, send } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { startProcess } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/** Number of certificates in the job. */
const ROWS = 10_000;

/** Time limit for the job, in milliseconds. */
const LIMIT_MS = 30 * 60_000;

/** Pause between progress polls, in milliseconds. Each key is limited to 100 requests per minute. */
const POLL_MS = 1_000;

interface JobStatus {
  readonly id: string;
  readonly state: string;
  readonly processed_rows: number;
  readonly upload_url: string;
  readonly result_url: string;
}

interface ResultLine {
  readonly row: number;
  readonly gcc_id: string;
  readonly sha256: string;
}

/**
 * Kills a process in the middle of a job with 10,000 certificates. On PostgreSQL, another process finishes the job. On
 * SQLite, the killed process is restarted.
 */
export const jobWorkerKilled: Scenario = {
  name: 'kill -9 during a job',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const { engine, tally } = context;
    const place = await createPlace(context);
    const [key] = (await issueKeys(place, 1)) as [string];
    const worker = await startProcess(context, place);
    let service = engine === 'postgres' ? await startProcess(context, place) : worker;
    const started = performance.now();
    const secondsSince = (time: number) => Math.round((performance.now() - time) / 1000);

    const request = { path: '/api/v1/jobs', body: { operation: 'entry.gcc.generate' } };
    const created = (await send(service.base, key, request)).body as unknown as JobStatus;
    const body = Array.from({ length: ROWS }, (_, i) => JSON.stringify(certificateOf(nameOf(i + 1)).body)).join('\n');
    const uploaded = await fetch(created.upload_url, { method: 'PUT', body });
    expectThat(tally, uploaded.ok, `the upload failed: ${uploaded.status}`);

    /** Polls the job until a condition is true, and records failed polls as violations. */
    async function jobWhen(condition: (job: JobStatus) => boolean): Promise<JobStatus> {
      for (const end = performance.now() + LIMIT_MS; performance.now() < end; await pause(POLL_MS)) {
        tally.requests++;
        const response = await fetch(`${service.base}/api/v1/jobs/${created.id}`, {
          headers: { Authorization: `Bearer ${key}` },
        });
        const job = (await response.json()) as JobStatus;
        expectThat(tally, response.ok, `the job status is unavailable: HTTP ${response.status}`);
        if (response.ok && condition(job)) return job;
      }
      throw new Error(`The job didn't reach the expected state within ${LIMIT_MS} ms.`);
    }

    const { processed_rows: before } = await jobWhen(job => job.processed_rows > ROWS / 3);
    const killed = performance.now();
    worker.child.kill('SIGKILL');
    await worker.exited;
    if (engine === 'sqlite') service = await startProcess(context, place, { port: Number(new URL(worker.base).port) });
    const job = await jobWhen(({ state }) => state !== 'running');
    expectThat(tally, job.state === 'done', `the job ended in the ${job.state} state`);
    const seconds = secondsSince(started);
    tally.facts.push(
      `${ROWS} certificates in ${seconds} s (${Math.round(ROWS / seconds)} per second)`,
      `killed after ${before} certificates; job finished ${secondsSince(killed)} seconds later`,
    );

    const lines = (await (await fetch(job.result_url)).text()).trimEnd().split('\n');
    const results = lines.map(line => JSON.parse(line) as ResultLine);
    const isComplete = results.length === ROWS && results.every(({ row }, i) => row === i + 1);
    expectThat(tally, isComplete, `the result has ${results.length} of ${ROWS} rows, or the rows are out of order`);
    for (const { row, gcc_id: id, sha256 } of results) tally.acknowledged.push({ id, sha256, name: nameOf(row) });
    await verify(place, context);
  },
};

const nameOf = (row: number) => `Helmet ${row}`;
