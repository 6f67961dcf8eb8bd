/** How Shopify's storage is asked, and for how long an answer is awaited, in milliseconds. */
interface StorageRequest extends Pick<RequestInit, 'method' | 'body'> {
  readonly signal: AbortSignal;
  readonly patience: number;
}

/**
 * Asks the host that Shopify named for a file: over https alone, to no other place than the one that was named, and not
 * for ever. No token of a shop goes with it.
 *
 * @throws TypeError when the address is none of https, leads elsewhere, or nobody answers; and when time is up
 * @example
 * const response = await askStorage(body.url, { signal, patience: 15_000 });
 */
export async function askStorage(url: string, { signal, patience, ...init }: StorageRequest): Promise<Response> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new TypeError('no https address');
  const either = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  return await fetch(url, { ...init, signal: either, redirect: 'error' });
}
