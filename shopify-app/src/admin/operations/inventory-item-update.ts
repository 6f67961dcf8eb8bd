import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/**
 * Inventory item fields to change. Omitted fields keep their values. A list of country-specific codes replaces the
 * whole existing list.
 */
export interface InventoryItemInput {
  readonly harmonizedSystemCode?: string;
  readonly countryCodeOfOrigin?: string;
  readonly countryHarmonizedSystemCodes?: readonly { countryCode: string; harmonizedSystemCode: string }[];
}

/** Writes HTS codes and the country of origin to Shopify. The mutation is idempotent. */
export const inventoryItemUpdate = defineAdminOperation<{ readonly id: string; readonly input: InventoryItemInput }>()(
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
