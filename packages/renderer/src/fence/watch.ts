import { Worker } from 'node:worker_threads';
import { siblingModule } from '@compliance/crawler/pool';

/** Combined limits for a browser and all of its processes. */
export interface ProcessLimits {
  /** Maximum anonymous and shared memory, in megabytes. */
  readonly memoryMb: number;
  readonly processes: number;
  readonly threads: number;
  /** Maximum running time, in milliseconds. */
  readonly wallMs: number;
}

/** The limit that a browser exceeded before it was stopped. */
export type ExceededLimit = 'memory' | 'processes' | 'time';

/** Peak resource usage of a process tree so far. */
export interface ProcessUse {
  readonly memoryMb: number;
  readonly processes: number;
  readonly threads: number;
}

/** Observes a process tree. */
export interface ProcessWatch {
  /** Resolves with the first limit that the processes exceed. The watch then kills them. */
  readonly exceeded: Promise<ExceededLimit>;
  /** Returns the peak resource usage so far. */
  peak(): ProcessUse;
  stop(): Promise<void>;
}

/**
 * Watches a process and all of its descendants from a separate thread, and kills them if they exceed a limit. The
 * separate thread keeps measuring while the calling thread is busy with the browser's messages. Works only on Linux.
 *
 * @example const watch = watchProcesses(child.pid, { memoryMb: 640, processes: 40, threads: 1_000, wallMs: 60_000 });
 */
export function watchProcesses(pid: number, limits: ProcessLimits): ProcessWatch {
  const worker = new Worker(siblingModule(import.meta.url, 'watch-thread'), {
    workerData: { pid, limits },
    // By default, the thread would inherit options that only the main program understands.
    execArgv: [],
  });
  worker.unref();
  let peak: ProcessUse = { memoryMb: 0, processes: 0, threads: 0 };
  const exceeded = new Promise<ExceededLimit>(resolve => {
    worker.on('message', (message: { use?: ProcessUse; exceeded?: ExceededLimit }) => {
      if (message.use) peak = message.use;
      if (message.exceeded) resolve(message.exceeded);
    });
  });
  return { exceeded, peak: () => peak, stop: async () => void (await worker.terminate()) };
}
