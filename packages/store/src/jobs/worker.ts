import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '../errors.ts';
import { URGENT } from './job.ts';
import type { ClaimOptions, LeasedJob } from './queue.ts';

/** Time, in milliseconds, from the last heartbeat until a lease expires. */
const LEASE_MS = 30_000;

/** Interval between heartbeats, in milliseconds. Each heartbeat also stores the job's progress. */
const HEARTBEAT_MS = 1_500;

/** Default polling interval while the queue is empty, in milliseconds. */
const IDLE_MS = 500;

/**
 * Maximum time, in milliseconds, that a stopping worker waits for its running jobs. The process then exits without
 * waiting any longer.
 */
const STOP_MS = 5_000;

/** Minimum and maximum retry delay, in milliseconds. */
const RETRY_MS = { first: 30_000, longest: 3_600_000 };

/** One attempt to run a job. */
export interface JobRun {
  /** Signal that is aborted when the job is canceled, the job loses its lease, or the process stops. */
  readonly signal: AbortSignal;
  /** Reports progress, which callers can read while the job runs. The next heartbeat stores the reported progress. */
  report(progress: unknown): void;
}

/** Failure of an attempt. */
interface AttemptFailure {
  readonly code: string;
  readonly isFinal: boolean;
  readonly retryAt?: number;
}

/** Worker dependencies. */
export interface QueueWorkerDeps<Claimed extends LeasedJob> {
  readonly claim: (worker: string, leaseMs: number, options: ClaimOptions) => Promise<Claimed | null>;
  /** Makes one attempt to run a job and returns the job's result, or the result of {@link waitUntil}. */
  readonly run: (job: Claimed, run: JobRun) => Promise<unknown>;
  /**
   * Returns the reason code of a failed attempt, whether the failure is permanent, and optionally the time of the next
   * attempt (milliseconds since the Unix epoch). By default, the retry delay doubles after each attempt. Called only if
   * the worker still holds the lease.
   */
  readonly failureOf: (error: unknown, job: Claimed) => Promise<AttemptFailure>;
  readonly clock: () => number;
  /**
   * Number of jobs that this process runs concurrently. The process can run one additional urgent job, so that users
   * don't have to wait for long jobs. If the number is 0, this process runs no jobs.
   */
  readonly concurrency: number;
  /**
   * Maximum number of jobs per tenant that this process runs concurrently. If the number is less than `concurrency`, a
   * tenant with many long jobs can't occupy every slot. Unlimited by default.
   */
  readonly maxPerTenant?: number | undefined;
  /** Worker ID for logs. */
  readonly name: string;
  /** Polling interval while the queue is empty, in milliseconds. Defaults to 500. */
  readonly idleMs?: number | undefined;
  /** Receives the outcome of each attempt. */
  readonly onEnd?: (job: Claimed, outcome: string, ms: number) => void;
  /** Logs a failure to claim a job or to record its outcome. */
  readonly logFailure: (error: unknown, where: object) => void;
}

/** Worker that processes a queue until stopped. */
export interface Worker {
  /**
   * Stops the worker and releases its running jobs. Another process resumes those jobs immediately, or this process
   * resumes them after a restart.
   */
  stop(): Promise<void>;
}

/** Result of an attempt that waits for an external system. */
class Waiting {
  readonly until: number;
  constructor(until: number) {
    this.until = until;
  }
}

/**
 * Returns the result of an attempt that waits for an external system. The job doesn't occupy a slot until `time` (ms
 * since the Unix epoch), when it runs again with its last reported progress.
 *
 * @example return waitUntil(clock() + 15_000);
 */
export const waitUntil = (time: number) => new Waiting(time);

/**
 * Starts a worker that claims jobs. Any number of processes can run workers, but each job runs in only one process at a
 * time.
 *
 * @example
 * const worker = startQueueWorker({ claim: (name, leaseMs, options) => queue.claim(name, kinds, leaseMs, options), …deps });
 * await worker.stop();
 */
export function startQueueWorker<Claimed extends LeasedJob>(deps: QueueWorkerDeps<Claimed>): Worker {
  const { claim, concurrency, name, maxPerTenant, idleMs = IDLE_MS } = deps;
  const stopping = new AbortController();
  /** Running jobs that count toward their tenants' limits. */
  const running = new Set<Claimed>();
  let claiming: Promise<unknown> = Promise.resolve();

  const claimNext = async (options: ClaimOptions) => {
    if (maxPerTenant === undefined) return await claim(name, LEASE_MS, options);
    // Slots claim jobs one at a time, because concurrent claims could exceed a tenant's limit.
    const claimed = claiming.then(async () => {
      const tenants = [...running].map(({ tenant }) => tenant);
      const hasMost = (tenant: string) => tenants.filter(each => each === tenant).length >= maxPerTenant;
      const job = await claim(name, LEASE_MS, { ...options, exceptTenants: tenants.filter(hasMost) });
      if (job) running.add(job);
      return job;
    });
    claiming = claimed.catch(() => undefined);
    return await claimed;
  };

  const loop = async (options: ClaimOptions) => {
    while (!stopping.signal.aborted) {
      try {
        const job = await claimNext(options);
        if (job) await work(job, deps, stopping.signal).finally(() => running.delete(job));
        else await wait(idleMs, undefined, { signal: stopping.signal });
      } catch (error) {
        if (stopping.signal.aborted) return;
        deps.logFailure(error, { worker: name });
        await wait(idleMs * 4, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const loops = Array.from({ length: concurrency }, () => loop({}));
  if (concurrency > 0) loops.push(loop({ minPriority: URGENT }));

  return {
    async stop() {
      stopping.abort();
      await Promise.race([Promise.all(loops), wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Makes one attempt to run a job and renews the job's lease during the attempt. */
async function work<Claimed extends LeasedJob>(
  job: Claimed,
  deps: QueueWorkerDeps<Claimed>,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, onEnd } = deps;
  const started = clock();
  const abandoned = new AbortController();
  const signal = AbortSignal.any([abandoned.signal, stopping]);
  let progress: unknown;
  const heartbeat = setInterval(async () => {
    const lease = await job.heartbeat(progress).catch(() => 'held');
    if (lease !== 'held') abandoned.abort();
  }, HEARTBEAT_MS);

  let outcome: string;
  try {
    const result = await deps.run(job, { signal, report: said => (progress = said) });
    if (result instanceof Waiting) await job.wait(result.until, progress);
    else await job.complete(result);
    outcome = result instanceof Waiting ? 'waiting' : 'done';
  } catch (error) {
    outcome = await recordFailure(job, error, deps, stopping).catch(passLostLease);
  } finally {
    clearInterval(heartbeat);
  }
  onEnd?.(job, outcome, clock() - started);
}

/** Records a failed attempt and returns the outcome to log. */
async function recordFailure<Claimed extends LeasedJob>(
  job: Claimed,
  error: unknown,
  { clock, failureOf }: QueueWorkerDeps<Claimed>,
  stopping: AbortSignal,
): Promise<string> {
  if (stopping.aborted) {
    await job.release();
    return 'released';
  }
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  if ((await job.heartbeat()) !== 'held') return 'lost';
  const defaultRetryAt = clock() + Math.min(RETRY_MS.first * 2 ** (job.attempt - 1), RETRY_MS.longest);
  const { code, isFinal, retryAt = defaultRetryAt } = await failureOf(error, job);
  await job.fail(code, { retryAt: isFinal ? null : retryAt });
  return code;
}

function passLostLease(error: unknown): string {
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  throw error;
}
