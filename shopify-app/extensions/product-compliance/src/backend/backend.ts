import type { ProductError, ProductResponse, ProductSummary } from '../../../../src/product-extensions/contract.ts';

/**
 * Reason that a request failed. `signed_out` means that the app rejected the session token, and `unreachable` means
 * that the app didn't respond.
 */
export type Failure = ProductError['error'] | 'signed_out' | 'unreachable';

/** Result of a request to the app. */
export type Answer = { readonly summary: ProductSummary } | { readonly failure: Failure };

/** Action that the app runs for a product. */
export type Intent = 'check' | 'draft';

/** Maximum time to wait for a response, in milliseconds, including the app's own requests to Shopify. */
const TIMEOUT_MS = 20_000;

/**
 * Returns a product's stored results.
 *
 * @param product numeric product ID
 * @param language language of the conditions in the result
 */
export const loadSummary = (product: string, language: string): Promise<Answer> => send(product, language);

/** Runs an action, and returns the product's new results. */
export const runAction = (product: string, language: string, intent: Intent): Promise<Answer> =>
  send(product, language, { method: 'POST', body: new URLSearchParams({ intent }) });

/** Sends a request. Shopify resolves the path against the app's URL and adds a session token. */
async function send(product: string, language: string, init: RequestInit = {}): Promise<Answer> {
  try {
    const path = `/app/extension/products/${product}?${new URLSearchParams({ locale: language })}`;
    const response = await fetch(path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) return { failure: 'signed_out' };
    if (!response.ok) return { failure: ((await response.json()) as ProductError).error };
    const { summary } = (await response.json()) as ProductResponse;
    return summary ? { summary } : { failure: 'unknown_product' };
  } catch {
    return { failure: 'unreachable' };
  }
}
