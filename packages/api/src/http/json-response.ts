import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';

/** Headers that every response includes. */
export const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Encodes response bodies, because Node writes a byte array of several kilobytes to a socket several times faster than a
 * string.
 */
const encoder = new TextEncoder();

/**
 * Builds a response from serialized JSON. The headers are built as a plain object, because creating a `Headers` object at each
 * step takes longer than the lookup itself.
 */
export function jsonResponse(
  c: Context<ApiEnv>,
  status: number,
  json: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(encoder.encode(json), {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...DEFAULT_HEADERS,
      'X-Request-Id': c.get('requestId'),
      ...c.get('responseHeaders'),
      ...headers,
    },
  });
}
