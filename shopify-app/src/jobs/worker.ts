import { setTimeout as wait } from 'node:timers/promises';
import { type ClaimedJob, type Store, StoreError } from '@compliance/store';
import { SessionNotFoundError } from '@shopify/shopify-app-remix/server';
import type { Logger } from 'pino';
import { AdminFailed, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../merchant.ts';
import type { JobKind } from './job.ts';

/** How long a silent worker is believed in, in milliseconds. */
const LEASE_MS = 30_000;

/** How often the queue is looked at when it was empty, in milliseconds. */
const IDLE_MS = 500;

/** What a worker needs. */
export interface WorkerParts {
  readonly store: Store;
  readonly kinds: readonly JobKind[];
  readonly merchantBehind: (domain: string) => Promise<Merchant>;
  readonly clock: () => number;
  /** Jobs at once in this process. */
  readonly concurrency: number;
  /** Tells workers apart in logs. */
  readonly name: string;
  readonly log?: Logger | undefined;
}

/** Works off the queue until it is stopped. */
export interface Worker {
  /** Lets go of what is running: another process, or the next start, takes it up again. */
  stop(): Promise<void>;
}

/**
 * Starts to claim jobs. Any number of processes may; each job runs in one of them at a time.
 *
 * @example
 * const worker = startWorker({ store, kinds, merchantBehind: app.merchantBehind, clock: Date.now, concurrency: 2, name: 'host 4711' });
 * await worker.stop();
 */
export function startWorker(parts: WorkerParts): Worker {
  const { store, kinds, concurrency, name, log } = parts;
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
        log?.error({ failure: error instanceof Error ? error.name : typeof error }, 'worker');
        await wait(IDLE_MS * 4, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const loops = Array.from({ length: concurrency }, loop);

  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** One attempt at a job, its lease kept alive beside it. */
async function work(job: ClaimedJob, kind: JobKind, parts: WorkerParts, stopping: AbortSignal): Promise<void> {
  const started = parts.clock();
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, stopping]);
  let progress: unknown;
  const beat = setInterval(async () => {
    const held = await job.heartbeat(progress).catch(() => 'held');
    if (held !== 'held') over.abort();
  }, LEASE_MS / 20);

  let outcome: string;
  try {
    const merchant = { ...(await parts.merchantBehind(job.domain)), shop: job.shop };
    const result = await kind.run({ job, merchant, signal, report: said => (progress = said) });
    await job.complete(result);
    outcome = 'done';
  } catch (error) {
    outcome = signal.aborted ? 'let go' : await settle(job, error, parts);
  } finally {
    clearInterval(beat);
  }
  parts.log?.info({ job: job.id, kind: job.kind, shop: job.domain, outcome, ms: parts.clock() - started }, 'job');
}

/** What becomes of a job that failed: a later try, an end, or nothing when it is no longer ours. */
async function settle(job: ClaimedJob, error: unknown, { clock, log }: WorkerParts): Promise<string> {
  if (error instanceof StoreError && error.code === 'lease_lost') return 'lost';
  const code = codeOf(error);
  if (code === 'failed')
    log?.error({ job: job.id, kind: job.kind, failure: (error as Error)?.name, at: framesOf(error) }, 'job failed');
  if (code === 'revoked') await job.shop.setNeedsReopening(true);
  const final: readonly string[] = ['revoked', 'forbidden', 'frozen'] satisfies AdminFault[];
  const retryAt = final.includes(code) ? null : clock() + 15_000 * 2 ** job.attempt;
  await job.fail(code, { retryAt });
  return code;
}

function codeOf(error: unknown): string {
  if (error instanceof AdminFailed) return error.fault;
  // Shopify's package found no session, or could not refresh a dead one.
  if (error instanceof SessionNotFoundError || error instanceof Response) return 'revoked';
  return 'failed';
}

const framesOf = (error: unknown): readonly string[] =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter(line => /^ +at /.test(line))
        .slice(0, 8)
        .map(line => line.trim())
    : [];
