/** Whether `--quiet` hides notices and progress. Global, because a process has only one standard error stream. */
let isQuiet = false;

/** Shows or hides notices and progress in this process. Errors are always shown. */
export function hideNotices(hide: boolean): void {
  isQuiet = hide;
}

/** Writes a notice (neither a result nor an error) to standard error, unless notices are hidden. */
export function notify(text: string): void {
  if (!isQuiet) process.stderr.write(`${text}\n`);
}

/** Returns true if progress can be shown, that is, if standard error is a terminal and notices aren't hidden. */
export function showsProgress(): boolean {
  return !isQuiet && process.stderr.isTTY === true;
}
