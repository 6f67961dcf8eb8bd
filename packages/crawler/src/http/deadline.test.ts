import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('aborts a session when its time limit is reached, not counting pauses', async () => {
  const deadline = startDeadline(1_000);
  await vi.advanceTimersByTimeAsync(400);
  const stop = new AbortController();
  const pauses = [deadline.pause(1_000_000, stop.signal), deadline.pause(1_000_000, stop.signal)];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(deadline.pausedMs).toBe(5_000);
  stop.abort();
  await Promise.allSettled(pauses);
  expect(deadline.pausedMs).toBe(5_000);
  await vi.advanceTimersByTimeAsync(599);
  expect(deadline.signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(deadline.signal.aborted).toBe(true);
});
