import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { siblingModule } from './pool.ts';
import { workerLaunch } from './sandbox/index.ts';
import { createWorkerProcess } from './worker-process/worker-process.ts';
import { createWorkerSlot, type SlotJobOptions, type WorkerSlot } from './worker-slot.ts';

const module = siblingModule(import.meta.url, '../testing/jobs').href;
let slot: WorkerSlot;
let startsFile: string;
afterEach(() => slot.close());

/** Creates a slot with real processes. Each process appends a line to a file, so that tests can count the processes. */
function open(): void {
  startsFile = join(mkdtempSync(join(tmpdir(), 'slot-')), 'starts');
  onTestFinished(() => rmSync(dirname(startsFile), { recursive: true }));
  const main = siblingModule(import.meta.url, 'worker-process/worker');
  const count = ['-c', 'echo started >> "$0"; exec "$@"', startsFile];
  const prepare = (modules: readonly URL[]) => {
    const { command, args, ...rest } = workerLaunch({ main, modules, memoryMb: 64, kernel: { missing: 'test' } });
    return { ...rest, command: '/bin/sh', args: [...count, command, ...args] };
  };
  slot = createWorkerSlot({ open: () => createWorkerProcess(prepare), timeoutMs: 20_000 });
}

const countStarts = () => readFileSync(startsFile, 'utf8').split('\n').length - 1;

const options: SlotJobOptions = { group: 'pages', mayRerun: true };
const double = (value: number, changed: Partial<SlotJobOptions> = {}) =>
  slot.run({ module, name: 'double', input: value }, { ...options, ...changed });
const crash = (changed: Partial<SlotJobOptions> = {}) =>
  expect(slot.run({ module, name: 'leave', input: undefined }, { ...options, ...changed })).rejects.toMatchObject({
    reason: 'crashed',
  });

describe('worker slot', () => {
  it('doesn’t rerun a job after its process dies unless an earlier job could be the cause', async () => {
    open();
    await crash();
    expect(countStarts()).toBe(1);
  });

  it('reruns a job if its process dies and an earlier job might have caused the crash', async () => {
    open();
    await double(1);
    await crash();
    expect(countStarts()).toBe(2);
  });

  it('never reruns a keyless caller’s job after its process dies', async () => {
    open();
    await double(1);
    await crash({ mayRerun: false });
    expect(countStarts()).toBe(1);
  });

  it('starts a new process for a job if the previous job’s process died before the job was sent', async () => {
    open();
    await slot.run({ module, name: 'leaveSoon', input: undefined }, options);
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(await double(21, { mayRerun: false })).toBe(42);
    expect(countStarts()).toBe(2);
  });

  it('doesn’t rerun a job that’s killed because the slot closes', async () => {
    open();
    await double(1);
    const running = expect(slot.run({ module, name: 'later', input: 5_000 }, options)).rejects.toMatchObject({
      reason: 'crashed',
    });
    await slot.close();
    await running;
    expect(countStarts()).toBe(1);
  });

  it('kills a running job when its caller’s deadline passes, but not when its caller disconnects', async () => {
    open();
    await double(1);
    const wait = (signal: AbortSignal) => slot.run({ module, name: 'later', input: 600 }, { ...options, signal });
    const caller = new AbortController();
    const left = wait(caller.signal);
    caller.abort();
    expect(await left).toBe('done');
    await expect(wait(AbortSignal.timeout(100))).rejects.toMatchObject({ reason: 'timed_out' });
    expect(await double(21)).toBe(42);
    expect(countStarts()).toBe(2);
  });
});
