/** A failure that the user can mend: its message says how. Anything else is a fault of ours. */
export class Failure extends Error {
  override name = 'Failure';
  /** 1: the command could not do its work. 2: it was called wrongly. */
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
