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
