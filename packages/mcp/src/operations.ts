import { ERRORS, type ErrorCode } from '@compliance/contract/errors';

/** ID of an API operation that a tool performs. */
export type OperationId =
  | 'tariff.hts.lookup'
  | 'tariff.assess'
  | 'tariff.changes'
  | 'tariff.hts.changes'
  | 'tariff.lists'
  | 'pixel.scan'
  | 'entry.gcc.generate'
  | 'entry.cpc.generate'
  | 'entry.cpc.tracking_label'
  | 'entry.gcc.due'
  | 'entry.gcc.efiling'
  | 'entry.gcc.label'
  | 'entry.gcc.verify'
  | 'entry.registry.read';

/**
 * Performs an API operation for a tool: in this process, or through the API with the caller's key.
 *
 * @param request the operation's request, as in the API
 * @returns the operation's response
 * @throws OperationError if the operation fails
 */
export type PerformOperation = (operation: OperationId, request: object) => Promise<unknown>;

/** Details of a failed operation, as in the body of an API error response. */
export interface OperationFailure {
  readonly error: ErrorCode;
  readonly message: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[] | undefined;
  /** Reason for a failed scan. */
  readonly reason?: string | undefined;
  readonly request_id?: string | undefined;
  /** Number of seconds to wait before retrying. */
  readonly retry_after?: number | undefined;
}

/**
 * Error for an operation that failed. The message explains to an agent what happened and what to do.
 *
 * @example new OperationError({ error: 'scope', message: "This key doesn't have the required scope." }).failure.error // 'scope'
 */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly failure: OperationFailure;

  constructor(failure: OperationFailure) {
    super(describe(failure));
    this.failure = failure;
  }
}

function describe(failure: OperationFailure): string {
  const { error, message, issues = [], reason, request_id, retry_after } = failure;
  const remedy = remedyFor(failure);
  return [
    `${error}: ${message}`,
    ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ...issues.map(({ path, message: problem }) => `- ${path === '' ? 'arguments' : path}: ${problem}`),
    ...(retry_after === undefined ? [] : [`Retry after ${retry_after} ${retry_after === 1 ? 'second' : 'seconds'}.`]),
    ...(remedy === null ? [] : [`What to do: ${remedy}`]),
    ...(request_id === undefined ? [] : [`Request ID: ${request_id}`]),
  ].join('\n');
}

function remedyFor({ error, issues = [], retry_after }: OperationFailure): string | null {
  if (issues.length > 0) return 'Correct these arguments, and then call the tool again.';
  // Without a retry time, waiting doesn't help, so omit the standard remedy.
  if (error === 'unavailable' && retry_after === undefined) return null;
  return ERRORS[error].remedy;
}
