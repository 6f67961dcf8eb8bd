/** Whether `--quiet` hides notices and progress. Standard error belongs to the process, and so does this state. */
let isQuiet = false;

/** Shows or hides the notices and the progress of this process. Errors are always shown. */
export function hideNotices(hide: boolean): void {
  isQuiet = hide;
}

/** Writes a line to standard error that is neither a result nor an error, unless notices are hidden. */
export function notify(text: string): void {
  if (!isQuiet) process.stderr.write(`${text}\n`);
}

/** Returns whether to show progress: standard error is a terminal, and notices aren't hidden. */
export function showsProgress(): boolean {
  return !isQuiet && process.stderr.isTTY === true;
}
