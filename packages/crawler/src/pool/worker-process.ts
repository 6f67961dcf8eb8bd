import workerpool from 'workerpool';
import { PoolError } from './pool-error.ts';
import type { run } from './worker.ts';

/** A job: the URL of a module, the name of one of its functions, and the function's argument. */
export interface Call {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** A worker process, which is started for its first job and replaced after it dies. */
export interface WorkerProcess {
  /**
   * Runs one job. Don't call this method again before the promise settles.
   *
   * @param timeoutMs time after which the process is killed
   * @throws PoolError with `timed_out`, `crashed`, or `threw`
   */
  run(call: Call, timeoutMs: number): Promise<unknown>;
  /** Kills the process. A running job fails with `crashed`. The next job starts a new process. */
  close(): Promise<void>;
}

/**
 * Creates a worker process.
 *
 * @param launch creates a pool with one worker
 */
export function createWorkerProcess(launch: () => workerpool.Pool, memoryMb: number): WorkerProcess {
  let pool = launch();

  const attempt = async ({ module, name, input }: Call, timeoutMs: number) =>
    await pool.exec('run', [module, name, input] satisfies Parameters<typeof run>).timeout(timeoutMs);

  return {
    async run(call, timeoutMs) {
      try {
        return await attempt(call, timeoutMs).catch(error => {
          // The process died after its last job, before this job was sent.
          if (isCrash(error) && error.message === 'Worker is terminated') return attempt(call, timeoutMs);
          throw error;
        });
      } catch (error) {
        if (error instanceof workerpool.Promise.TimeoutError) {
          throw new PoolError('timed_out', `The job didn't finish within ${timeoutMs} ms and was killed.`);
        }
        const message = error instanceof Error ? error.message : '';
        if (isCrash(error) || message === 'Worker terminated') {
          throw new PoolError(
            'crashed',
            `The job's process died, probably because it exceeded its memory limit of ${memoryMb} MB.`,
          );
        }
        throw new PoolError('threw', `The job threw an error: ${message}`);
      }
    },
    async close() {
      const closing = pool;
      pool = launch();
      await closing.terminate(true);
    },
  };
}

const isCrash = (error: unknown): error is Error => error instanceof workerpool.TerminateError;
