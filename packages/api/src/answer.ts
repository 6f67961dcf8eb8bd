import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';

/** What every answer says, whatever it is. */
export const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** Node writes bytes to a socket several times as fast as a text of some kilobytes. */
const encoder = new TextEncoder();

/**
 * The response for a JSON text. Its headers are written as one plain object, since a `Headers` object for each step costs
 * more than the look-up itself.
 */
export function answer(
  c: Context<ApiEnv>,
  status: number,
  json: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(encoder.encode(json), {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...ALWAYS,
      'X-Request-Id': c.get('requestId'),
      ...c.get('carried'),
      ...headers,
    },
  });
}
