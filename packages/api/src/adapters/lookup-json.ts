import type { FlaggedLookup } from './tariff-lookup.ts';

/** Maximum number of cached lists. A list takes about 2 KB on average. */
const MAX_LISTS = 4_000;

/** Cached UTF-8 JSON of the frozen lists that several lookups can share. */
const listTexts = new Map<readonly unknown[], Buffer>();

/**
 * Serializes a lookup exactly as `JSON.stringify` does, and encodes the result in UTF-8. Most of a response consists of
 * frozen lists that lookups share. Because V8 serializes frozen lists slowly, this function caches them in serialized
 * and encoded form.
 *
 * @example
 * lookupJson(lookup(['7318.15.2061'], { asOf: '2026-10-01' })) // '{"results":[{"code":"7318.15.2061",…' in UTF-8
 */
export function lookupJson({ results, list, efiling }: FlaggedLookup): Uint8Array<ArrayBuffer> {
  const parts: Part[] = [];
  let text = '{"results":[';
  results.forEach((result, at) => {
    if (at > 0) text += ',';
    if (result.status === 'invalid') {
      // The result for an invalid code has no matches, and its fields are in a different order.
      text += JSON.stringify(result);
      return;
    }
    const { matches, stacking, adjacent_hits, other_programs, ...facts } = result;
    text += JSON.stringify(facts).slice(0, -1);
    for (const [name, value] of [
      [',"matches":', matches],
      [',"stacking":', stacking],
      [',"adjacent_hits":', adjacent_hits],
      [',"other_programs":', other_programs],
    ] as const) {
      text += name;
      if (value.length === 0) text += '[]';
      else {
        parts.push(text, listJson(value));
        text = '';
      }
    }
    text += '}';
  });
  const flags = efiling === undefined ? '' : `,"efiling":${JSON.stringify(efiling)}`;
  parts.push(`${text}],"list":${JSON.stringify(list)}${flags}}`);
  return joined(parts);
}

/** A string, or text that's already encoded in UTF-8. */
type Part = string | Buffer;

function joined(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  // A UTF-16 code unit takes up to three bytes in UTF-8.
  for (const part of parts) size += typeof part === 'string' ? part.length * 3 : part.length;
  const bytes = Buffer.allocUnsafe(size);
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'string') end += bytes.write(part, end);
    else end += part.copy(bytes, end);
  }
  return bytes.subarray(0, end) as Uint8Array<ArrayBuffer>;
}

function listJson(list: readonly unknown[]): Buffer {
  const known = listTexts.get(list);
  if (known !== undefined) return known;
  const text = Buffer.from(JSON.stringify(list));
  if (Object.isFrozen(list)) {
    if (listTexts.size >= MAX_LISTS) listTexts.clear();
    listTexts.set(list, text);
  }
  return text;
}
