import { setTimeout as wait } from 'node:timers/promises';
import { type ClaimedJob, type Store, StoreError } from '@compliance/store';
import type { Logger } from 'pino';
import { AdminFailed, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../merchant.ts';
import type { JobKind } from './job.ts';

/** How long a silent worker is believed in, in milliseconds. */
const LEASE_MS = 30_000;

/** How often a worker says that it lives, and how far it is, in milliseconds. */
const BEAT_MS = 1_500;

/** How often the queue is looked at when it was empty, in milliseconds. */
const IDLE_MS = 500;

/** How long a job that is told to stop is waited for, in milliseconds; then its process ends without it. */
const STOP_MS = 5_000;

/** The shortest and the longest time until the next attempt, in milliseconds. */
const RETRY_MS = { first: 30_000, longest: 3_600_000 };

/** What a worker needs. */
export interface WorkerParts {
  readonly store: Store;
  readonly kinds: readonly JobKind[];
  readonly merchantBehind: (domain: string) => Merchant;
  readonly clock: () => number;
  /** Jobs at once in this process. */
  readonly concurrency: number;
  /** Tells workers apart in logs. */
  readonly name: string;
  readonly log?: Logger | undefined;
  /** Writes down what nobody expected. */
  readonly failed: (error: unknown, where: object) => void;
}

/** Works off the queue until it is stopped. */
export interface Worker {
  /** Gives back what is running: another process takes it up at once, or the next start does. */
  stop(): Promise<void>;
}

/**
 * Starts to claim jobs. Any number of processes may; each job runs in one of them at a time.
 *
 * @example
 * const worker = startWorker({ store, kinds, merchantBehind: app.merchantBehind, clock: Date.now, concurrency: 2, name: 'host 4711', failed: app.failed });
 * await worker.stop();
 */
export function startWorker(parts: WorkerParts): Worker {
  const { store, kinds, concurrency, name } = parts;
  const stopping = new AbortController();
  const words = kinds.map(({ kind }) => kind);

  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        const job = await store.jobs.claim(name, words, LEASE_MS);
        if (job) await work(job, kinds.find(({ kind }) => kind === job.kind)!, parts, stopping.signal);
        else await wait(IDLE_MS, undefined, { signal: stopping.signal });
      } catch (error) {
        if (stopping.signal.aborted) return;
        parts.failed(error, { worker: name });
        await wait(IDLE_MS * 4, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const loops = Array.from({ length: concurrency }, loop);

  return {
    async stop() {
      stopping.abort();
      await Promise.race([Promise.all(loops), wait(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** One attempt at a job, its lease kept alive beside it. */
async function work(job: ClaimedJob, kind: JobKind, parts: WorkerParts, stopping: AbortSignal): Promise<void> {
  const { clock, log } = parts;
  const started = clock();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stopping]);
  let progress: unknown;
  const beat = setInterval(async () => {
    const held = await job.heartbeat(progress).catch(() => 'held');
    if (held !== 'held') over.abort();
  }, BEAT_MS);

  let outcome: string;
  try {
    const merchant = { ...parts.merchantBehind(job.domain), shop: job.shop };
    const result = await kind.run({ job, merchant, signal, report: said => (progress = said) });
    await job.complete(result);
    outcome = 'done';
  } catch (error) {
    outcome = await settle(job, error, parts, stopping).catch(passLostLease);
  } finally {
    clearInterval(beat);
  }
  log?.info({ job: job.id, kind: job.kind, shop: job.domain, outcome, ms: clock() - started }, 'job');
}

/** What becomes of a job that did not end well, in a word. */
async function settle(
  job: ClaimedJob,
  error: unknown,
  { clock, failed }: WorkerParts,
  stopping: AbortSignal,
): Promise<string> {
  if (stopping.aborted) {
    await job.release();
    return 'released';
  }
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  const code = error instanceof AdminFailed ? error.fault : 'failed';
  if (code === 'failed' && (await job.heartbeat()) === 'held') failed(error, { job: job.id, kind: job.kind });
  if (code === 'revoked') await job.shop.setNeedsReopening(true);
  const retryAt = clock() + Math.min(RETRY_MS.first * 2 ** (job.attempt - 1), RETRY_MS.longest);
  await job.fail(code, { retryAt: FINAL.includes(code) ? null : retryAt });
  return code;
}

/** Trying again changes nothing about these; the merchant can. */
const FINAL: readonly string[] = ['revoked', 'forbidden', 'frozen'] satisfies AdminFault[];

function passLostLease(error: unknown): string {
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  throw error;
}
