import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** What of an item is to change; what is left out stays. Codes for countries are replaced as a whole. */
export interface InventoryItemInput {
  readonly harmonizedSystemCode?: string;
  readonly countryCodeOfOrigin?: string;
  readonly countryHarmonizedSystemCodes?: readonly { countryCode: string; harmonizedSystemCode: string }[];
}

/** Writes codes to Shopify. The same twice is the same once. */
export const inventoryItemUpdate = defineOperation<{ readonly id: string; readonly input: InventoryItemInput }>()(
  `#graphql
  mutation InventoryItemUpdate($id: ID!, $input: InventoryItemInput!) {
    inventoryItemUpdate(id: $id, input: $input) {
      inventoryItem { id }
      userErrors { field message }
    }
  }`,
  z.object({
    inventoryItemUpdate: z
      .object({
        inventoryItem: z.object({ id: z.string() }).nullable(),
        userErrors: z.array(z.object({ field: z.array(z.string()).nullable(), message: z.string() })),
      })
      .nullable(),
  }),
);
