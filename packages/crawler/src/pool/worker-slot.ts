import workerpool from 'workerpool';
import { PoolError } from './pool-error.ts';
import type { run } from './worker.ts';

/** A job: the URL of a module, the name of a function in it, and the function's input. */
export type Job = Parameters<typeof run>;

/** A workerpool with one process, which is started for the first job and replaced when it dies. */
export type OneProcess = Pick<ReturnType<typeof workerpool.pool>, 'exec' | 'terminate'>;

/** Options for {@link createWorkerSlot}. */
export interface WorkerSlotOptions {
  /** Creates the slot's process for a group of jobs. `onStart` must be called whenever a process starts. */
  readonly launch: (onStart: () => void) => OneProcess;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** Options for one job. */
export interface JobOptions {
  /** Jobs of different groups never share a process. */
  readonly group: string;
  /** Whether to run the job again if its process dies although an earlier job may have caused that. */
  readonly mayRerun: boolean;
  /** Signal that kills the job if its reason is a `TimeoutError`. */
  readonly signal?: AbortSignal | undefined;
}

/** A slot that runs one job at a time. */
export interface WorkerSlot {
  /** @throws PoolError */
  run(job: Job, options: JobOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** The process of one group, and the number of jobs that it has completed. */
interface Worker {
  readonly process: OneProcess;
  completed: number;
}

/** Creates a slot. Each group of jobs has its own process, which stays warm for the group's next job. */
export function createWorkerSlot({ launch, timeoutMs, memoryMb }: WorkerSlotOptions): WorkerSlot {
  const workers = new Map<string, Worker>();

  function workerOf(group: string): Worker {
    let worker = workers.get(group);
    if (!worker) {
      const process = launch(() => {
        if (worker) worker.completed = 0;
      });
      worker = { process, completed: 0 };
      workers.set(group, worker);
    }
    return worker;
  }

  async function attempt(worker: Worker, job: Job, signal: AbortSignal | undefined): Promise<unknown> {
    const running = worker.process.exec('run', job);
    const kill = () => {
      if (isDeadline(signal)) running.cancel();
    };
    signal?.addEventListener('abort', kill);
    try {
      const result = await running.timeout(timeoutMs);
      worker.completed += 1;
      return result;
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  return {
    async run(job, { group, mayRerun, signal }) {
      const worker = workerOf(group);
      try {
        return await attempt(worker, job, signal).catch(error => {
          // A process that has run another job may have died because of that job. A process that died before the job was sent
          // to it certainly did.
          const isInnocent = isUnsent(error) || (mayRerun && isCrash(error) && worker.completed > 0);
          if (isInnocent) return attempt(worker, job, signal);
          throw error;
        });
      } catch (error) {
        const failed = poolError(error, { timeoutMs, memoryMb });
        if (failed.reason === 'threw') worker.completed += 1;
        throw failed;
      }
    },
    close: async () => {
      await Promise.all([...workers.values()].map(({ process }) => process.terminate(true)));
    },
  };
}

/** Returns whether a signal was aborted because a deadline passed. */
export function isDeadline(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
}

const isCrash = (error: unknown): boolean => error instanceof workerpool.TerminateError;
const isUnsent = (error: unknown): boolean => isCrash(error) && (error as Error).message === 'Worker is terminated';

function poolError(error: unknown, { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number }): PoolError {
  if (error instanceof workerpool.Promise.TimeoutError) {
    return new PoolError('timed_out', `The job didn't finish within ${timeoutMs} ms and was killed.`);
  }
  if (error instanceof workerpool.Promise.CancellationError) {
    return new PoolError('timed_out', "The job didn't finish before the caller's deadline and was killed.");
  }
  if (isCrash(error)) {
    return new PoolError(
      'crashed',
      `The job's process died, probably because it exceeded its memory limit of ${memoryMb} MB.`,
    );
  }
  return new PoolError('threw', `The job threw an error: ${error instanceof Error ? error.message : ''}`);
}
