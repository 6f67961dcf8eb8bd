import type { Context } from 'hono';
import { ApiError } from '../errors.ts';

/** The largest body that is read, in bytes. */
const MAX_BODY = 256 * 1024;

/**
 * The JSON body of a request.
 *
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
export async function bodyOf(c: Context): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) throw new ApiError('unsupported_media_type');
  const announced = c.req.header('content-length');
  if (Number(announced ?? 0) > MAX_BODY) throw new ApiError('body_too_large');
  // A server holds a body to the length that it announces. Only without one must it be counted while it comes.
  const bytes = announced === undefined ? await counted(c.req.raw.body) : await c.req.arrayBuffer();
  if (bytes.byteLength > MAX_BODY) throw new ApiError('body_too_large');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
}

async function counted(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  for (let at = 0; chunks.length > 0; ) {
    const chunk = chunks.shift()!;
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
