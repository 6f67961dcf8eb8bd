import type { Context } from 'hono';
import { ApiError } from '../errors.ts';
import { issuesOf } from '../issues.ts';
import type { Operation } from '../operations/operation.ts';

/** The largest body that is read, in bytes. */
const MAX_BODY = 256 * 1024;

/**
 * The body of a request, read and checked.
 *
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `invalid_json`, `invalid_request`
 */
export async function bodyOf({ request: schema, parse }: Operation, c: Context): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) throw new ApiError('unsupported_media_type');
  const body = json(await readText(c));
  if (parse) return parse(body);
  const parsed = schema.safeParse(body, { reportInput: true });
  if (!parsed.success) throw new ApiError('invalid_request', { detail: { issues: issuesOf(parsed.error) } });
  return parsed.data;
}

/** Counts what arrives, since a Content-Length can be missing or wrong. */
async function readText(c: Context): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > MAX_BODY) throw new ApiError('body_too_large');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  try {
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BODY) throw new ApiError('body_too_large');
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError('invalid_json');
    throw error;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid_json');
  }
}
