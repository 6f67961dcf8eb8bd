import { availableParallelism } from 'node:os';
import { type PartTimes, stepsOf } from '../model/part-times.ts';
import { simulate } from '../model/simulate.ts';
import type { PartNeeds } from '../model/workloads.ts';
import { type JobSpec, type MeasuredJob, runJob } from './run-job.ts';

/** A configuration whose time is predicted and measured. */
interface Check {
  readonly name: string;
  readonly spec: JobSpec;
  /** Number of rows of the job that measures the needs of a part with one process and one lane. */
  readonly calibrationRows: number;
}

/**
 * Number of runs of each job. The fastest run counts, because other programs and the disk's other users only ever make a job slower.
 */
const RUNS = 3;

/** Rows per part, and number of rounds of a part in the simulation. */
const PARTS = { codes: { rows: 5_000, rounds: 1 }, certificates: { rows: 10, rounds: 10 } };

/** Configurations that differ from the calibration in their numbers of processes and lanes. */
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

/** Job that measures the needs of a part with certificates on PostgreSQL. */
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

/** Measures the needs of a part, predicts how long a configuration takes, and measures it. */
export async function runCheck({ name, spec, calibrationRows }: Check): Promise<PredictionCheck> {
  const needs = await partNeeds({ ...spec, rows: calibrationRows, processes: 1, lanes: 1 });
  const predicted = predict(spec, needs.times);
  const { elapsed: measured } = await fastestOf(() => runJob(spec));
  return { name, needs, predicted, measured };
}

/** Measures the needs of a part with a job that has one process and one lane. */
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

/** Returns the predicted time of a job in milliseconds. */
function predict({ engine, work, rows, processes, lanes }: JobSpec, part: PartTimes): number {
  const { rows: rowsPerPart, rounds } = PARTS[work];
  const steps = stepsOf(part, rounds);
  const tasks = Array.from({ length: Math.ceil(rows / rowsPerPart) }, () => ({ arrivesAt: 0, steps }));
  // PostgreSQL accepts concurrent writers, and the number of lanes is far below its number of connections.
  const writers = engine === 'sqlite' ? 1 : processes * lanes;
  return simulate({ processes, lanes, cores: availableParallelism(), writers }, tasks).endsAt;
}
