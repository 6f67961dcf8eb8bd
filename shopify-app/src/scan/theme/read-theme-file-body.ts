import type { ThemeFileBody } from '../../admin/operations/theme-files.ts';
import { fetchFromStorage } from '../../admin/storage.ts';
import type { FileReason } from '../model/types.ts';

/** Maximum file size in bytes. Files that merchants edit are much smaller. */
const MAX_BYTES = 2_000_000;

const TIMEOUT_MS = 15_000;

/**
 * Returns the text of a theme file, or the reason that the file can't be read.
 *
 * @example await readThemeFileBody({ __typename: 'OnlineStoreThemeFileBodyText', content: '<html>' }, signal) // { text: '<html>' }
 */
export async function readThemeFileBody(
  body: ThemeFileBody,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly reason: FileReason }> {
  switch (body.__typename) {
    case 'OnlineStoreThemeFileBodyText':
      return body.content.length > MAX_BYTES ? { reason: 'too_large' } : { text: body.content };
    case 'OnlineStoreThemeFileBodyBase64':
      return decode(Buffer.from(body.contentBase64, 'base64'));
    case 'OnlineStoreThemeFileBodyUrl':
      return await download(body.url, signal);
  }
}

function decode(bytes: Uint8Array) {
  if (bytes.length > MAX_BYTES) return { reason: 'too_large' } as const;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { reason: 'not_text' } as const;
  }
}

/** Downloads a file that is too large for Shopify to include in its response. */
async function download(url: string, signal: AbortSignal) {
  try {
    const response = await fetchFromStorage(url, { signal, timeoutMs: TIMEOUT_MS });
    if (!response.ok || !response.body) return { reason: 'failed' } as const;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) return { reason: 'too_large' } as const;
      chunks.push(chunk);
    }
    return decode(Buffer.concat(chunks));
  } catch {
    signal.throwIfAborted();
    return { reason: 'failed' } as const;
  }
}
