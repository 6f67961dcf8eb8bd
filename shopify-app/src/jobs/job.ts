import type { JobRun } from '@compliance/store/jobs';
import type { ClaimedJob } from '@compliance/store/shop';
import type { Merchant } from '../admin/merchant.ts';

/** Context of a running job. */
export interface JobContext extends JobRun {
  readonly job: ClaimedJob;
  /** Shop that the job runs for. Writes to the shop's data fail if the job has lost its lease. */
  readonly merchant: Merchant;
}

/** Handler for one type of background job. A job can be restarted from the beginning at any time. */
export interface JobHandler {
  readonly kind: string;
  /**
   * Runs the job and returns its result, which the app's pages display. The result can be any JSON value. A job that
   * waits for Shopify returns `waitUntil(time)`, so that other jobs can run in the meantime.
   */
  run(tools: JobContext): Promise<unknown>;
}
