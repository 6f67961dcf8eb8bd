import { z } from 'zod';

/** Maximum length of a URL, in characters. */
export const MAX_URL_LENGTH = 2048;

/** The URL of a storefront page in a request. The crawler decides whether the page can be fetched. */
export const storefrontUrl = z
  .string()
  .min(1, 'Enter the URL of the storefront.')
  .max(MAX_URL_LENGTH, `Enter a URL with ${MAX_URL_LENGTH} characters or fewer.`)
  .meta({ format: 'uri', description: 'HTTP or HTTPS URL of the storefront page.' });
