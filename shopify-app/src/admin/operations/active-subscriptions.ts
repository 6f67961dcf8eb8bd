import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the shop's active subscriptions to the app. Shopify allows only one at a time. */
export const activeSubscriptions = defineAdminOperation()(
  `#graphql
  query ActiveSubscriptions {
    currentAppInstallation { activeSubscriptions { name test } }
  }`,
  z.object({
    currentAppInstallation: z.object({
      activeSubscriptions: z.array(z.object({ name: z.string(), test: z.boolean() })),
    }),
  }),
);
