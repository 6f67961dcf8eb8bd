import { setTimeout as wait } from 'node:timers/promises';

/** Time limit for a session. Time spent in `pause` doesn't count. */
export type Deadline = {
  /** Aborts when the time is up. */
  signal: AbortSignal;
  /** Time spent in `pause`, in milliseconds. Overlapping pauses count once. */
  readonly pausedMs: number;
  /** Waits for `ms` milliseconds. Rejects if `stopped` aborts. */
  pause(ms: number, stopped?: AbortSignal): Promise<void>;
};

/**
 * Starts a time limit.
 *
 * @example
 * const deadline = startDeadline(15_000);
 * await deadline.pause(60_000); // 15 seconds are still left
 */
export function startDeadline(ms: number): Deadline {
  const late = new AbortController();
  let left = ms;
  let pausedMs = 0;
  let pauses = 0;
  let changedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = setTimeout(() => late.abort(), left).unref();
  };
  const sinceChange = () => {
    const now = performance.now();
    const passed = now - changedAt;
    changedAt = now;
    return passed;
  };
  run();
  return {
    signal: late.signal,
    get pausedMs() {
      return pausedMs + (pauses > 0 ? performance.now() - changedAt : 0);
    },
    async pause(duration, stopped) {
      if (pauses++ === 0) {
        clearTimeout(timer);
        left -= sinceChange();
      }
      try {
        await wait(duration, undefined, stopped ? { signal: stopped } : {});
      } finally {
        if (--pauses === 0) {
          pausedMs += sinceChange();
          run();
        }
      }
    },
  };
}
