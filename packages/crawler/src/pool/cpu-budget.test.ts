import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Jobs from '../testing/jobs.ts';
import { withCpuBudget } from './cpu-budget.ts';
import { createPool, type JobRunner, siblingModule } from './pool.ts';

const jobs = siblingModule(import.meta.url, '../testing/jobs');
const pool = createPool({ workers: 2, timeoutMs: 20_000, memoryMb: 64, queue: 100 });
afterAll(() => pool.close());

const later = (limited: JobRunner, ms: number) => limited.run<typeof Jobs.later>(jobs, 'later', ms);

// A worker's startup time counts toward the scan's time, so start the workers first.
beforeAll(() => Promise.all([later(pool, 1), later(pool, 1)]));

describe('a scan’s worker time limit', () => {
  it('rejects further jobs once a scan’s jobs have used up their time, without affecting other scans', async () => {
    const limited = withCpuBudget(pool, 500);
    expect(await Promise.all([later(limited, 300), later(limited, 300)])).toEqual(['done', 'done']);
    await expect(later(limited, 1)).rejects.toMatchObject({ reason: 'over_budget', blamesInput: true });
    expect(await later(withCpuBudget(pool, 500), 1)).toBe('done');
  });

  it.each([
    ['time out', 'loopForever'],
    ['crash', 'hoardAtOnce'],
  ] as const)('counts the time of jobs that %s', async (_, name) => {
    const strict = createPool({ workers: 1, timeoutMs: 2_000, memoryMb: 64, queue: 100 });
    let spent = 0;
    const onSpent = (ms: number) => {
      spent += ms;
    };
    await expect(strict.run<() => void>(jobs, name, undefined as never, { onSpent })).rejects.toThrow();
    await strict.close();
    expect(spent).toBeGreaterThan(0);
  });

  it('doesn’t count the time that a job waits for a worker', async () => {
    const single = createPool({ workers: 1, timeoutMs: 20_000, memoryMb: 64, queue: 100 });
    let spent = 0;
    const onSpent = (ms: number) => {
      spent += ms;
    };
    const before = later(single, 1_500);
    await single.run<typeof Jobs.double>(jobs, 'double', 1, { onSpent });
    await before;
    await single.close();
    expect(spent).toBeLessThan(1_000);
  });

  it('runs a scan’s jobs one at a time', async () => {
    let running = 0;
    let most = 0;
    const counting: JobRunner = {
      run: async () => {
        most = Math.max(most, ++running);
        await new Promise(done => setTimeout(done, 5));
        running--;
        return undefined as never;
      },
    };
    const limited = withCpuBudget(counting, 500);
    await Promise.all(Array.from({ length: 5 }, () => later(limited, 1)));
    expect(most).toBe(1);
  });
});
