import type { Context } from 'hono';
import type { z } from 'zod';
import { ApiError } from '../errors.ts';
import { issuesOf } from '../issues.ts';
import type { Endpoint } from '../operations/operation.ts';
import { bodyOf } from './body.ts';

/**
 * What an operation is asked, read from where its method has it, and checked.
 *
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`
 */
export async function inputOf<Request extends z.ZodType>(
  c: Context,
  endpoint: Endpoint<string, Request>,
): Promise<z.output<Request>> {
  return checked(endpoint, endpoint.method === 'post' ? await bodyOf(c) : fieldsOf(c));
}

/** A request as the operation takes it. @throws ApiError `invalid_request`, with the faults */
export function checked<Request extends z.ZodType>(
  { request, parse }: Endpoint<string, Request>,
  input: unknown,
): z.output<Request> {
  if (parse) return parse(input);
  const parsed = request.safeParse(input, { reportInput: true });
  if (!parsed.success) throw new ApiError('invalid_request', { detail: { issues: issuesOf(parsed.error) } });
  return parsed.data;
}

/** The fields in path and query. One that is given twice is a list, which no text field takes. */
function fieldsOf(c: Context): Record<string, string | string[]> {
  const given = Map.groupBy(
    [...Object.entries(c.req.param() as Record<string, string>), ...new URL(c.req.url).searchParams],
    ([name]) => name,
  );
  return Object.fromEntries(
    [...given].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value)]),
  );
}
