import { SingleBar } from 'cli-progress';

/** Works through `total` things in steps, with a bar on standard error when that is a terminal and the work is long. */
export async function withProgress(
  what: string,
  total: number,
  step: number,
  work: (start: number) => void,
): Promise<void> {
  const bar =
    total > step && process.stderr.isTTY
      ? new SingleBar({ format: `{bar} {value} of {total} ${what}`, stream: process.stderr, clearOnComplete: true })
      : null;
  bar?.start(total, 0);
  for (let start = 0; start < total; start += step) {
    work(start);
    bar?.update(Math.min(total, start + step));
    if (bar) await new Promise(setImmediate);
  }
  bar?.stop();
}
