import type { ThemeFileBody } from '../../admin/operations/theme-files.ts';
import { askStorage } from '../../admin/storage.ts';
import type { FileReason } from '../types.ts';

/** No file of a theme that a merchant edits is longer, in bytes. */
const MOST = 2_000_000;

const PATIENCE_MS = 15_000;

/**
 * The text of a theme file, or why there is none.
 *
 * @example await readBody({ __typename: 'OnlineStoreThemeFileBodyText', content: '<html>' }, signal) // { text: '<html>' }
 */
export async function readBody(
  body: ThemeFileBody,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly reason: FileReason }> {
  switch (body.__typename) {
    case 'OnlineStoreThemeFileBodyText':
      return body.content.length > MOST ? { reason: 'too_large' } : { text: body.content };
    case 'OnlineStoreThemeFileBodyBase64':
      return decode(Buffer.from(body.contentBase64, 'base64'));
    case 'OnlineStoreThemeFileBodyUrl':
      return await download(body.url, signal);
  }
}

function decode(bytes: Uint8Array) {
  if (bytes.length > MOST) return { reason: 'too_large' } as const;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { reason: 'not_text' } as const;
  }
}

/** Shopify's own address for a file that is too large for its answer. */
async function download(url: string, signal: AbortSignal) {
  try {
    const response = await askStorage(url, { signal, patience: PATIENCE_MS });
    if (!response.ok || !response.body) return { reason: 'failed' } as const;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > MOST) return { reason: 'too_large' } as const;
      chunks.push(chunk);
    }
    return decode(Buffer.concat(chunks));
  } catch {
    signal.throwIfAborted();
    return { reason: 'failed' } as const;
  }
}
