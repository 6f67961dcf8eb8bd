import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';
import { MIMEType } from 'whatwg-mimetype';

/**
 * A response's declared content type: the lowercase media type ('' if undeclared), the charset label, and whether
 * it's a JavaScript type.
 */
export type ContentType = { type: string; charset: string | undefined; isScript: boolean };

/**
 * Parses a `Content-Type` header according to the WHATWG MIME Sniffing Standard. Treats an invalid header as missing.
 *
 * @example readKind('Text/HTML; charset=utf-8') // { type: 'text/html', charset: 'utf-8', isScript: false }
 */
export function readKind(contentType: string | undefined): ContentType {
  const parsed = MIMEType.parse(contentType ?? '');
  return {
    type: parsed?.essence ?? '',
    charset: parsed?.parameters.get('charset'),
    isScript: parsed?.isJavaScript() ?? false,
  };
}

/**
 * Returns whether a body is HTML. If the content type is missing, checks whether the first non-whitespace character is
 * `<`.
 */
export function isHtml(kind: ContentType, html: string): boolean {
  if (kind.type === '') return html.trimStart().startsWith('<');
  return kind.type === 'text/html' || kind.type === 'application/xhtml+xml';
}

/**
 * Returns whether a response might be a script. Servers often label scripts incorrectly, so this function rejects only
 * types that browsers refuse to run (Fetch Standard, "blocked due to its MIME type"), fonts, PDF files, and HTML, which
 * is usually an error page.
 */
export function mayBeScript(kind: ContentType): boolean {
  return kind.isScript || !/^(?:(?:image|audio|video|font)\/|text\/(?:csv|html)$|application\/pdf$)/.test(kind.type);
}

/**
 * Decodes a page using the encoding from its byte order mark, header, or meta element (in that order), or as UTF-8 if
 * no encoding is declared. Ignores labels that aren't in the Encoding Standard, such as utf-7. Replaces invalid bytes
 * with U+FFFD and never throws an error.
 */
export function decodePage(bytes: Uint8Array, charset: string | undefined): { text: string; encoding: string } {
  const encoding = sniffEncoding(bytes, {
    ...(charset === undefined ? {} : { transportLayerEncodingLabel: charset }),
    defaultEncoding: 'UTF-8',
  });
  return { text: legacyHookDecode(bytes, encoding), encoding };
}
