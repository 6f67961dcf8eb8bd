/** Expected error with a message that tells the user how to fix the problem. Any other error indicates a bug. */
export class CliError extends Error {
  override name = 'CliError';
  /** Exit code: 1 if the command couldn't complete, or 2 for invalid arguments. */
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
