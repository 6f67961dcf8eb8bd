import type { Context } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import { byteSize } from '../http/byte-size.ts';
import { fromClient } from '../http/client-closed.ts';

/** Maximum size of a request body in bytes, unless the operation allows larger bodies. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * Reads and parses a request's JSON body.
 *
 * @param maxBytes maximum body size in bytes
 * @throws ApiError `unsupported_media_type`, `body_too_large`, `invalid_json`
 * @throws ClientClosedRequest
 */
export async function readJsonBody(c: Context, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) throw new ApiError('unsupported_media_type');
  const contentLength = c.req.header('content-length');
  if (Number(contentLength ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // The HTTP server already ensures that a body's length matches the Content-Length header. If the header is missing,
  // count the bytes as they arrive.
  const read = contentLength === undefined ? readWithLimit(c.req.raw.body, maxBytes) : c.req.arrayBuffer();
  const bytes = await fromClient<ArrayBuffer | Uint8Array>(c, read);
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('body_too_large', { message: `The request body exceeds ${byteSize(maxBytes)}.` });
}

async function readWithLimit(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  for (let offset = 0; chunks.length > 0; ) {
    const chunk = chunks.shift()!;
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
