import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type * as Jobs from '../testing/jobs.ts';
import { createPool, type JobRunner, type Pool, type PoolCaller, type PoolOptions, siblingModule } from './pool.ts';

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

  it('doesn’t keep the process running when no job is running', async () => {
    const script = `import { createPool } from '${siblingModule(import.meta.url, 'pool')}';
      const pool = createPool({ workers: 2, timeoutMs: 60_000, memoryMb: 64, queue: 100 });
      console.log(await pool.run(new URL('${jobs}'), 'double', 21));`;
    const args = ['--conditions=@compliance/source', '--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe('42\n');
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
    const hostile = ['a', 'b', 'c', 'd'].map(tenant =>
      expect(
        pool?.as({ lane: 'keyed', tenant }).run<typeof Jobs.loopForever>(jobs, 'loopForever', undefined),
      ).rejects.toMatchObject({ reason: 'timed_out' }),
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

describe('pool callers', () => {
  const VISITORS = Array.from({ length: 10 }, (_, at): PoolCaller => ({ lane: 'keyless', tenant: `203.0.113.${at}` }));
  const loop = (caller: PoolCaller) => pool!.as(caller).run<typeof Jobs.loopForever>(jobs, 'loopForever', undefined);
  const doubleFor = (caller: PoolCaller) => pool!.as(caller).run<typeof Jobs.double>(jobs, 'double', 21);

  it('runs a keyed caller’s job while keyless callers fill their lane with endless jobs', async () => {
    start({ timeoutMs: 3_000 });
    const hostile = VISITORS.map(visitor => loop(visitor).catch(error => error.reason));
    let isFirst = true;
    void Promise.race(hostile).then(() => {
      isFirst = false;
    });
    expect(await doubleFor({ lane: 'keyed', tenant: 'fam_1' })).toBe(42);
    expect(isFirst).toBe(true);
    expect(pool?.state('jobs', 'keyless')).toMatchObject({ running: 1, queued: 9 });
  });

  it('rejects jobs that exceed a visitor’s share of the queue, and reports the expected wait', async () => {
    start({ workers: 1, queue: 8, timeoutMs: 4_000 });
    const [first, other] = VISITORS as [PoolCaller, PoolCaller];
    const results = [1, 2, 3, 4].map(() => loop(first).catch(error => error));
    expect(await results[3]).toMatchObject({ reason: 'busy', retryAfterMs: expect.any(Number) });
    expect(await Promise.race([doubleFor(other), results[1]])).toBe(42);
  });

  it('removes a caller’s queued jobs when the caller disconnects or its deadline passes', async () => {
    start({ workers: 1, timeoutMs: 2_000 });
    const running = loop(VISITORS[0]!).catch(error => error.reason);
    const caller = new AbortController();
    const left = doubleFor({ ...VISITORS[1]!, signal: caller.signal }).catch(error => error.reason);
    const late = doubleFor({ ...VISITORS[2]!, signal: AbortSignal.timeout(200) }).catch(error => error);
    expect(pool?.state('jobs', 'keyless')).toMatchObject({ running: 1, queued: 2 });
    caller.abort();
    expect(await left).toBe('canceled');
    expect(await late).toMatchObject({ reason: 'busy', retryAfterMs: expect.any(Number) });
    expect(pool?.state('jobs', 'keyless')).toMatchObject({ running: 1, queued: 0 });
    expect(await running).toBe('timed_out');
  });
});

describe('admitted requests', () => {
  const open = () => {
    let close = () => {};
    const closed = new Promise<void>(resolve => {
      close = resolve;
    });
    return { closed, close };
  };

  it('admits at most three requests from one visitor without a key, and limits such visitors to half of all admitted requests', async () => {
    start();
    const { closed, close } = open();
    const requests: Promise<void>[] = [];
    const visit = (tenant: string) => requests.push(pool!.admit({ lane: 'keyless', tenant }, () => closed));
    for (let request = 0; request < 5; request++) visit('203.0.113.1');
    expect(pool?.state('requests', 'keyless')).toMatchObject({ running: 3, queued: 2 });
    for (let request = 0; request < 20; request++) visit(`203.0.113.${request + 2}`);
    expect(pool?.state('requests', 'keyless')).toMatchObject({ running: 8, queued: 17 });
    expect(await pool?.admit({ lane: 'keyed', tenant: 'fam_1' }, async () => 'admitted')).toBe('admitted');
    close();
    await Promise.all(requests);
    expect(pool?.state('requests', 'keyless')).toMatchObject({ running: 0, queued: 0 });
  });

  it('reports a missed deadline as `busy` only if the request spent at least a second in queues', async () => {
    start();
    const { closed, close } = open();
    const caller = { lane: 'keyless', tenant: '203.0.113.1' } as const;
    const slow = pool!.admit({ ...caller, signal: AbortSignal.timeout(50) }, async () => {
      await new Promise(resolve => setTimeout(resolve, 100));
      throw new Error('aborted');
    });
    await expect(slow).rejects.toMatchObject({ reason: 'timed_out' });
    const others = [1, 2, 3].map(() => pool!.admit(caller, () => closed));
    const queued = pool!.admit({ ...caller, signal: AbortSignal.timeout(1_100) }, () => closed);
    await expect(queued).rejects.toMatchObject({ reason: 'busy', retryAfterMs: expect.any(Number) });
    close();
    await Promise.all(others);
  });

  it('reports the queue time of requests and jobs', async () => {
    const starts: [string, string][] = [];
    start().onStart((queue, lane, waitedMs) => {
      expect(waitedMs).toBeGreaterThanOrEqual(0);
      starts.push([queue, lane]);
    });
    const caller = { lane: 'keyless', tenant: '203.0.113.1' } as const;
    await pool?.admit(caller, runner => runner.run<typeof Jobs.double>(jobs, 'double', 1));
    expect(starts).toEqual([
      ['requests', 'keyless'],
      ['jobs', 'keyless'],
    ]);
  });
});

describe('pool workers', () => {
  it('parses pages and creates certificates in separate processes', async () => {
    const caller: PoolCaller = { lane: 'keyed', tenant: 'fam_1' };
    const processOf = (runner: JobRunner) => runner.run<typeof Jobs.processId>(jobs, 'processId', undefined);
    const [pages, drawings] = [start({ workers: 1 }).as(caller), pool!.as(caller, 'drawings')];
    const pids = [await processOf(pages), await processOf(drawings), await processOf(drawings)];
    expect(pids[0]).not.toBe(pids[1]);
    expect(pids[1]).toBe(pids[2]);
  });

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
