/** Content types of the files that merchants download. */
const TYPES = {
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  zpl: 'text/plain; charset=utf-8',
} as const;

/**
 * Returns a file as a download. The headers keep browsers from opening the file in the app's origin, because the file
 * contains text from the merchant.
 *
 * @example fileResponse(pdf, 'GCC-1', 'pdf').headers.get('content-type') // 'application/pdf'
 */
export function fileResponse(content: string | Uint8Array, name: string, type: keyof typeof TYPES): Response {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  return new Response(bytes, {
    headers: {
      'Content-Type': TYPES[type],
      'Content-Disposition': `attachment; filename="${name}.${type}"`,
      'Content-Length': `${bytes.byteLength}`,
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  });
}
