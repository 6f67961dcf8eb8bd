import { z } from 'zod';
import { defineAdminOperation } from './define-admin-operation.ts';

/** Gets the shop's name, time zone, primary domain, and granted scopes. */
export const shopContext = defineAdminOperation()(
  `#graphql
  query ShopContext {
    shop {
      name
      ianaTimezone
      primaryDomain { host url }
    }
    currentAppInstallation { accessScopes { handle } }
  }`,
  z.object({
    shop: z.object({
      name: z.string(),
      ianaTimezone: z.string(),
      primaryDomain: z.object({ host: z.string(), url: z.string() }),
    }),
    currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
  }),
);
