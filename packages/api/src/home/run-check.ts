import type { Context } from 'hono';
import type { z } from 'zod';
import type { ApiError } from '../errors/api-error.ts';
import type { ApiEnv } from '../http/context.ts';
import { recordError } from '../http/error-response.ts';
import { validateRequest } from '../middleware/parse-api-request.ts';
import type { PublicOperation } from '../operations/operation.ts';
import type { PublicCall } from '../v0/call.ts';

/** The submitted value and the check's result or error, or null if the form wasn't submitted. */
export type CheckOutcome<Result> = { value: string; result: Result } | { value: string; error: ApiError } | null;

/**
 * Creates a function that runs the v0 operation for a one-field form. The function records each error for the log and
 * returns the error to show.
 */
export function createCheckRunner(call: PublicCall) {
  return async <Request extends z.ZodType, Response extends z.ZodType>(
    c: Context<ApiEnv>,
    operation: PublicOperation<Request, Response>,
    field: string,
  ): Promise<CheckOutcome<z.output<Response>>> => {
    const value = c.req.query(field)?.trim();
    if (value === undefined) return null;
    try {
      return { value, result: await call(c, operation, () => validateRequest(operation, { [field]: value })) };
    } catch (error) {
      return { value, error: recordError(c, error) };
    }
  };
}
