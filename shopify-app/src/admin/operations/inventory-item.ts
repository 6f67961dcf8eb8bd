import { z } from 'zod';
import { defineOperation } from '../admin.ts';
import { countryCode } from './catalog-variant.ts';

/** Everything about codes that Shopify keeps with the stock of a variant; null when it is gone. */
export const inventoryItem = defineOperation<{ readonly id: string }>()(
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
