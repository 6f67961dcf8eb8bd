import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Event for Shopify Flow. */
export interface FlowTrigger {
  /** Trigger handle, as declared in the extension's `shopify.extension.toml`. */
  readonly handle: string;
  /** Values for the fields that the trigger declares. Limited to 50,000 bytes as JSON. */
  readonly payload: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Sends an event to Shopify Flow, which starts the merchant's workflows that use the trigger. If the mutation runs
 * twice, the workflows run twice.
 */
export const flowTriggerReceive = defineAdminOperation<FlowTrigger>()(
  `#graphql
  mutation FlowTriggerReceive($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) {
      userErrors { field message }
    }
  }`,
  z.object({
    flowTriggerReceive: z
      .object({
        userErrors: z.array(z.object({ field: z.array(z.string()).nullable(), message: z.string() })),
      })
      .nullable(),
  }),
);
