import type { VariantFilter, VariantOrder } from '@compliance/store/shop';
import { z } from 'zod';
import { DIGIT_STATES, STATUSES } from './classify.ts';

/** Number of variants per catalog list page. */
export const CATALOG_PAGE_SIZE = 25;

const querySchema = z.object({
  status: z.enum(STATUSES).optional().catch(undefined),
  digits: z.enum(DIGIT_STATES).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  /**
   * Whether to show only variants whose result changed with the current tariff lists. This filter can't be combined
   * with other filters.
   */
  changed: z.literal('yes').optional().catch(undefined),
  /**
   * Sort order. The default is estimated duty, highest first. The list of changed variants is always sorted by title.
   */
  sort: z.literal('title').optional().catch(undefined),
  cursor: z.string().max(2000).optional().catch(undefined),
});

/** Filters, sort order, and cursor from the page URL. */
export type CatalogQuery = z.infer<typeof querySchema>;

/**
 * Parses the catalog page's query parameters. Ignores invalid values, because the URL is untrusted.
 *
 * @example parseCatalogQuery(new URL(request.url).searchParams) // { status: 'hit' }
 */
export const parseCatalogQuery = (query: URLSearchParams): CatalogQuery => querySchema.parse(Object.fromEntries(query));

/**
 * Returns the store query for a catalog list, without the limit and the cursor.
 *
 * @param version version of the current tariff lists
 * @example await shop.variants.list({ ...listQueryOf(asked, lists.version), limit: 25 });
 */
export const listQueryOf = (
  { status, digits, text, changed, sort }: CatalogQuery,
  version: string,
): VariantFilter & VariantOrder =>
  changed ? { changedBy: version, sort: 'title' } : { status, digits, text, sort: sort ?? 'duty' };
