import { readPlace } from '../places.ts';
import type { PageKind } from '../types.ts';

/** A page of the storefront that a scan reads. */
export type ChosenPage =
  | { readonly kind: PageKind; readonly path: string }
  /** The store has none of this kind, or nobody could say which. */
  | { readonly kind: PageKind; readonly path: null; readonly state: 'absent' | 'not_read' };

/** A scan is a visit, not a crawl. */
const MOST = 10;

/**
 * Which pages a scan reads: one of each kind that a theme renders in its own way, and every page where something is still
 * open, since only reading it again can say that it is gone.
 *
 * @param product path of a product that shoppers can see, null when there is none, undefined when that is not known
 * @param openPlaces places of findings that are open
 * @example choosePages('/products/mug', ['page:/products/cup']).length // 5
 */
export function choosePages(product: string | null | undefined, openPlaces: readonly string[]): readonly ChosenPage[] {
  const pages: ChosenPage[] = [
    { kind: 'home', path: '/' },
    product
      ? { kind: 'product', path: product }
      : { kind: 'product', path: null, state: product === null ? 'absent' : 'not_read' },
    // Shopify makes this one for every store.
    { kind: 'collection', path: '/collections/all' },
    { kind: 'cart', path: '/cart' },
  ];
  for (const place of openPlaces) {
    const { kind, name } = readPlace(place);
    if (kind !== 'page' || pages.length >= MOST || pages.some(({ path }) => path === name)) continue;
    pages.push({ kind: kindOf(name), path: name });
  }
  return pages;
}

const kindOf = (path: string): PageKind =>
  path.includes('/products/') ? 'product' : path.includes('/collections/') ? 'collection' : 'home';
