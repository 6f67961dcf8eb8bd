import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';
import { MIMEType } from 'whatwg-mimetype';

/** What an answer says it is: media type in lower case ('' when it does not say) and charset label. */
export type Kind = { type: string; charset: string | undefined; isScript: boolean };

/**
 * Reads a `Content-Type` header by the WHATWG MIME Sniffing rules. A header that breaks them counts as missing.
 *
 * @example readKind('Text/HTML; charset=utf-8') // { type: 'text/html', charset: 'utf-8', isScript: false }
 */
export function readKind(contentType: string | undefined): Kind {
  const parsed = MIMEType.parse(contentType ?? '');
  return {
    type: parsed?.essence ?? '',
    charset: parsed?.parameters.get('charset'),
    isScript: parsed?.isJavaScript() ?? false,
  };
}

/** Says whether a body is HTML. Without a type, the first character that is not a space decides. */
export function isHtml(kind: Kind, html: string): boolean {
  if (kind.type === '') return html.trimStart().startsWith('<');
  return kind.type === 'text/html' || kind.type === 'application/xhtml+xml';
}

/**
 * Says whether an answer may be a script. Servers label scripts badly, so only what browsers refuse to run is refused
 * (Fetch Standard, "blocked due to its MIME type"), and HTML, which is an error page in a script's place.
 */
export function mayBeScript(kind: Kind): boolean {
  return kind.isScript || !/^(?:(?:image|audio|video|font)\/|text\/(?:csv|html)$|application\/pdf$)/.test(kind.type);
}

/**
 * Decodes a page: byte order mark, then header, then meta element, then UTF-8. Labels outside the Encoding Standard, such
 * as utf-7, count as missing. Bytes that do not fit become U+FFFD; nothing throws.
 */
export function decodePage(bytes: Uint8Array, charset: string | undefined): { text: string; encoding: string } {
  const encoding = sniffEncoding(bytes, {
    ...(charset === undefined ? {} : { transportLayerEncodingLabel: charset }),
    defaultEncoding: 'UTF-8',
  });
  return { text: legacyHookDecode(bytes, encoding), encoding };
}
