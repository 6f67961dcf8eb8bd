import type { Context } from 'hono';
import { fromClient } from '../http/client-closed.ts';

/**
 * Reads the fields of a submitted form. If a field is repeated, the last value wins. Returns no fields if the body
 * isn't URL-encoded, because the CSRF check covers only form content types.
 *
 * @throws ClientClosedRequest
 * @example
 * const { company = '' } = await readForm(c);
 */
export async function readForm(c: Context): Promise<Partial<Record<string, string>>> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) return {};
  return Object.fromEntries(new URLSearchParams(await fromClient(c, c.req.text())));
}
