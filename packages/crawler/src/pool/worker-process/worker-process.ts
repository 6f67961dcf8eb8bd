import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { serialize } from 'node:v8';
import { PoolError } from '../pool-error.ts';
import type { WorkerLaunch } from '../sandbox/index.ts';
import { createFrameReader, frame } from './frame.ts';
import { MAX_REPLY_BYTES, type Reply, readReply } from './reply.ts';

/** A job: the URL of a module, the name of one of its functions, and the function's argument. */
export interface Call {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** A worker process that starts with its first job and is replaced after it dies. */
export interface WorkerProcess {
  /**
   * Runs one job. Don't call this method again before the promise settles.
   *
   * @param timeoutMs time limit that applies separately to starting the process and to running the job; a process that
   * exceeds it is killed
   * @throws PoolError with `timed_out`, `crashed`, `threw`, or `not_started`
   */
  run(call: Call, timeoutMs: number): Promise<unknown>;
  /** Kills the process. A running job fails with `crashed`. The next job starts a new process. */
  close(): Promise<void>;
}

/** A started process. */
interface Started {
  /** Whether the process has reported that it's ready for jobs. Until then, a job can't have caused a failure. */
  isReady: boolean;
  /** Called when the process becomes ready. */
  onReady: () => void;
  /** Sends a job to the process. */
  send(message: Uint8Array): void;
  /**
   * Settles the running job with a reply, or with null if the process has died. The property itself is null if no job
   * is running.
   */
  settle: ((reply: Reply | null) => void) | null;
  kill(): void;
  readonly closed: Promise<unknown>;
}

/**
 * Creates a worker process for untrusted input. Malicious input might take over the process, so the parent accepts only
 * one size-limited reply to each job, and kills a process that sends anything else.
 *
 * Node's built-in IPC channel (`fork`) isn't safe for this purpose, because a child can crash its parent with an
 * internal message such as `{ cmd: 'NODE_HANDLE_ACK' }`.
 *
 * @param prepare returns the command for a process that runs functions from the given modules
 * @example
 * const worker = createWorkerProcess(modules => workerLaunch({ main, modules, memoryMb: 256 }));
 * await worker.run({ module: 'file:///jobs.js', name: 'double', input: 21 }, 5_000); // 42
 */
export function createWorkerProcess(prepare: (modules: readonly URL[]) => WorkerLaunch): WorkerProcess {
  const modules = new Map<string, URL>();
  let launch = prepare([]);
  let current: Started | null = null;

  /**
   * Allows the process to read a module. If the current process can't read the module's package, kills it so that the
   * job starts in a new process.
   */
  function allow(module: string): void {
    if (modules.has(module)) return;
    modules.set(module, new URL(module));
    const wider = prepare([...modules.values()]);
    if (wider.files.length > launch.files.length) current?.kill();
    launch = wider;
  }

  function start(): Started {
    // A worker in its own session doesn't receive SIGINT when someone presses Ctrl-C, so its job can complete while the
    // service stops.
    const child = spawn(launch.command, launch.args, {
      env: {} as NodeJS.ProcessEnv,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const channel = child.stdio[3] as Socket;
    // An idle worker doesn't keep this process running. During a job, the timer for the job's time limit keeps it
    // running.
    child.unref();
    channel.unref();
    const started: Started = {
      isReady: false,
      onReady: () => {},
      send: message => channel.write(frame(message)),
      settle: null,
      kill() {
        if (current === started) current = null;
        // Callers of `close` wait until the worker exits.
        child.ref();
        child.kill('SIGKILL');
        // The signal might not reach a worker that `unshare` or `bwrap` has just started. In that case, the worker
        // exits when the channel closes.
        channel.destroy();
      },
      closed: once(child, 'close').catch(() => {}),
    };
    const end = (reply: Reply | null) => {
      const { settle } = started;
      started.settle = null;
      if (!reply || !settle) started.kill();
      settle?.(reply);
    };
    // Wait for `close` instead of `exit`, because an exited process's reply might still be in the channel.
    child.on('close', () => end(null)).on('error', () => end(null));
    const read = createFrameReader(MAX_REPLY_BYTES, message => {
      if (started.isReady || message?.length !== 0) return end(message && readReply(message));
      started.isReady = true;
      started.onReady();
    });
    channel.on('error', () => end(null)).on('data', (chunk: Buffer) => (started.settle ? read(chunk) : end(null)));
    return started;
  }

  return {
    async run(call, timeoutMs) {
      allow(call.module);
      // A worker that doesn't know the ID of the next job can't prepare a reply to it.
      const id = randomUUID();
      const message = serialize({ ...call, id });
      current ??= start();
      const worker = current;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          worker.settle = null;
          worker.kill();
          reject(
            worker.isReady
              ? new PoolError('timed_out', `The job didn't finish within ${timeoutMs} ms and was killed.`)
              : new PoolError('not_started', `The worker process didn't start within ${timeoutMs} ms and was killed.`),
          );
        }, timeoutMs);
        worker.onReady = () => timer.refresh();
        worker.settle = reply => {
          clearTimeout(timer);
          if (reply?.id !== id) {
            worker.kill();
            reject(worker.isReady ? crashed(launch) : new PoolError('not_started', "The worker process didn't start."));
          } else if ('importError' in reply) {
            worker.kill();
            reject(new PoolError('not_started', `The worker process couldn't load its code: ${reply.importError}`));
          } else if ('error' in reply) reject(new PoolError('threw', `The job threw an error: ${reply.error}`));
          else resolve(reply.result);
        };
        worker.send(message);
      });
    },
    async close() {
      const worker = current;
      worker?.kill();
      await worker?.closed;
    },
  };
}

const crashed = ({ memoryMb }: WorkerLaunch) =>
  new PoolError('crashed', `The job's process died, probably because it exceeded its memory limit of ${memoryMb} MB.`);
