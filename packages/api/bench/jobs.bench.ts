// Measures a job with a million HTS codes: the upload, the processing (by two worker processes with PostgreSQL, or by
// one process with SQLite), and the download of the result. Also measures, for CSV and Parquet, how long each phase
// blocks the event loop when a single process does everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BenchRow, report } from '@compliance/bench';
import type { JobMeasurement } from './job-of-codes.ts';

const CODES = 1_000_000;
/** Number of codes in each job used to measure event loop stalls. */
const STALL_CODES = 500_000;
const MB = 1024 * 1024;

/**
 * Database engines and the number of worker processes for each. If the number is 0, the service process runs the jobs.
 */
const ENGINES = [
  ['PostgreSQL, 2 worker processes', 2],
  ['SQLite, one process', 0],
] as const;

const program = join(import.meta.dirname, 'job-of-codes.ts');

/** Runs the job in a new process so that the peak memory is measured separately for each engine. */
async function measure(workers: number, format = 'csv', codes = CODES): Promise<JobMeasurement> {
  const argv = ['--conditions=@compliance/source', program, `${codes}`, `${workers}`, format];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output);
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const rows: BenchRow[] = [];
for (const [engine, workers] of ENGINES) {
  const { times, resultBytes, service, workers: peaks } = await measure(workers);
  const size = `${Math.round(resultBytes / MB)} MB`;
  const inWorkers = peaks.length > 0 ? `, workers ${peaks.map(peak => Math.round(peak / MB)).join(' and ')} MB` : '';
  rows.push(
    {
      what: `job with ${CODES.toLocaleString('en-US')} codes on ${engine}`,
      ...{ value: times.total, unit: 'ms', limit: { atMost: 60_000 } },
      details: `upload ${seconds(times.upload)}, processing ${seconds(times.work)}, download (${size}) ${seconds(times.download)}`,
    },
    {
      what: `peak memory of the job's largest process on ${engine}`,
      ...{ value: Math.max(service, ...peaks) / MB, unit: 'MB', limit: { atMost: 500 } },
      details: `service ${Math.round(service / MB)} MB${inWorkers}`,
    },
  );
}
for (const format of ['csv', 'parquet']) {
  const { stalls } = await measure(0, format, STALL_CODES);
  const shown = Object.entries(stalls).map(([phase, stall]) => `${phase} ${Math.round(stall)} ms`);
  rows.push({
    what: `longest event loop stall during a job with ${STALL_CODES.toLocaleString('en-US')} codes in ${format} on SQLite`,
    ...{ value: Math.max(...Object.values(stalls)), unit: 'ms', limit: { atMost: 100 } },
    details: shown.join(', '),
  });
}
report(rows);
