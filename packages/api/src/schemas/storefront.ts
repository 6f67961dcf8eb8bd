import { z } from 'zod';

/** The longest address that is taken, in characters. */
export const MAX_ADDRESS = 2048;

/** The address of a storefront page in a request. Whether it may be fetched is the crawler's to say. */
export const storefrontUrl = z
  .string()
  .min(1, 'Give the address of the storefront.')
  .max(MAX_ADDRESS, `Give an address of at most ${MAX_ADDRESS} characters.`)
  .meta({ format: 'uri', description: 'Address of the storefront page, http or https.' });
