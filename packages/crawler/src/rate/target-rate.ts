import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { literalAddress } from '../address/parse-target.ts';
import { siteOf } from '../address/site.ts';

/**
 * Rate limit per target, shared by all scans. `@compliance/store` provides an implementation for any number of
 * processes that share a database, and `createTargetRate` creates one for a single process.
 *
 * A request can reach its server a few seconds after it's counted, because the crawler still has to connect. Therefore,
 * an implementation must allow at most `perMinute` requests in any 70-second period, so that no more than that number
 * arrive in any minute.
 */
export type TargetRate = {
  /**
   * Counts one request to a target, or rejects it. Rejected requests don't count.
   *
   * @param target as returned by `rateTargetsOf`
   * @returns `retryAt` is the earliest time when a retry can succeed, in milliseconds since the Unix epoch, or null if
   * the request is allowed
   */
  take(target: string, perMinute: number): Promise<{ allowed: boolean; retryAt: number | null }>;
};

/**
 * How long a request counts toward the rate limit, in milliseconds: one minute, plus the time limit for opening a
 * connection and a margin.
 */
const countedMs = 70_000;

/**
 * Creates a rate limit for a single process.
 *
 * @param clock returns the current time in milliseconds since the Unix epoch
 * @example await createTargetRate(Date.now).take('shop.example', 60) // { allowed: true, retryAt: null }
 */
export function createTargetRate(clock: () => number): TargetRate {
  /** Times of counted requests to each target, oldest first. The target with the most recent request is last. */
  const counted = new Map<string, number[]>();
  return {
    take: async (target, perMinute) => {
      const now = clock();
      // If the clock was set back, previously recorded times can be far in the future.
      const isCounted = (at: number) => Math.abs(now - at) < countedMs;
      for (const [other, times] of counted) {
        if (times.some(isCounted)) break;
        counted.delete(other);
      }
      const times = (counted.get(target) ?? []).filter(isCounted);
      if (times.length >= perMinute) return { allowed: false, retryAt: times[times.length - perMinute]! + countedMs };
      counted.delete(target);
      counted.set(target, [...times, now]);
      return { allowed: true, retryAt: null };
    },
  };
}

/** Hosts that millions of shops load files from: Shopify's CDN and the Tag Manager container host. */
const SHARED_FILE_HOSTS: ReadonlySet<string> = new Set(['cdn.shopify.com', 'www.googletagmanager.com']);

/**
 * Returns the targets that a request counts toward.
 *
 * The first target is the site, so that all hosts of a domain count together. A request without TLS also counts toward
 * each of the server's addresses (for IPv6, its /64 network), because anyone can point any number of domains at someone
 * else's address. With TLS, the certificate proves that the server serves the domain, so shops on a hosting platform
 * count separately even if they share an address.
 *
 * A request to a shared file host counts separately for each scanned site. Otherwise, scans of different shops would
 * share one rate limit, even though a few files per shop don't burden a host that serves millions of shops.
 *
 * @param addresses addresses of the URL's host
 * @param scanned the scanned site
 * @example rateTargetsOf(new URL('https://www.shop.example/'), ['93.184.216.34'], 'shop.example') // ['shop.example']
 * @example rateTargetsOf(new URL('http://shop.example/'), ['93.184.216.34'], 'shop.example') // ['shop.example', '93.184.216.34']
 */
export function rateTargetsOf(url: URL, addresses: readonly string[], scanned: string): string[] {
  if (url.protocol === 'https:' && SHARED_FILE_HOSTS.has(url.hostname)) return [`${url.hostname} for ${scanned}`];
  const literal = literalAddress(url);
  if (literal) return [networkOf(literal)];
  return [...new Set([siteOf(url), ...(url.protocol === 'https:' ? [] : addresses.map(networkOf))])];
}

/**
 * Returns an IPv4 address unchanged. For an IPv6 address, returns the /64 network, because one server can use all of
 * the network's addresses.
 *
 * @example networkOf('2606:4700::1') // '2606:4700:0:0::/64'
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${parts.map(part => part.toString(16)).join(':')}::/64`;
}
