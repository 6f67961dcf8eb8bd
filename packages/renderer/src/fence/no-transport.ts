import type { Transport } from '@compliance/crawler';

/** Network access for a browser that needs none: every connection is refused. */
export const NO_TRANSPORT: Transport = {
  resolve: async () => [],
  isAllowed: () => false,
  dial: async () => {
    throw new Error('This browser has no network access.');
  },
};
