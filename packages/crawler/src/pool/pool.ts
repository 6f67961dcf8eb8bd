import { ADMITTED, jobLimits, REQUEST_LIMITS } from './lane-limits.ts';
import { PoolError } from './pool-error.ts';
import { type KernelIsolation, workerLaunch } from './sandbox/index.ts';
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
   * Maximum number of queued jobs. One caller can queue half of them, and callers without a key together half of them. Jobs
   * beyond these numbers are rejected with `busy`.
   */
  queue: number;
  /**
   * Modules of jobs in other packages. A worker can read only this package, the packages of these modules, and their
   * dependencies.
   */
  modules?: readonly URL[];
  /** Kernel isolation of the workers. The default is the strongest isolation that works on this system. */
  kernel?: KernelIsolation | undefined;
};

/** Caller of a job or request. Callers in a lane get equal shares of the workers' time. */
export type PoolCaller = {
  lane: Lane;
  /** Key family, client network, or shop. */
  tenant: string;
  /** Site that the job is about. A caller's sites get equal shares of the caller's time. */
  target?: string;
  /**
   * Signal of the caller's deadline or departure. An aborted caller's jobs leave the queue. A running job is killed only if
   * the deadline has passed (a `TimeoutError`).
   */
  signal?: AbortSignal | undefined;
};

/** Runs jobs for one caller. */
export type JobRunner = {
  /**
   * Runs a module's exported function in a worker process. The input and the result are copied, so both must be plain
   * data.
   *
   * The function must be pure: if its process dies after it has completed an earlier job, which may have caused the failure,
   * the function of a keyed caller runs once more in a new process.
   *
   * @param module URL of the module (see `siblingModule`)
   * @param options `onSpent` is called with the time in milliseconds for which the job occupied a worker, even if the job failed
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

/** Queues of a pool: requests wait to be admitted, and their jobs wait for a worker. */
export type PoolQueue = 'requests' | 'jobs';

/**
 * A pool that runs functions on untrusted input in separate processes. The main process doesn't exit until the pool is
 * closed. The pool itself runs jobs for the owner of the process.
 */
export type Pool = JobRunner & {
  /**
   * Returns a runner for a caller's jobs.
   *
   * @param group jobs of different groups never share a process, so a hostile page can't affect a drawn certificate
   */
  as(caller: PoolCaller, group?: 'pages' | 'drawings'): JobRunner;
  /**
   * Admits a request that holds memory in this process, such as a capture, and then does its work.
   *
   * @throws PoolError with `busy` if the queue is full or the caller's deadline passed while the request spent more than a
   * second in queues, with `timed_out` if the deadline passed otherwise, or with `canceled` if the caller left
   * @example await pool.admit({ lane: 'keyed', tenant: family }, async jobs => await scan(jobs))
   */
  admit<Result>(caller: PoolCaller, work: (jobs: JobRunner) => Promise<Result>): Promise<Result>;
  /** Returns the number of queued and running requests or jobs in a lane. */
  state(queue: PoolQueue, lane: Lane): LaneState;
  /** Calls a listener with the time in the queue, in milliseconds, whenever a request or job starts. */
  onStart(listener: (queue: PoolQueue, lane: Lane, waitedMs: number) => void): void;
  /** Returns whether the pool admits another request: it isn't closed and its queue isn't full. */
  accepts(): boolean;
  close(): Promise<void>;
};

/** The owner of the process. */
const OWNER: PoolCaller = { lane: 'keyed', tenant: '' };

/** Minimum time in queues, in milliseconds, for which a missed deadline is the queue's fault rather than the request's. */
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
 * Creates a pool of worker processes, which are sandboxed so that a job can't crash the service, read its secrets, or
 * reach its network. `inspectSandbox` returns the layers of the sandbox.
 *
 * The pool uses processes instead of threads, because a single allocation beyond a thread's `resourceLimits` terminates
 * the entire process.
 *
 * A scheduler decides which job starts next, so that no caller can make others wait for long (see `createScheduler`).
 *
 * @example const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 })
 */
export function createPool({ workers, timeoutMs, memoryMb, queue, modules = [], kernel }: PoolOptions): Pool {
  const main = siblingModule(import.meta.url, 'worker-process/worker');
  const launch = workerLaunch({ main, modules, memoryMb, kernel });
  const open = () => createWorkerProcess(launch);
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
          isDeadline(signal) ? busy(name, lane, "The caller's deadline passed in the queue.") : abortedError(signal),
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

  /** Creates a runner that reports the time that its jobs spend in the queue. */
  function runnerFor(caller: PoolCaller, group: string, onWait: (ms: number) => void): JobRunner {
    return {
      async run(module, name, input, { onSpent } = {}) {
        const queuedAt = clock();
        const turn = await enter('jobs', caller).finally(() => onWait(clock() - queuedAt));
        const startedAt = clock();
        const options = { group, mayRerun: caller.lane === 'keyed', signal: caller.signal };
        try {
          // The caller's type parameter describes the result, which comes from another process.
          return (await slots[turn.slot]!.run({ module: module.href, name, input }, options)) as never;
        } finally {
          turn.end();
          onSpent?.(clock() - startedAt);
        }
      },
    };
  }

  const runFor = (caller: PoolCaller, group: string) => runnerFor(caller, group, () => {});
  return {
    ...runFor(OWNER, 'pages'),
    as: (caller, group = 'pages') => runFor(caller, group),
    async admit(caller, work) {
      const { lane, signal } = caller;
      const queuedAt = clock();
      let waitedMs = 0;
      try {
        const turn = await enter('requests', caller).finally(() => {
          waitedMs = clock() - queuedAt;
        });
        const jobs = runnerFor(caller, 'pages', ms => {
          waitedMs += ms;
        });
        return await work(jobs).finally(turn.end);
      } catch (error) {
        if (!signal?.aborted) throw error;
        throw isDeadline(signal) && waitedMs >= QUEUE_FAULT_MS
          ? busy('requests', lane, 'The deadline passed because of the time in the queue.')
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

function abortedError(signal: AbortSignal | undefined): PoolError {
  return isDeadline(signal)
    ? new PoolError('timed_out', "The request didn't finish before the caller's deadline.")
    : new PoolError('canceled', 'The caller canceled the request.');
}
