import type { AdPixel } from '../ad-pixels/ad-pixel.ts';
import { normalizeName } from './nearest-name.ts';

type EventNames = Extract<AdPixel['events'], { kind: 'names' }>;

/** Matches an inflectional ending, such as the `d` in `Purchased`. An inflected event name can be a custom event. */
const INFLECTION = /^(?:d|ed|s|es|ing)$/;

/**
 * Returns whether a name similar to a standard event name is a misspelling rather than a custom event name.
 *
 * @example isMisspelling('addToCart', 'AddToCart', tiktok.events) // true
 */
export function isMisspelling(name: string, nearest: string, { reserved = [], exact }: EventNames): boolean {
  const plain = normalizeName(name);
  if (reserved.some(other => normalizeName(other) === plain)) return false;
  const meaning = normalizeName(nearest);
  if (plain === meaning) return exact;
  return !(plain.startsWith(meaning) && INFLECTION.test(plain.slice(meaning.length)));
}
