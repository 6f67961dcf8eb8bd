import { availableParallelism } from 'node:os';
import { type PartTimes, stepsOf } from '../model/part-times.ts';
import { simulate } from '../model/simulate.ts';
import type { PartNeeds } from '../model/workloads.ts';
import { type JobSpec, type MeasuredJob, runJob } from './run-job.ts';

/** A configuration whose duration is both predicted and measured. */
interface Check {
  readonly name: string;
  readonly spec: JobSpec;
  /** Number of rows in the calibration job, which measures one part's resource use with one process and one lane. */
  readonly calibrationRows: number;
}

/**
 * Number of times that each job runs. Only the fastest run counts, because other programs and other disk activity can
 * only slow a job down.
 */
const RUNS = 3;

/** Number of rows per part, and number of rounds into which the simulation divides each part. */
const PARTS = { codes: { rows: 5_000, rounds: 1 }, certificates: { rows: 10, rounds: 10 } };

/** Configurations with more processes or lanes than the calibration job. */
export const CHECKS: readonly Check[] = [
  {
    name: '1 million codes on PostgreSQL, 2 processes with 2 lanes each',
    spec: { engine: 'postgres', work: 'codes', rows: 1_000_000, processes: 2, lanes: 2 },
    calibrationRows: 500_000,
  },
  {
    name: '500 certificates on SQLite, 1 process with 2 lanes',
    spec: { engine: 'sqlite', work: 'certificates', rows: 500, processes: 1, lanes: 2 },
    calibrationRows: 500,
  },
];

/** Job that is used to measure the resources that a part of a certificate job needs on PostgreSQL. */
export const CERTIFICATE_NEEDS: JobSpec = {
  ...{ engine: 'postgres', work: 'certificates', rows: 500, processes: 1, lanes: 1 },
};

/** Result of a check. Times are in milliseconds. */
export interface PredictionCheck {
  readonly name: string;
  readonly needs: PartNeeds;
  readonly predicted: number;
  readonly measured: number;
}

/** Returns whether a predicted time is within 20% of the measured time. */
export const isClose = ({ predicted, measured }: PredictionCheck) => Math.abs(predicted / measured - 1) <= 0.2;

/** Measures one part's resource use, predicts a configuration's duration, and measures the actual duration. */
export async function runCheck({ name, spec, calibrationRows }: Check): Promise<PredictionCheck> {
  const needs = await partNeeds({ ...spec, rows: calibrationRows, processes: 1, lanes: 1 });
  const predicted = predict(spec, needs.times);
  const { elapsed: measured } = await fastestOf(() => runJob(spec));
  return { name, needs, predicted, measured };
}

/** Measures one part's resource use by running a job that has one process and one lane. */
export async function partNeeds(spec: JobSpec): Promise<PartNeeds> {
  const run = await fastestOf(() => runJob(spec, { countsDatabase: true }));
  const parts = spec.rows / PARTS[spec.work].rows;
  const { database } = run;
  return {
    times: timesOf(run, parts),
    rows: (database?.rows ?? 0) / parts,
    walBytes: (database?.walBytes ?? 0) / parts,
    fileBytes: (run.inputBytes + run.resultBytes) / parts,
  };
}

async function fastestOf(run: () => Promise<MeasuredJob>): Promise<MeasuredJob> {
  const runs: MeasuredJob[] = [];
  for (let i = 0; i < RUNS; i++) runs.push(await run());
  return runs.sort((a, b) => a.elapsed - b.elapsed)[0]!;
}

function timesOf({ elapsed, workers, database }: MeasuredJob, parts: number): PartTimes {
  const { cpu, busy } = workers;
  const mainThread = Math.min(cpu, busy);
  const databaseCpu = database?.cpu ?? 0;
  const wait = Math.max(0, elapsed - Math.max(busy, cpu) - databaseCpu);
  return {
    mainThread: mainThread / parts,
    otherThreads: (cpu - mainThread) / parts,
    blocked: (busy - mainThread) / parts,
    database: databaseCpu / parts,
    wait: wait / parts,
  };
}

/** Returns a job's predicted duration in milliseconds. */
function predict({ engine, work, rows, processes, lanes }: JobSpec, part: PartTimes): number {
  const { rows: rowsPerPart, rounds } = PARTS[work];
  const steps = stepsOf(part, rounds);
  const tasks = Array.from({ length: Math.ceil(rows / rowsPerPart) }, () => ({ arrivesAt: 0, steps }));
  // PostgreSQL accepts concurrent writers, and the number of lanes is far below its connection limit.
  const writers = engine === 'sqlite' ? 1 : processes * lanes;
  return simulate({ processes, lanes, cores: availableParallelism(), writers }, tasks).endsAt;
}
