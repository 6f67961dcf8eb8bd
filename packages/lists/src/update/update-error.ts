/**
 * Reason that an update was refused. `tampered`: a signature, hash, or length is wrong. `older`: the repository or its
 * data set is older than the installed one, or another update finished first. `expired`: the repository wasn't renewed
 * in time. `incomplete`: a file is missing. `unreachable`: the repository's URL or folder is missing or invalid, or a
 * file can't be read. `unsupported`: the data set requires a newer release. `invalid`: the data set can't be loaded.
 * `no_root`: the first update was run without a trusted root. `not_writable`: the lists folder can't be written to, for
 * example because the disk is full.
 */
export type UpdateReason =
  | 'tampered'
  | 'older'
  | 'expired'
  | 'incomplete'
  | 'unreachable'
  | 'unsupported'
  | 'invalid'
  | 'no_root'
  | 'not_writable';

/** Error thrown if an update is refused. The installed data set stays in use. */
export class UpdateError extends Error {
  override name = 'UpdateError';
  readonly reason: UpdateReason;
  /** The TUF library's error message. */
  readonly detail: string;

  constructor(reason: UpdateReason, message: string, detail = '') {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}
