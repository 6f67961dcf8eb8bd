import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type * as Jobs from '../testing/jobs.ts';
import { createPool, type Pool, type PoolOptions, siblingModule } from './pool.ts';

const jobs = siblingModule(import.meta.url, '../testing/jobs');
let pool: Pool | undefined;

function start(changed: Partial<PoolOptions> = {}): Pool {
  pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 64, queue: 100, ...changed });
  return pool;
}

afterEach(() => pool?.close());

const double = (value: number) => pool?.run<typeof Jobs.double>(jobs, 'double', value);

describe('pool jobs', () => {
  it('runs a module’s function in another process, with copies of the input and result', async () => {
    const value = { text: 'é\ud800', date: new Date(0), list: [1, undefined, Number.NaN], map: new Map([[1, 2]]) };
    expect(await start().run<typeof Jobs.echo>(jobs, 'echo', value)).toEqual(value);
    expect(await double(21)).toBe(42);
  });

  it('reports the error that a job throws, and keeps the job’s worker running', async () => {
    const failed = start().run<typeof Jobs.fail>(jobs, 'fail', undefined);
    await expect(failed).rejects.toMatchObject({ reason: 'threw', message: 'The job threw an error: bad page' });
    const recursed = pool?.run<typeof Jobs.recurse>(jobs, 'recurse', 0);
    await expect(recursed).rejects.toMatchObject({ reason: 'threw', message: expect.stringContaining('call stack') });
    expect(await double(21)).toBe(42);
  });

  it('rejects a job if its module doesn’t export the requested function', async () => {
    await expect(start().run<typeof Jobs.echo>(jobs, 'nothing', 1)).rejects.toMatchObject({ reason: 'threw' });
  });
});

describe('malicious jobs', () => {
  const others = async () => {
    const values = Array.from({ length: 20 }, (_, index) => index);
    expect(await Promise.all(values.map(double))).toEqual(values.map(value => value * 2));
  };

  it.each([
    ['an endless loop', () => pool?.run<typeof Jobs.loopForever>(jobs, 'loopForever', undefined)],
    ['catastrophic backtracking', () => pool?.run<typeof Jobs.backtrack>(jobs, 'backtrack', undefined)],
  ])('ends a malicious job with a `timed_out` error without affecting other jobs: %s', async (_, run) => {
    start({ timeoutMs: 3_000 });
    const hostile = expect(run()).rejects.toMatchObject({
      reason: 'timed_out',
      message: "The job didn't finish within 3000 ms and was killed.",
    });
    await others();
    await hostile;
    await others();
  });

  it.each([
    ['growing memory', () => pool?.run<typeof Jobs.hoardObjects>(jobs, 'hoardObjects', undefined)],
    ['one huge allocation', () => pool?.run<typeof Jobs.hoardAtOnce>(jobs, 'hoardAtOnce', undefined)],
    ['an exit', () => pool?.run<typeof Jobs.leave>(jobs, 'leave', undefined)],
  ])('ends a malicious job with a `crashed` error without affecting other jobs: %s', async (_, run) => {
    start({ timeoutMs: 20_000 });
    const hostile = expect(run()).rejects.toMatchObject({
      reason: 'crashed',
      message: "The job's process died, probably because it exceeded its memory limit of 64 MB.",
    });
    await others();
    await hostile;
    await others();
  });

  it('reruns a job in a new process if the previous job killed the worker', async () => {
    start({ workers: 1 });
    await pool?.run<typeof Jobs.leaveSoon>(jobs, 'leaveSoon', undefined);
    expect(await pool?.run<typeof Jobs.later>(jobs, 'later', 1_000)).toBe('done');
  });

  it('completes queued jobs even if malicious jobs occupy every worker', async () => {
    start({ timeoutMs: 2_000 });
    const hostile = [1, 2, 3, 4].map(() =>
      expect(pool?.run<typeof Jobs.loopForever>(jobs, 'loopForever', undefined)).rejects.toMatchObject({
        reason: 'timed_out',
      }),
    );
    expect(await double(21)).toBe(42);
    await Promise.all(hostile);
  });
});

it('measures a job’s time limit from when the job starts, not from when it’s queued', async () => {
  start({ workers: 1, timeoutMs: 2_000 });
  await double(1);
  const waiting = [1, 2, 3, 4, 5].map(() => pool?.run<typeof Jobs.later>(jobs, 'later', 500));
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('done'));
});

it('rejects a job with a `busy` error if the queue is full', async () => {
  start({ workers: 1, queue: 2 });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(value => double(value)));
  const busy = results.filter(result => result.status === 'rejected').map(({ reason }) => reason);
  expect(busy.length).toBeGreaterThan(0);
  for (const error of busy) expect(error).toMatchObject({ reason: 'busy', blamesInput: false });
});

describe('pool workers', () => {
  it('gives a worker an empty environment, so no secrets can leak', async () => {
    process.env.SECRET_OF_THE_SERVER = '1';
    const names = await start().run<typeof Jobs.environment>(jobs, 'environment', undefined);
    delete process.env.SECRET_OF_THE_SERVER;
    expect(names).not.toContain('SECRET_OF_THE_SERVER');
    expect(names).not.toContain('PATH');
  });

  it('prevents a worker from writing files or starting processes', async () => {
    const path = join(tmpdir(), 'never-written');
    const written = start().run<typeof Jobs.writeFile>(jobs, 'writeFile', path);
    await expect(written).rejects.toMatchObject({ message: expect.stringContaining('--allow-fs-write') });
    const started = pool?.run<typeof Jobs.startProcess>(jobs, 'startProcess', undefined);
    await expect(started).rejects.toMatchObject({ message: expect.stringContaining('child_process') });
  });
});
