/** Expected error with a message that tells the user how to fix the problem. Any other error indicates a bug. */
export class CliError extends Error {
  override name = 'CliError';
  /** Exit code: 1 if the command couldn't complete, or 2 for invalid arguments or settings. */
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Advice for failed file operations, by Node.js error code. */
const FILE_ADVICE: Record<string, string> = {
  ENOENT: 'Correct the path.',
  ENOTDIR: 'Correct the path.',
  EISDIR: 'Specify a file instead of a folder.',
  EEXIST: "Specify a file that doesn't exist yet.",
  EACCES: 'Run the command as a user who has permission to access the file.',
  EPERM: 'Run the command as a user who has permission to access the file.',
  EROFS: 'Specify a folder that you can write to.',
  ENOSPC: 'Free up disk space.',
  EDQUOT: 'Free up disk space.',
};

/**
 * Returns the error for a failed file operation, with advice on how to fix the cause. For any other error, such as a
 * syntax error, the message contains the original error message instead of advice.
 *
 * @example fileError("Can't read products.csv", error).message // "Can't read products.csv (ENOENT). Correct the path."
 */
export function fileError(problem: string, error: unknown, advice?: string): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code))
    return new CliError(`${problem}: ${message.replace(/\.?$/, '.')}`);
  return new CliError([`${problem} (${code}).`, advice ?? FILE_ADVICE[code]].filter(Boolean).join(' '));
}
