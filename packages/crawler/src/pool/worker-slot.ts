import { PoolError } from './pool-error.ts';
import type { Call, WorkerProcess } from './worker-process/worker-process.ts';

/** Options for {@link createWorkerSlot}. */
export interface WorkerSlotOptions {
  /** Creates a process for a group of jobs. */
  readonly open: () => WorkerProcess;
  readonly timeoutMs: number;
}

/** Options for one job. */
export interface SlotJobOptions {
  /** Jobs in different groups never share a process. */
  readonly group: string;
  /** Whether to rerun the job if its process dies and an earlier job might be the cause. */
  readonly mayRerun: boolean;
  /** Signal that kills the job if the signal is aborted with a `TimeoutError`. */
  readonly signal?: AbortSignal | undefined;
}

/** A slot that runs one job at a time. */
export interface WorkerSlot {
  /** @throws PoolError with `timed_out`, `crashed`, `threw`, or `not_started` */
  run(call: Call, options: SlotJobOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** One group's process, and the number of jobs that the process has completed. */
interface Worker {
  readonly process: WorkerProcess;
  completed: number;
}

/**
 * Creates a slot. Each group of jobs has its own process, which stays warm for the group's next job.
 *
 * If a job's process dies, the job can run again in a new process, but only if an earlier job might have caused the
 * failure. If the job was the first in its process, the job itself caused the failure.
 */
export function createWorkerSlot({ open, timeoutMs }: WorkerSlotOptions): WorkerSlot {
  const workers = new Map<string, Worker>();
  let isClosed = false;

  function workerOf(group: string): Worker {
    const worker = workers.get(group) ?? { process: open(), completed: 0 };
    workers.set(group, worker);
    return worker;
  }

  async function attempt(worker: Worker, call: Call, signal: AbortSignal | undefined): Promise<unknown> {
    const kill = () => {
      if (isDeadline(signal)) void worker.process.close();
    };
    signal?.addEventListener('abort', kill);
    try {
      const result = await worker.process.run(call, timeoutMs);
      worker.completed += 1;
      return result;
    } catch (error) {
      worker.completed = error instanceof PoolError && error.reason === 'threw' ? worker.completed + 1 : 0;
      if (!isDeadline(signal)) throw error;
      throw new PoolError('timed_out', "The job was killed because it didn't finish before the caller's deadline.");
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  return {
    async run(call, { group, mayRerun, signal }) {
      const worker = workerOf(group);
      const mayBeInnocent = worker.completed > 0;
      const shouldRerun = (error: unknown) =>
        mayRerun && mayBeInnocent && !isClosed && error instanceof PoolError && error.reason === 'crashed';
      try {
        return await attempt(worker, call, signal);
      } catch (error) {
        if (!shouldRerun(error)) throw error;
        return await attempt(worker, call, signal);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...workers.values()].map(({ process }) => process.close()));
    },
  };
}

/** Returns whether a signal was aborted because a deadline passed. */
export function isDeadline(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
}
