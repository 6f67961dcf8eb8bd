import { z } from 'zod';
import { defineOperation } from '../admin.ts';

/** What the app knows of a shop: its name, its zone, where its storefront is and what the merchant granted. */
export const shopContext = defineOperation()(
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
