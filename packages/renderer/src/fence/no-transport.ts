import type { Transport } from '@compliance/crawler';

/** Transport that refuses every connection, for a browser that doesn't need network access. */
export const NO_TRANSPORT: Transport = {
  resolve: async () => [],
  isAllowed: () => false,
  dial: async () => {
    throw new Error('This browser has no network access.');
  },
};
