import { setTimeout as wait } from 'node:timers/promises';
import { StoreError } from '@compliance/store';
import type { ClaimedJob, ShopStore } from '@compliance/store/shop';
import type { Logger } from 'pino';
import { AdminApiError, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import type { JobHandler } from './job.ts';

/** Time, in milliseconds, from the last heartbeat until a lease expires. */
const LEASE_MS = 30_000;

/** Interval between heartbeats, in milliseconds. Each heartbeat also stores the job's progress. */
const HEARTBEAT_MS = 1_500;

/** Polling interval while the queue is empty, in milliseconds. */
const IDLE_MS = 500;

/**
 * Maximum time, in milliseconds, that a stopping worker waits for its running jobs. The process then exits without waiting
 * any longer.
 */
const STOP_MS = 5_000;

/** Minimum and maximum retry delay, in milliseconds. */
const RETRY_MS = { first: 30_000, longest: 3_600_000 };

/** Worker dependencies. */
export interface WorkerDeps {
  readonly store: ShopStore;
  readonly handlers: readonly JobHandler[];
  readonly offlineContext: (domain: string) => Merchant;
  readonly clock: () => number;
  /** Number of jobs that this process runs concurrently. */
  readonly concurrency: number;
  /** Worker ID for logs. */
  readonly name: string;
  readonly log?: Logger | undefined;
  /** Logs an unexpected failure. */
  readonly logFailure: (error: unknown, where: object) => void;
}

/** Worker that processes the job queue until stopped. */
export interface Worker {
  /**
   * Stops the worker and releases its running jobs. Another process resumes those jobs immediately, or this process
   * resumes them after a restart.
   */
  stop(): Promise<void>;
}

/**
 * Starts a worker that claims jobs. Any number of processes can run workers, and each job runs in only one process at a
 * time.
 *
 * @example
 * const worker = startWorker({ store, handlers, offlineContext: app.offlineContext, clock: Date.now, concurrency: 2, name: 'host 4711', logFailure: app.logFailure });
 * await worker.stop();
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { store, handlers, concurrency, name } = deps;
  const stopping = new AbortController();
  const kinds = handlers.map(({ kind }) => kind);

  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        const job = await store.jobs.claim(name, kinds, LEASE_MS);
        if (job) await work(job, handlers.find(({ kind }) => kind === job.kind)!, deps, stopping.signal);
        else await wait(IDLE_MS, undefined, { signal: stopping.signal });
      } catch (error) {
        if (stopping.signal.aborted) return;
        deps.logFailure(error, { worker: name });
        await wait(IDLE_MS * 4, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const loops = Array.from({ length: concurrency }, loop);

  return {
    async stop() {
      stopping.abort();
      await Promise.race([Promise.all(loops), wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Runs one attempt of a job and renews its lease during the run. */
async function work(job: ClaimedJob, handler: JobHandler, deps: WorkerDeps, stopping: AbortSignal): Promise<void> {
  const { clock, log } = deps;
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
    const merchant = { ...deps.offlineContext(job.domain), shop: job.shop };
    const result = await handler.run({ job, merchant, signal, report: said => (progress = said) });
    await job.complete(result);
    outcome = 'done';
  } catch (error) {
    outcome = await recordFailure(job, error, deps, stopping).catch(passLostLease);
  } finally {
    clearInterval(heartbeat);
  }
  log?.info({ job: job.id, kind: job.kind, shop: job.domain, outcome, ms: clock() - started }, 'job');
}

/** Records a failed attempt and returns the outcome to log. */
async function recordFailure(
  job: ClaimedJob,
  error: unknown,
  { clock, logFailure }: WorkerDeps,
  stopping: AbortSignal,
): Promise<string> {
  if (stopping.aborted) {
    await job.release();
    return 'released';
  }
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  const code = error instanceof AdminApiError ? error.fault : 'failed';
  if (code === 'failed' && (await job.heartbeat()) === 'held') logFailure(error, { job: job.id, kind: job.kind });
  if (code === 'revoked') await job.shop.setNeedsReopening(true);
  const retryAt = clock() + Math.min(RETRY_MS.first * 2 ** (job.attempt - 1), RETRY_MS.longest);
  await job.fail(code, { retryAt: FINAL.includes(code) ? null : retryAt });
  return code;
}

/** Errors that only the merchant can fix, so retries can't succeed. */
const FINAL: readonly string[] = ['revoked', 'forbidden', 'frozen'] satisfies AdminFault[];

function passLostLease(error: unknown): string {
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  throw error;
}
