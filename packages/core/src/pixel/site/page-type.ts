/**
 * Types of storefront pages that a site scan covers, in scan order. Themes render each type with a different template.
 * `blog` is an article, or a list of articles if the home page doesn't link to an article. `locale` is the home page in
 * another language or market.
 */
export const SITE_PAGE_TYPES = ['home', 'collection', 'product', 'cart', 'search', 'blog', 'locale'] as const;

/** Type of a storefront page, one of {@link SITE_PAGE_TYPES}. */
export type SitePageType = (typeof SITE_PAGE_TYPES)[number];

/** Page type names for reports. */
export const SITE_PAGE_LABELS: Readonly<Record<SitePageType, string>> = {
  home: 'Home',
  collection: 'Collection',
  product: 'Product',
  cart: 'Cart',
  search: 'Search',
  blog: 'Blog',
  locale: 'Other locale',
};
