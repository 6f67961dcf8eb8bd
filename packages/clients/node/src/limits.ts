/** API key rate limit, with its quota, window, and remaining requests. */
export interface RateLimitWindow {
  /** Limit name: `minute` or `day`. */
  name: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the limit resets. */
  resetSeconds: number;
}

/**
 * Parses the `RateLimit` and `RateLimit-Policy` headers. Returns an empty array if the response doesn't include them.
 */
export function rateLimitOf(headers: Headers): RateLimitWindow[] {
  const read = (header: string, pattern: RegExp) =>
    [...(headers.get(header) ?? '').matchAll(pattern)].map(([, name, ...numbers]) => ({ name: name!, numbers }));
  const policies = read('ratelimit-policy', /"(\w+)";q=(\d+);w=(\d+)/g);
  return read('ratelimit', /"(\w+)";r=(\d+);t=(\d+)/g).flatMap(({ name, numbers }) => {
    const policy = policies.find(each => each.name === name)?.numbers ?? [];
    const [remaining, resetSeconds, quota, windowSeconds] = [...numbers, ...policy].map(Number);
    return policy.length > 0 ? ({ name, quota, windowSeconds, remaining, resetSeconds } as RateLimitWindow) : [];
  });
}

/**
 * Returns the number of seconds to wait according to `Retry-After`. If `Retry-After` is a date, calculates the wait
 * relative to the response's `Date` header, because the client and server clocks might differ.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? new Date().toUTCString())) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
