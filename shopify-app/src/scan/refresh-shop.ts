import type { z } from 'zod';
import { AdminApiError, type AdminFault } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { firstProducts } from '../admin/operations/first-products.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import { isPlace } from './model/places.ts';

/** Shop data that a scan needs. */
export interface RefreshedShop {
  /** Storefront origin, such as `https://www.shop.example`. */
  readonly origin: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /**
   * Path of a product in the online store. The path is null if the online store has no products and undefined if the
   * path is unknown.
   */
  readonly product: string | null | undefined;
  /** Reason that Shopify no longer grants access, or null if it still does. */
  readonly lostAccess: 'revoked' | 'frozen' | null;
}

/**
 * Gets the shop's profile from Shopify and stores it. Falls back to stored data if Shopify isn't available, because the
 * scan can still read the storefront.
 *
 * @throws StoreError `lease_lost` if the job loses its lease
 */
export async function refreshShop({ domain, shop, admin }: Merchant, signal: AbortSignal): Promise<RefreshedShop> {
  const known = await shop.record();
  const response = await admin.run(shopContext, {}, { signal }).catch(orFault);
  if (typeof response === 'string') {
    // Every store also serves its pages at its myshopify.com domain.
    const host = known?.primaryHost ?? domain;
    const lostAccess = response === 'revoked' || response === 'frozen' ? response : null;
    return { origin: `https://${host}`, host, scopes: known?.scopes ?? [], product: undefined, lostAccess };
  }
  const { name, ianaTimezone, primaryDomain } = response.shop;
  const scopes = response.currentAppInstallation.accessScopes.map(({ handle }) => handle);
  await shop.setProfile({ name, timeZone: ianaTimezone, primaryHost: primaryDomain.host });
  await shop.setScopes(scopes);
  const products = await admin.run(firstProducts, {}, { signal }).catch(orFault);
  return {
    origin: new URL(primaryDomain.url).origin,
    host: primaryDomain.host,
    scopes,
    product: typeof products === 'string' ? undefined : pathOfFirst(products),
    lostAccess: null,
  };
}

function pathOfFirst({ products }: z.infer<typeof firstProducts.response>): string | null | undefined {
  const urls = products.edges.flatMap(({ node }) => node.onlineStoreUrl ?? []);
  return urls.length === 0 ? null : urls.map(url => new URL(url).pathname).find(isPlace);
}

/** Returns the error code from an Admin API error. @throws any error that isn't an AdminApiError */
function orFault(error: unknown): AdminFault {
  if (error instanceof AdminApiError) return error.fault;
  throw error;
}
