import type { ClaimedJob } from '@compliance/store';
import type { Merchant } from '../merchant.ts';

/** What a job works with. */
export interface JobTools {
  readonly job: ClaimedJob;
  /** The shop, its writes fenced by the lease of the job. */
  readonly merchant: Merchant;
  /** Aborted when the job was cancelled, when its lease is lost and when the process stops. */
  readonly signal: AbortSignal;
  /** Says how far it is; pages show it live. Kept with the next heartbeat. */
  report(progress: unknown): void;
}

/** One kind of work that is done behind the pages. It may be run again from the start at any time. */
export interface JobKind {
  readonly kind: string;
  /** Gives what a page shows of the ended job, any JSON value. */
  run(tools: JobTools): Promise<unknown>;
}
