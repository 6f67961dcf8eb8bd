import { readPlace } from '../model/places.ts';
import type { PageKind } from '../model/types.ts';

/** Storefront page that a scan reads. */
export type ChosenPage =
  | { readonly kind: PageKind; readonly path: string }
  /** Page that can't be read, because the store doesn't have a page of this type or because the path is unknown. */
  | { readonly kind: PageKind; readonly path: null; readonly state: 'absent' | 'not_read' };

/** Maximum number of pages per scan, so that a scan doesn't crawl the whole store. */
const MAX_PAGES = 10;

/**
 * Chooses the pages to scan. The result includes one page of each type, because themes have a separate template for
 * each type. The result also includes pages with open findings, up to the limit, because the app must read a page again
 * to find out whether its findings are fixed.
 *
 * @param product path of a product in the online store. The path is null if the online store has no products and
 * undefined if the path is unknown.
 * @param openPlaces locations of open findings
 * @example choosePages('/products/mug', ['page:/products/cup']).length // 5
 */
export function choosePages(product: string | null | undefined, openPlaces: readonly string[]): readonly ChosenPage[] {
  const pages: ChosenPage[] = [
    { kind: 'home', path: '/' },
    product
      ? { kind: 'product', path: product }
      : { kind: 'product', path: null, state: product === null ? 'absent' : 'not_read' },
    // Shopify creates this collection for every store.
    { kind: 'collection', path: '/collections/all' },
    { kind: 'cart', path: '/cart' },
  ];
  for (const place of openPlaces) {
    const { kind, name } = readPlace(place);
    if (kind !== 'page' || pages.length >= MAX_PAGES || pages.some(({ path }) => path === name)) continue;
    pages.push({ kind: kindOf(name), path: name });
  }
  return pages;
}

const kindOf = (path: string): PageKind =>
  path.includes('/products/') ? 'product' : path.includes('/collections/') ? 'collection' : 'home';
