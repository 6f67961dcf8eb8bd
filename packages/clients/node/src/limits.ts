/** One limit of the key: how much it allows in which time, and what is left. */
export interface RateLimitWindow {
  /** `minute` or `day`. */
  name: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until it starts anew. */
  resetSeconds: number;
}

/** The limits that an answer tells in `RateLimit` and `RateLimit-Policy`, if it tells any. */
export function rateLimitOf(headers: Headers): RateLimitWindow[] | undefined {
  const read = (header: string, pattern: RegExp) =>
    [...(headers.get(header) ?? '').matchAll(pattern)].map(([, name, ...numbers]) => ({ name: name!, numbers }));
  const policies = read('ratelimit-policy', /"(\w+)";q=(\d+);w=(\d+)/g);
  const windows = read('ratelimit', /"(\w+)";r=(\d+);t=(\d+)/g).flatMap(({ name, numbers }) => {
    const policy = policies.find(each => each.name === name)?.numbers ?? [];
    const [remaining, resetSeconds, quota, windowSeconds] = [...numbers, ...policy].map(Number);
    return policy.length > 0 ? ({ name, quota, windowSeconds, remaining, resetSeconds } as RateLimitWindow) : [];
  });
  return windows.length > 0 ? windows : undefined;
}

/** The seconds of `Retry-After`. A date counts from the answer's own `Date`, as the clocks of both sides may differ. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? new Date().toUTCString())) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
