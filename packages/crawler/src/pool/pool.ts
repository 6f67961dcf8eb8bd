import { fileURLToPath } from 'node:url';
import workerpool from 'workerpool';
import { PoolError } from './pool-error.ts';
import type { run } from './worker.ts';

/** What a pool may use. Times are milliseconds and count from a job's start, not from its place in the queue. */
export type PoolOptions = {
  /** Jobs that run at the same time, each in its own process. */
  workers: number;
  timeoutMs: number;
  /** JavaScript heap of one worker, in megabytes. Buffers are outside of it. */
  memoryMb: number;
  /** Jobs that may wait; one more is refused as `busy`. */
  queue: number;
};

/** Runs functions on hostile input at arm's length. Close it, or the process does not end. */
export type Pool = {
  /**
   * Runs one exported function of a module in a worker process. The input and the result are copied, so they must be plain data.
   *
   * The function must be pure: when its process dies, the job is run once more in a fresh one, because the process may
   * have been spoiled by the job before it.
   *
   * @param module address of the module, see `beside`
   * @throws PoolError
   * @example const result = await pool.run<typeof scan>(beside(import.meta.url, 'scan'), 'scan', capture)
   */
  run<Job extends (input: never) => unknown>(
    module: URL,
    name: string,
    input: Parameters<Job>[0],
  ): Promise<Awaited<ReturnType<Job>>>;
  close(): Promise<void>;
};

const sourceExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * The address of a module next to the caller's, whether the package runs from source or built.
 *
 * @example beside(import.meta.url, 'allows') // file:///…/allows.ts
 */
export function beside(from: string, name: string): URL {
  return new URL(`./${name}${sourceExtension}`, from);
}

/**
 * Makes a pool of worker processes that a job cannot take down with it.
 *
 * Processes, not threads: one large allocation past a thread's `resourceLimits` ends the whole process. A worker starts with
 * an empty environment (no secret to leak), may write no file, start no process and load no native addon.
 *
 * @example const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 })
 */
export function createPool({ workers, timeoutMs, memoryMb, queue }: PoolOptions): Pool {
  const pool = workerpool.pool(fileURLToPath(beside(import.meta.url, 'worker')), {
    workerType: 'process',
    maxWorkers: workers,
    maxQueueSize: queue,
    workerTerminateTimeout: 50,
    // Piped and dropped: a dying heap prints pages of addresses.
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
    close: async () => {
      await pool.terminate(true);
    },
  };
}

function poolError(error: unknown, { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number }): PoolError {
  if (error instanceof workerpool.Promise.TimeoutError) {
    return new PoolError('timed_out', `The job did not end within ${timeoutMs} ms and was killed.`);
  }
  if (error instanceof workerpool.TerminateError) {
    return new PoolError('crashed', `The job's process died, most likely out of its ${memoryMb} MB of memory.`);
  }
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Max queue size')) return new PoolError('busy', 'Too many jobs are waiting.');
  return new PoolError('threw', `The job threw: ${message}`);
}
