import type { TagId } from '../model/observation.ts';
import { exactText, type Value } from '../script/value.ts';

/**
 * Returns the ID from a call's argument. A number above 2^53 − 1 is marked as rounded, because JavaScript rounds the
 * number before the tag sends the ID.
 */
export function tagId(value: Value | undefined): TagId {
  const text = exactText(value);
  const rounded = value?.kind === 'literal' && typeof value.value === 'number' && !Number.isSafeInteger(value.value);
  return { value: text === null ? null : text.trim(), rounded };
}
