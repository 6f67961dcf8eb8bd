import { inSpan } from '../tracing/in-span.ts';
import { ADMITTED, jobLimits, REQUEST_LIMITS } from './lane-limits.ts';
import { PoolError } from './pool-error.ts';
import { inspectKernelIsolation, type KernelIsolation, workerLaunch } from './sandbox/index.ts';
import {
  createScheduler,
  type Lane,
  type LaneState,
  QueueFullError,
  type Scheduler,
  type Turn,
} from './scheduler/scheduler.ts';
import { createWorkerProcess } from './worker-process/worker-process.ts';
import { createWorkerSlot, isDeadline } from './worker-slot.ts';

/** Pool limits. Times are in milliseconds and are measured from the start of a job, not from when it's queued. */
export type PoolOptions = {
  /** Number of concurrent jobs, each in its own process. */
  workers: number;
  timeoutMs: number;
  /** JavaScript heap size of one worker in megabytes, excluding Buffers. */
  memoryMb: number;
  /**
   * Maximum number of queued jobs from callers with a key. The queue can also hold half as many jobs from callers
   * without a key. One caller can use at most half of the queue for its lane. Jobs over these limits are rejected with
   * `busy`.
   */
  queue: number;
  /** Kernel isolation for the workers. The default is the strongest isolation that works on this system. */
  kernel?: KernelIsolation | undefined;
};

/** Caller that submits a job or request. Callers in a lane get equal shares of the workers' time. */
export type PoolCaller = {
  lane: Lane;
  /** Key family, client network, or shop. */
  tenant: string;
  /** Site that the job is for. A caller's sites get equal shares of the caller's time. */
  target?: string;
  /**
   * Signal that aborts when the caller's deadline passes or the caller disconnects. The caller's jobs then leave the
   * queue. A running job is killed, with a `TimeoutError`, only if the deadline has passed.
   */
  signal?: AbortSignal | undefined;
};

/** Runs jobs for one caller. */
export type JobRunner = {
  /**
   * Runs a module's exported function in a worker process. The input and the result are copied, so both must be plain
   * data.
   *
   * The function must be pure: if its process dies, and an earlier job in that process might have caused the failure, a
   * keyed caller's function runs once more in a new process.
   *
   * @param module URL of the module (see `siblingModule`)
   * @param options `onSpent` receives how long the job occupied a worker, in milliseconds, even if the job failed
   * @throws PoolError
   * @example const result = await pool.run<typeof scan>(siblingModule(import.meta.url, 'scan'), 'scan', capture)
   */
  run<Job extends (input: never) => unknown>(
    module: URL,
    name: string,
    input: Parameters<Job>[0],
    options?: { onSpent?: (ms: number) => void },
  ): Promise<Awaited<ReturnType<Job>>>;
};

/** Pool queues: requests wait to be admitted, and their jobs wait for a worker. */
export type PoolQueue = 'requests' | 'jobs';

/**
 * A pool that runs functions on untrusted input in separate processes. The main process doesn't exit until the pool is
 * closed. Jobs that are submitted directly to the pool run on behalf of the process owner.
 */
export type Pool = JobRunner & {
  /** Number of jobs that can run at the same time. */
  readonly workers: number;
  /**
   * Returns a runner for a caller's jobs.
   *
   * @param group jobs in different groups never share a process, so a hostile page can't affect how certificates are
   * created
   */
  as(caller: PoolCaller, group?: 'pages' | 'drawings' | 'files'): JobRunner;
  /**
   * Admits a request that keeps a lot of data in memory, such as a capture, and then runs `work`.
   *
   * @throws PoolError with `busy` if the queue is full, or if the caller's deadline passed after the request had spent
   * at least a second in queues; with `timed_out` if the deadline passed in any other case; or with `canceled` if the
   * caller disconnected
   * @example await pool.admit({ lane: 'keyed', tenant: family }, async jobs => await scan(jobs))
   */
  admit<Result>(caller: PoolCaller, work: (jobs: JobRunner) => Promise<Result>): Promise<Result>;
  /** Returns the state of a lane, including the number of queued and running requests or jobs. */
  state(queue: PoolQueue, lane: Lane): LaneState;
  /** Registers a listener that receives the queue time, in milliseconds, whenever a request or job starts. */
  onStart(listener: (queue: PoolQueue, lane: Lane, waitedMs: number) => void): void;
  /** Returns whether the pool is open and its request queue has room for callers with a key. */
  accepts(): boolean;
  close(): Promise<void>;
};

/** Caller that represents the process owner. */
const OWNER: PoolCaller = { lane: 'keyed', tenant: '' };

/** Minimum queue time, in milliseconds, for a missed deadline to count as `busy` rather than `timed_out`. */
const QUEUE_FAULT_MS = 1_000;

const sourceExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Returns the URL of a module in the caller's folder, regardless of whether the package runs from source or from a
 * build.
 *
 * @example siblingModule(import.meta.url, 'allows') // file:///…/allows.ts
 */
export function siblingModule(from: string, name: string): URL {
  return new URL(`./${name}${sourceExtension}`, from);
}

