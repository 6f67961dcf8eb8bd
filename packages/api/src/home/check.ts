import type { Context } from 'hono';
import type { z } from 'zod';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../errors.ts';
import { checked } from '../gates/input.ts';
import type { OpenOperation } from '../operations/operation.ts';
import type { OpenCall } from '../v0/call.ts';

/** What came of a check: what was asked, and the answer or the error. Null when nothing was asked. */
export type Checked<Answer> = { asked: string; answer: Answer } | { asked: string; error: ApiError } | null;

/** Makes checks of a form's one field, each by an operation of v0. A failure of the service is told, and answered as such. */
export function checker(call: OpenCall, onFailure: (failure: unknown, requestId: string) => void) {
  return async <Request extends z.ZodType, Response extends z.ZodType>(
    c: Context<ApiEnv>,
    operation: OpenOperation<Request, Response>,
    field: string,
  ): Promise<Checked<z.output<Response>>> => {
    const asked = c.req.query(field)?.trim();
    if (asked === undefined) return null;
    try {
      return { asked, answer: await call(c, operation, () => checked(operation, { [field]: asked })) };
    } catch (error) {
      if (error instanceof ApiError) return { asked, error };
      onFailure(error, c.get('requestId'));
      return { asked, error: new ApiError('internal') };
    }
  };
}
