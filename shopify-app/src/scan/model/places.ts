/**
 * Formats a page's location for storage.
 *
 * @example placeOfPage('/') // 'page:/'
 */
export const placeOfPage = (path: string): string => `page:${path}`;

/**
 * Formats a theme file's location for storage.
 *
 * @example placeOfFile('layout/theme.liquid') // 'theme:layout/theme.liquid'
 */
export const placeOfFile = (name: string): string => `theme:${name}`;

/**
 * Parses a location for display.
 *
 * @example readPlace('theme:layout/theme.liquid') // { kind: 'file', name: 'layout/theme.liquid' }
 */
export function readPlace(place: string): { readonly kind: 'page' | 'file'; readonly name: string } {
  const cut = place.indexOf(':');
  return { kind: place.startsWith('theme:') ? 'file' : 'page', name: place.slice(cut + 1) };
}

/** Maximum length of a stored location, in bytes. */
const MAX_BYTES = 900;

/**
 * Returns whether a path or filename is short enough to store as a location. Product handles can have hundreds of
 * characters, and URL encoding can expand each character to nine characters.
 *
 * @example isPlace('/products/mug') // true
 */
export const isPlace = (name: string): boolean =>
  name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= MAX_BYTES;
