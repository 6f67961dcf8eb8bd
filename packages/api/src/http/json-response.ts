import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';

/** Default headers for all responses. */
export const DEFAULT_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * Encodes response bodies. Node.js writes a body of a few kilobytes to a socket several times faster as a byte array
 * than as a string.
 */
const encoder = new TextEncoder();

/**
 * Builds a response from serialized JSON, which is either a string or UTF-8 bytes. Uses a plain object for the headers,
 * because creating `Headers` objects would take longer than a tariff lookup.
 */
export function jsonResponse(
  c: Context<ApiEnv>,
  status: number,
  json: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Response {
  return new Response(typeof json === 'string' ? encoder.encode(json) : json, {
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
