import { type CodeList, CodeListSchema } from '@compliance/core/entry';
import { sanitizeText } from '../lib/sanitize-text.ts';

/** Maximum size of a list of citation codes, in bytes. */
const MAX_CODES_BYTES = 64 * 1024;

/**
 * Reason that a list of citation codes can't be used: it's too large, isn't JSON in UTF-8, isn't a list of citation
 * codes, or contains an invalid value. `path` is the path of the invalid value.
 */
export type CodeListFault =
  | { readonly code: 'too_large' | 'not_json' | 'not_a_list' }
  | { readonly code: 'invalid_value'; readonly path: string };

/**
 * Reads an untrusted list of citation codes in the format of the CLI's `--codes` file: JSON, except that lines that
 * start with `//` are comments.
 */
export async function readUploadedCodes(
  file: Blob,
): Promise<{ readonly codes: CodeList } | { readonly fault: CodeListFault }> {
  if (file.size > MAX_CODES_BYTES) return { fault: { code: 'too_large' } };
  const json = parseJson(new Uint8Array(await file.arrayBuffer()));
  if (json === undefined) return { fault: { code: 'not_json' } };
  const { data, error } = CodeListSchema.safeParse(json);
  if (data) return { codes: data };
  const path = error.issues[0]!.path.join('.');
  return { fault: path === '' ? { code: 'not_a_list' } : { code: 'invalid_value', path } };
}

/** Returns the JSON value in a file, or undefined if the file isn't JSON in UTF-8. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text.replace(/^[ \t]*\/\/.*$/gm, ''), sanitizeText);
  } catch {
    return undefined;
  }
}
