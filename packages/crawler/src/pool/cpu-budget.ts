import type { JobRunner } from './pool.ts';
import { PoolError } from './pool-error.ts';

/**
 * Returns a runner for one scan's jobs, which share a limit on worker time. The jobs run one at a time, so a scan
 * occupies at most one worker and exceeds its limit by at most one job's time.
 *
 * @param budgetMs maximum time that all jobs together can occupy a worker, in milliseconds; after that, jobs fail with
 * `over_budget`
 * @example const jobs = withCpuBudget(pool, 20_000)
 */
export function withCpuBudget(pool: JobRunner, budgetMs: number): JobRunner {
  let spentMs = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (module, name, input, { onSpent } = {}) => {
      const job = last.then(() => {
        if (spentMs >= budgetMs)
          throw new PoolError('over_budget', `The scan reached its worker time limit of ${budgetMs} ms.`);
        return pool.run(module, name, input, {
          onSpent: ms => {
            spentMs += ms;
            onSpent?.(ms);
          },
        });
      });
      last = job.catch(() => {});
      return job;
    },
  };
}
