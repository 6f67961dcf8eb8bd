import type { JobHandler } from '../jobs/job.ts';
import { type Billing, checkPlan, isPaused, planOf } from './plan.ts';

/** Type of the job that checks a shop's plan. */
export const PLAN_CHECK = 'plan_check';

/** Result of a `plan_check` job in the `done` state. The status is null if billing is off. */
export interface PlanOutcome {
  readonly status: NonNullable<ReturnType<typeof planOf>>['status'] | null;
}

/** Creates the job that checks a shop's plan. The job does nothing if billing is off. */
export const planCheckJob = (billing: Billing | null, clock: () => number): JobHandler => ({
  kind: PLAN_CHECK,
  async run({ merchant, signal }): Promise<PlanOutcome> {
    if (billing === null) return { status: null };
    await checkPlan(merchant, { billing, now: clock(), signal });
    return { status: planOf(await merchant.shop.record(), billing)?.status ?? null };
  },
});

/**
 * Returns a handler that skips automatic jobs for shops whose automatic work is paused.
 *
 * @param isAutomatic callback that returns whether a job with this payload was started automatically
 * @example pausable(scanJob(deps), billing, payload => (payload as ScanJobRequest).trigger === 'schedule')
 */
export const pausable = (
  handler: JobHandler,
  billing: Billing | null,
  isAutomatic: (payload: unknown) => boolean,
): JobHandler => ({
  kind: handler.kind,
  async run(context) {
    const { job, merchant } = context;
    if (isAutomatic(job.payload) && isPaused(await merchant.shop.record(), billing)) return { paused: true };
    return await handler.run(context);
  },
});
