import * as jobs from '@compliance/store/jobs';
import type { ShopStore } from '@compliance/store/shop';
import type { Logger } from 'pino';
import { AdminApiError, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import type { JobHandler } from './job.ts';

/** Worker dependencies. */
export interface WorkerDeps {
  readonly store: ShopStore;
  readonly handlers: readonly JobHandler[];
  readonly offlineContext: (domain: string) => Merchant;
  readonly clock: () => number;
  /** Number of jobs that this process runs concurrently, not counting one additional urgent job. */
  readonly concurrency: number;
  /** Worker ID for logs. */
  readonly name: string;
  readonly log?: Logger | undefined;
  /** Logs an unexpected failure. */
  readonly logFailure: (error: unknown, where: object) => void;
}

/**
 * Starts a worker that runs the shops' jobs.
 *
 * @example
 * const worker = startWorker({ store, handlers, offlineContext: app.offlineContext, clock: Date.now, concurrency: 2, name: 'host 4711', logFailure: app.logFailure });
 * await worker.stop();
 */
export function startWorker({ store, handlers, offlineContext, log, logFailure, ...deps }: WorkerDeps): jobs.Worker {
  const kinds = handlers.map(({ kind }) => kind);
  return jobs.startQueueWorker({
    ...deps,
    logFailure,
    claim: (name, leaseMs, options) => store.jobs.claim(name, kinds, leaseMs, options),
    async run(job, attempt) {
      const merchant = { ...offlineContext(job.domain), shop: job.shop };
      return await handlers.find(({ kind }) => kind === job.kind)!.run({ job, merchant, ...attempt });
    },
    async failureOf(error, job) {
      const code = error instanceof AdminApiError ? error.fault : 'failed';
      if (code === 'failed') logFailure(error, { job: job.id, kind: job.kind });
      if (code === 'revoked') await job.shop.setNeedsReopening(true);
      return { code, isFinal: FINAL.includes(code) };
    },
    onEnd: ({ id, kind, domain }, outcome, ms) => log?.info({ job: id, kind, shop: domain, outcome, ms }, 'job'),
  });
}

/** Errors that end a job without a retry, because only the merchant can fix the cause. */
const FINAL: readonly string[] = ['revoked', 'forbidden', 'frozen'] satisfies AdminFault[];
