/** Work that a process repeats in the background. */
export interface RepeatedWork {
  /** Stops repeating and resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs work repeatedly, with a pause between the end of one run and the start of the next. If a run fails, the
 * function reports the error and continues.
 *
 * @param pauseMs pause in milliseconds
 * @example
 * const watching = runRepeatedly(() => evaluateWatches(deps), { pauseMs: 5_000, onFailure: console.error });
 * await watching.stop();
 */
export function runRepeatedly(
  work: () => Promise<unknown>,
  { pauseMs, onFailure }: { pauseMs: number; onFailure: (failure: unknown) => void },
): RepeatedWork {
  let isStopped = false;
  let wake: () => void = () => {};
  const loop = (async () => {
    while (!isStopped) {
      await work().catch(onFailure);
      if (isStopped) return;
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, pauseMs);
        timer.unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    async stop() {
      isStopped = true;
      wake();
      await loop;
    },
  };
}
