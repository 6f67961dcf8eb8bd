import { PoolError } from './pool-error.ts';
import { type KernelIsolation, workerLaunch } from './sandbox/index.ts';
import { createWorkerProcess, type WorkerProcess } from './worker-process/worker-process.ts';

/** Pool limits. Times are in milliseconds and are measured from the start of a job, not from when it's queued. */
export type PoolOptions = {
  /** Number of concurrent jobs, each in its own process. */
  workers: number;
  timeoutMs: number;
  /** JavaScript heap size of one worker in megabytes, excluding Buffers. */
  memoryMb: number;
  /** Maximum number of queued jobs. Jobs beyond this number are rejected with `busy`. */
  queue: number;
  /**
   * Modules of jobs in other packages. A worker can read only this package, the packages of these modules, and their
   * dependencies.
   */
  modules?: readonly URL[];
  /** Kernel isolation of the workers. The default is the strongest isolation that works on this system. */
  kernel?: KernelIsolation | undefined;
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
 * Creates a pool of worker processes, which are sandboxed so that a job can't crash the service, read its secrets, or
 * reach its network. `inspectSandbox` returns the layers of the sandbox.
 *
 * The pool uses processes instead of threads, because a single allocation beyond a thread's `resourceLimits` terminates
 * the entire process.
 *
 * @example const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 })
 */
export function createPool({ workers, timeoutMs, memoryMb, queue, modules = [], kernel }: PoolOptions): Pool {
  const main = siblingModule(import.meta.url, 'worker-process/worker');
  const launch = workerLaunch({ main, modules, memoryMb, kernel });
  const processes = Array.from({ length: workers }, () => createWorkerProcess(launch));
  const idle = [...processes];
  const waiting: ((worker: WorkerProcess) => void)[] = [];

  const attempt = async (module: URL, name: string, input: unknown) => {
    if (idle.length === 0 && waiting.length >= queue) throw new PoolError('busy', 'The queue is full.');
    const worker = idle.pop() ?? (await new Promise<WorkerProcess>(resolve => waiting.push(resolve)));
    try {
      return await worker.run({ module: module.href, name, input }, timeoutMs);
    } finally {
      const start = waiting.shift();
      if (start) start(worker);
      else idle.push(worker);
    }
  };

  return {
    run: (module, name, input) =>
      attempt(module, name, input).catch(error => {
        if (error.reason === 'crashed') return attempt(module, name, input);
        throw error;
      }) as never,
    close: async () => {
      await Promise.all(processes.map(worker => worker.close()));
    },
  };
}
