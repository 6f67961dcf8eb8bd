import type { Shop } from '@compliance/store';
import type { Admin } from './admin/admin.ts';

/** The shop that a request or a job speaks for, as Shopify vouched for it: never as a parameter named it. */
export interface Merchant {
  /** `<name>.myshopify.com` */
  readonly domain: string;
  /** What is remembered of this shop and of no other. */
  readonly shop: Shop;
  readonly admin: Admin;
  /** The id of the member of staff who asks; null where a job does. */
  readonly user: string | null;
}
