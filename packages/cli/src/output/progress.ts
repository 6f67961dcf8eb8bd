import { SingleBar } from 'cli-progress';

/** Rows to process before the progress bar appears. Fewer rows take less than a moment. */
const MIN_ROWS = 10_000;

/** A progress bar on standard error. */
export interface Progress {
  /** @param share the share of the input read so far, from 0 to 1, or null if its size isn't known */
  update(rows: number, share: number | null): void;
  stop(): void;
}

/** Creates a progress bar for a long input, which is shown only if standard error is a terminal. */
export function createProgress(): Progress {
  let bar: SingleBar | null = null;
  return {
    update(rows, share) {
      if (!process.stderr.isTTY || rows < MIN_ROWS) return;
      const count = { rows: rows.toLocaleString('en-US') };
      if (!bar) {
        const format = share === null ? '{rows} rows' : '{bar} {percentage}%, {rows} rows';
        bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true });
        bar.start(100, 0, count);
      }
      bar.update(Math.floor((share ?? 0) * 100), count);
    },
    stop: () => bar?.stop(),
  };
}
