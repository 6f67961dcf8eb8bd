import { fileURLToPath } from 'node:url';
import workerpool from 'workerpool';
import { PoolError } from './pool-error.ts';
import type { run } from './worker.ts';

/** Pool limits. Times are in milliseconds and are measured from the start of a job, not from when it's queued. */
export type PoolOptions = {
  /** Number of concurrent jobs, each in its own process. */
  workers: number;
  timeoutMs: number;
  /** JavaScript heap size of one worker in megabytes, excluding Buffers. */
  memoryMb: number;
  /** Maximum number of queued jobs. Jobs beyond this number are rejected with `busy`. */
  queue: number;
};

/**
 * A pool that runs functions on untrusted input in separate processes. The main process doesn't exit until the pool is
 * closed.
 */
export type Pool = {
  /**
   * Runs a module's exported function in a worker process. The input and the result are copied, so both must be plain
   * data.
   *
   * The function must be pure: if its process dies, the function runs once more in a new process, because the worker's
   * previous job may have caused the failure.
   *
   * @param module URL of the module (see `siblingModule`)
   * @throws PoolError
   * @example const result = await pool.run<typeof scan>(siblingModule(import.meta.url, 'scan'), 'scan', capture)
   */
  run<Job extends (input: never) => unknown>(
    module: URL,
    name: string,
    input: Parameters<Job>[0],
  ): Promise<Awaited<ReturnType<Job>>>;
  /** Returns whether the pool accepts another job: it isn't closed and its queue isn't full. */
  accepts(): boolean;
  close(): Promise<void>;
};

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
 * Creates a pool of worker processes, which are isolated so that a job can't crash the service.
 *
 * The pool uses processes instead of threads, because a single allocation beyond a thread's `resourceLimits` terminates
 * the entire process. Workers have no environment variables (and therefore no secrets) and no permission to write
 * files, start processes, or load native addons.
 *
 * @example const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 })
 */
export function createPool({ workers, timeoutMs, memoryMb, queue }: PoolOptions): Pool {
  const pool = workerpool.pool(fileURLToPath(siblingModule(import.meta.url, 'worker')), {
    workerType: 'process',
    maxWorkers: workers,
    maxQueueSize: queue,
    workerTerminateTimeout: 50,
    // Pipe and discard a worker's output, because a process that runs out of heap memory prints pages of memory
    // addresses.
    emitStdStreams: true,
    forkOpts: {
      env: {},
      serialization: 'advanced',
      execArgv: [
        `--max-old-space-size=${memoryMb}`,
        '--permission',
        '--allow-fs-read=*',
        ...(sourceExtension === '.ts' ? ['--conditions=@compliance/source'] : []),
      ],
    },
  });

  let isClosed = false;
  const attempt = async (module: URL, name: string, input: unknown) => {
    const call: Parameters<typeof run> = [module.href, name, input];
    try {
      return await pool.exec('run', call).timeout(timeoutMs);
    } catch (error) {
      throw poolError(error, { timeoutMs, memoryMb });
    }
  };

  return {
    run: (module, name, input) =>
      attempt(module, name, input).catch(error => {
        if (error.reason === 'crashed') return attempt(module, name, input);
        throw error;
      }),
    accepts: () => !isClosed && pool.stats().pendingTasks < queue,
    close: async () => {
      isClosed = true;
      await pool.terminate(true);
    },
  };
}

function poolError(error: unknown, { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number }): PoolError {
  if (error instanceof workerpool.Promise.TimeoutError) {
    return new PoolError('timed_out', `The job didn't finish within ${timeoutMs} ms and was killed.`);
  }
  if (error instanceof workerpool.TerminateError) {
    return new PoolError(
      'crashed',
      `The job's process died, probably because it exceeded its memory limit of ${memoryMb} MB.`,
    );
  }
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Max queue size')) return new PoolError('busy', 'The queue is full.');
  return new PoolError('threw', `The job threw an error: ${message}`);
}
