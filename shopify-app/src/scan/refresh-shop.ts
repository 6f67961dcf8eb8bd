import type { z } from 'zod';
import { AdminFailed, type AdminFault } from '../admin/admin.ts';
import { firstProducts } from '../admin/operations/first-products.ts';
import { shopContext } from '../admin/operations/shop-context.ts';
import type { Merchant } from '../merchant.ts';
import { isPlace } from './places.ts';

/** What a scan needs to know of the shop before it starts. */
export interface FreshShop {
  /** Where shoppers are, such as `https://www.shop.example`. */
  readonly origin: string;
  readonly host: string;
  readonly scopes: readonly string[];
  /** Path of a product that shoppers can see, null when there is none, undefined when that is not known. */
  readonly product: string | null | undefined;
  /** Why Shopify no longer lets the app ask, or null. */
  readonly shut: 'revoked' | 'frozen' | null;
}

/**
 * Asks Shopify what it tells of the shop, and keeps it. Where Shopify does not answer, what is remembered must do: the
 * storefront can be read all the same.
 *
 * @throws StoreError `lease_lost` behind a fence
 */
export async function refreshShop({ domain, shop, admin }: Merchant, signal: AbortSignal): Promise<FreshShop> {
  const known = await shop.record();
  const asked = await admin.run(shopContext, {}, { signal }).catch(orFault);
  if (typeof asked === 'string') {
    // Every store answers under this name, too.
    const host = known?.primaryHost ?? domain;
    const shut = asked === 'revoked' || asked === 'frozen' ? asked : null;
    return { origin: `https://${host}`, host, scopes: known?.scopes ?? [], product: undefined, shut };
  }
  const { name, ianaTimezone, primaryDomain } = asked.shop;
  const scopes = asked.currentAppInstallation.accessScopes.map(({ handle }) => handle);
  await shop.setProfile({ name, timeZone: ianaTimezone, primaryHost: primaryDomain.host });
  await shop.setScopes(scopes);
  const products = await admin.run(firstProducts, {}, { signal }).catch(orFault);
  return {
    origin: new URL(primaryDomain.url).origin,
    host: primaryDomain.host,
    scopes,
    product: typeof products === 'string' ? undefined : pathOfFirst(products),
    shut: null,
  };
}

function pathOfFirst({ products }: z.infer<typeof firstProducts.answer>): string | null | undefined {
  const urls = products.edges.flatMap(({ node }) => node.onlineStoreUrl ?? []);
  return urls.length === 0 ? null : urls.map(url => new URL(url).pathname).find(isPlace);
}

/** @throws the error itself when it is none of Shopify's */
function orFault(error: unknown): AdminFault {
  if (error instanceof AdminFailed) return error.fault;
  throw error;
}
