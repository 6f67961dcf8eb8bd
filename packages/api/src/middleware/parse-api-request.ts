import type { Context } from 'hono';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { toApiIssues } from '../errors/validation-issues.ts';
import type { Endpoint } from '../operations/operation.ts';
import { readJsonBody } from './json-body.ts';

/**
 * Reads and validates an operation's input, which is either in the JSON body or in the path and query.
 *
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`
 */
export async function parseApiRequest<Request extends z.ZodType>(
  c: Context,
  endpoint: Endpoint<string, Request>,
): Promise<z.output<Request>> {
  return validateRequest(
    endpoint,
    endpoint.method === 'post' ? await readJsonBody(c, endpoint.maxBodyBytes) : pathAndQueryFields(c),
  );
}

/**
 * Validates the path parameters of a `post` operation.
 *
 * @throws ApiError `invalid_request`
 */
export function parsePathParams(c: Context, { params }: Endpoint): Record<string, unknown> {
  return params ? parseWith(params, c.req.param()) : {};
}

/**
 * Validates an operation's input.
 *
 * @throws ApiError `invalid_request`, with an issue for each invalid field
 */
export function validateRequest<Request extends z.ZodType>(
  { request, parse }: Endpoint<string, Request>,
  input: unknown,
): z.output<Request> {
  return parse ? parse(input) : parseWith(request, input);
}

function parseWith<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (!parsed.success) throw new ApiError('invalid_request', { detail: { issues: toApiIssues(parsed.error) } });
  return parsed.data;
}

/** Returns the path and query parameters. A repeated parameter becomes an array, which string fields reject. */
function pathAndQueryFields(c: Context): Record<string, string | string[]> {
  const pairsByName = Map.groupBy(
    [...Object.entries(c.req.param() as Record<string, string>), ...new URL(c.req.url).searchParams],
    ([name]) => name,
  );
  return Object.fromEntries(
    [...pairsByName].map(([name, pairs]) => [
      name,
      pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value),
    ]),
  );
}
