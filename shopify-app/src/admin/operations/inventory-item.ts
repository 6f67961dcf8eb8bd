import { z } from 'zod';
import { countryCode } from './catalog-variant.ts';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Gets all codes that Shopify stores on a variant's inventory item. The result is null if the item no longer exists.
 */
export const inventoryItem = defineAdminOperation<{ readonly id: string }>()(
  `#graphql
  query InventoryItem($id: ID!) {
    inventoryItem(id: $id) {
      harmonizedSystemCode
      countryCodeOfOrigin
      countryHarmonizedSystemCodes(first: 250) { nodes { countryCode harmonizedSystemCode } }
      variants(first: 10) { nodes { product { id } } }
    }
  }`,
  z.object({
    inventoryItem: z
      .object({
        harmonizedSystemCode: z.string().nullable(),
        countryCodeOfOrigin: z.string().nullable(),
        countryHarmonizedSystemCodes: z.object({ nodes: z.array(countryCode) }),
        variants: z.object({ nodes: z.array(z.object({ product: z.object({ id: z.string() }) })) }).nullable(),
      })
      .nullable(),
  }),
);
