/**
 * Places of findings as the store keeps them: a page of the storefront, a file of the theme.
 *
 * @example placeOfPage('/') // 'page:/'
 */
export const placeOfPage = (path: string): string => `page:${path}`;

/** @example placeOfFile('layout/theme.liquid') // 'theme:layout/theme.liquid' */
export const placeOfFile = (name: string): string => `theme:${name}`;

/**
 * What a place is, for showing it.
 *
 * @example readPlace('theme:layout/theme.liquid') // { kind: 'file', name: 'layout/theme.liquid' }
 */
export function readPlace(place: string): { readonly kind: 'page' | 'file'; readonly name: string } {
  const cut = place.indexOf(':');
  return { kind: place.startsWith('theme:') ? 'file' : 'page', name: place.slice(cut + 1) };
}

/** What the store takes for a place, in bytes. */
const LONGEST = 900;

/**
 * Whether a path or the name of a file can stand for a place. Handles may have hundreds of characters, each of them nine in a path.
 *
 * @example isPlace('/products/mug') // true
 */
export const isPlace = (name: string): boolean =>
  name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= LONGEST;
