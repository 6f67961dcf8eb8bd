import type { Dataset } from '@compliance/core/tariff';
import type { Shop } from '@compliance/store/shop';
import type { Admin } from './admin.ts';

/**
 * Shop that a request or job belongs to. The shop is always determined by Shopify's authentication, never by a
 * parameter.
 */
export interface Merchant {
  /** Shop domain, in the form `<name>.myshopify.com`. */
  readonly domain: string;
  /** Database access, limited to this shop's data. */
  readonly shop: Shop;
  readonly admin: Admin;
  /** Returns the tariff data set in use. Use the same data set for a whole request or batch. */
  readonly dataset: () => Dataset;
  /** ID of the staff member who made the request, or null in a job. */
  readonly user: string | null;
}
