/** Options for a storage request. The timeout is in milliseconds. */
interface StorageRequest extends Pick<RequestInit, 'method' | 'body'> {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/**
 * Sends a request to Shopify's file storage. Requires HTTPS, applies a timeout, and doesn't follow redirects or send
 * the shop's token.
 *
 * @throws TypeError if the URL doesn't use HTTPS, the request is redirected, or the connection fails, or a
 * `TimeoutError` if the request times out
 * @example
 * const response = await fetchFromStorage(body.url, { signal, timeoutMs: 15_000 });
 */
export async function fetchFromStorage(url: string, { signal, timeoutMs, ...init }: StorageRequest): Promise<Response> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new TypeError('not an HTTPS URL');
  const anySignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return await fetch(url, { ...init, signal: anySignal, redirect: 'error' });
}
