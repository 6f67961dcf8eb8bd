import { afterEach, describe, expect, it } from 'vitest';
import { siblingModule } from './pool.ts';
import { workerLaunch } from './sandbox/index.ts';
import { createWorkerProcess, type WorkerProcess } from './worker-process/worker-process.ts';
import { createWorkerSlot, type SlotJobOptions, type WorkerSlot } from './worker-slot.ts';

const module = siblingModule(import.meta.url, '../testing/jobs').href;
let slot: WorkerSlot;
let opened: WorkerProcess;
let started: number;
afterEach(() => slot.close());

/** Opens a slot with real processes, and counts them. */
function open(): void {
  started = 0;
  const main = siblingModule(import.meta.url, 'worker-process/worker');
  const { command, args, memoryMb } = workerLaunch({ main, modules: [], memoryMb: 64 });
  const counting = {
    args,
    memoryMb,
    get command() {
      started += 1;
      return command;
    },
  };
  opened = createWorkerProcess(counting);
  slot = createWorkerSlot({ open: () => opened, timeoutMs: 20_000 });
}

const options: SlotJobOptions = { group: 'pages', mayRerun: true };
const double = (value: number, changed: Partial<SlotJobOptions> = {}) =>
  slot.run({ module, name: 'double', input: value }, { ...options, ...changed });
const crash = (changed: Partial<SlotJobOptions> = {}) =>
  expect(slot.run({ module, name: 'leave', input: undefined }, { ...options, ...changed })).rejects.toMatchObject({
    reason: 'crashed',
  });

describe('worker slot', () => {
  it('runs a job that kills its process only once if no other job could be the cause', async () => {
    open();
    await crash();
    expect(started).toBe(1);
  });

  it('runs a job that kills its process again if an earlier job could be the cause', async () => {
    open();
    await double(1);
    await crash();
    expect(started).toBe(2);
  });

  it('never runs an anonymous caller’s job again if it kills its process', async () => {
    open();
    await double(1);
    await crash({ mayRerun: false });
    expect(started).toBe(1);
  });

  it('completes an anonymous caller’s job even if an earlier job ended the process after its own result', async () => {
    open();
    await slot.run({ module, name: 'leaveSoon', input: undefined }, options);
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(await double(21, { mayRerun: false })).toBe(42);
  });

  it('starts a new process for a job if the previous process died between jobs', async () => {
    open();
    await double(1);
    opened.kill();
    expect(await double(21, { mayRerun: false })).toBe(42);
    expect(started).toBe(2);
  });

  it('kills a running job when its caller’s deadline passes, but not when its caller leaves', async () => {
    open();
    await double(1);
    const wait = (signal: AbortSignal) => slot.run({ module, name: 'later', input: 600 }, { ...options, signal });
    const caller = new AbortController();
    const left = wait(caller.signal);
    caller.abort();
    expect(await left).toBe('done');
    await expect(wait(AbortSignal.timeout(100))).rejects.toMatchObject({ reason: 'timed_out' });
    expect(await double(21)).toBe(42);
    expect(started).toBe(2);
  });
});
