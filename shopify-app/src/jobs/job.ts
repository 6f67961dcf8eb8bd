import type { ClaimedJob } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';

/** Context of a running job. */
export interface JobContext {
  readonly job: ClaimedJob;
  /** Shop that the job runs for. The job's lease fences all writes to the shop's data. */
  readonly merchant: Merchant;
  /** Signal that is aborted when the job is canceled, its lease is lost, or the process stops. */
  readonly signal: AbortSignal;
  /** Reports the progress that pages show live. The next heartbeat stores the reported progress. */
  report(progress: unknown): void;
}

/** Handler for one type of background job. A job may be restarted from the beginning at any time. */
export interface JobHandler {
  readonly kind: string;
  /** Runs the job and returns its result, which the app's pages display. The result can be any JSON value. */
  run(tools: JobContext): Promise<unknown>;
}
