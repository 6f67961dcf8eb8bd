import { SingleBar } from 'cli-progress';
import { showsProgress } from './notice.ts';

/** Number of rows to process before the progress bar appears. Smaller inputs finish almost immediately. */
const MIN_ROWS = 10_000;

/** Progress bar on standard error. */
export interface Progress {
  /**
   * Shows the number of rows processed so far.
   *
   * @param share fraction of the input read so far, from 0 to 1, or null if the input size isn't known
   */
  update(rows: number, share: number | null): void;
  stop(): void;
}

/** Creates a progress bar that appears only for long inputs on a terminal, and never with `--quiet`. */
export function createProgress(): Progress {
  let bar: SingleBar | null = null;
  return {
    update(rows, share) {
      if (!showsProgress() || rows < MIN_ROWS) return;
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