/**
 * Creates a pool of sandboxed worker processes, so that a job can't crash the service, read the service's secrets, or
 * access its network. `inspectSandbox` returns the active sandbox layers.
 *
 * The pool uses processes instead of threads, because a single allocation beyond a thread's `resourceLimits` terminates
 * the entire process.
 *
 * A scheduler decides which job starts next, so that no caller can make others wait for a long time (see
 * `createScheduler`).
 *
 * @example const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 })
 */
export function createPool({
  workers,
  timeoutMs,
  memoryMb,
  queue,
  kernel = inspectKernelIsolation(),
}: PoolOptions): Pool {
  const main = siblingModule(import.meta.url, 'worker-process/worker');
  const open = () => createWorkerProcess(modules => workerLaunch({ main, modules, memoryMb, kernel }));
  const slots = Array.from({ length: workers }, () => createWorkerSlot({ open, timeoutMs }));
  const clock = () => performance.now();
  const schedulers: Record<PoolQueue, Scheduler> = {
    requests: createScheduler({ slots: ADMITTED, lanes: REQUEST_LIMITS, clock }),
    jobs: createScheduler({ slots: workers, lanes: jobLimits(workers, queue), clock }),
  };
  const listeners: Parameters<Pool['onStart']>[0][] = [];
  let isClosed = false;

  const busy = (name: PoolQueue, lane: Lane, message: string) =>
    new PoolError('busy', message, schedulers[name].state(lane).expectedWaitMs);

  /** Waits for a caller's turn in a queue. */
  function enter(name: PoolQueue, { lane, tenant, target = '', signal }: PoolCaller): Promise<Turn> {
    return new Promise<Turn>((resolve, reject) => {
      if (signal?.aborted) return reject(abortedError(signal));
      let leave = () => {};
      const abort = () => {
        leave();
        reject(
          isDeadline(signal)
            ? busy(name, lane, 'The deadline passed while the caller was waiting in the queue.')
            : abortedError(signal),
        );
      };
      signal?.addEventListener('abort', abort);
      const stopListening = () => signal?.removeEventListener('abort', abort);
      try {
        leave = schedulers[name].submit(lane, { tenant, target }, turn => {
          stopListening();
          if (isClosed) {
            reject(busy(name, lane, 'The pool is closed.'));
            return turn.end();
          }
          for (const listener of listeners) listener(name, lane, turn.waitedMs);
          resolve(turn);
        });
      } catch (error) {
        stopListening();
        reject(error instanceof QueueFullError ? busy(name, lane, error.message) : error);
      }
    });
  }

  /** Creates a runner that reports its jobs' queue time. */
  function runnerFor(caller: PoolCaller, group: string, onWait: (ms: number) => void): JobRunner {
    return {
      run: (module, name, input, { onSpent } = {}) =>
        inSpan(`job ${name}`, laneAttributes('jobs', caller), async () => {
          const queuedAt = clock();
          const turn = await inSpan('wait', undefined, () => enter('jobs', caller)).finally(() =>
            onWait(clock() - queuedAt),
          );
          const startedAt = clock();
          const options = { group, mayRerun: caller.lane === 'keyed', signal: caller.signal };
          try {
            return await inSpan('run', { 'compliance.pool.group': group }, async () => {
              // The result comes from another process, so its type is known only from the caller's type parameter.
              return (await slots[turn.slot]!.run({ module: module.href, name, input }, options)) as never;
            });
          } finally {
            turn.end();
            onSpent?.(clock() - startedAt);
          }
        }),
    };
  }

  const runFor = (caller: PoolCaller, group: string) => runnerFor(caller, group, () => {});
  return {
    ...runFor(OWNER, 'pages'),
    workers,
    as: (caller, group = 'pages') => runFor(caller, group),
    async admit(caller, work) {
      const { lane, signal } = caller;
      const queuedAt = clock();
      let waitedMs = 0;
      try {
        const turn = await inSpan('wait', laneAttributes('requests', caller), () => enter('requests', caller)).finally(
          () => {
            waitedMs = clock() - queuedAt;
          },
        );
        const jobs = runnerFor(caller, 'pages', ms => {
          waitedMs += ms;
        });
        return await work(jobs).finally(turn.end);
      } catch (error) {
        if (!signal?.aborted) throw error;
        throw isDeadline(signal) && waitedMs >= QUEUE_FAULT_MS
          ? busy('requests', lane, 'The request waited too long in the queue to meet its deadline.')
          : abortedError(signal);
      }
    },
    state: (name, lane) => schedulers[name].state(lane),
    onStart: listener => void listeners.push(listener),
    accepts: () => !isClosed && schedulers.requests.state('keyed').queued < REQUEST_LIMITS.keyed.queued,
    async close() {
      isClosed = true;
      await Promise.all(slots.map(slot => slot.close()));
    },
  };
}

/**
 * Returns span attributes for a queue and a lane. Omits the tenant and the target, because they identify people and
 * sites.
 */
function laneAttributes(queue: PoolQueue, { lane }: PoolCaller): Record<string, string> {
  return { 'compliance.pool.queue': queue, 'compliance.pool.lane': lane };
}

function abortedError(signal: AbortSignal | undefined): PoolError {
  return isDeadline(signal)
    ? new PoolError('timed_out', "The request didn't finish before the caller's deadline.")
    : new PoolError('canceled', 'The caller canceled the request.');
}
