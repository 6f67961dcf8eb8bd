import type { ClaimedJob } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';

/** Context of a running job. */
export interface JobContext {
  readonly job: ClaimedJob;
  /** Shop that the job runs for. Writes to the shop's data fail if the job has lost its lease. */
  readonly merchant: Merchant;
  /** Signal that is aborted when the job is canceled, the job loses its lease, or the process stops. */
  readonly signal: AbortSignal;
  /** Reports progress, which pages display while the job runs. The next heartbeat stores the reported progress. */
  report(progress: unknown): void;
}

/** Handler for one type of background job. A job can be restarted from the beginning at any time. */
export interface JobHandler {
  readonly kind: string;
  /** Runs the job and returns its result, which the app's pages display. The result can be any JSON value. */
  run(tools: JobContext): Promise<unknown>;
}
