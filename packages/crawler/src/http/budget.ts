import type { CrawlLimits } from '../limits.ts';
import { networkOf } from '../rate/target-rate.ts';
import { ScanFailed } from '../scan-failed.ts';

/**
 * Remaining requests and bytes for one scan. Every request for a page, script, or robots.txt file counts toward this
 * budget.
 */
export type Budget = {
  /**
   * Counts one request.
   *
   * @param addresses addresses of the host; the request counts toward each of them, because one server can have
   * several names
   * @throws ScanFailed with `over_limit` if the scan, the host, or one of the addresses has no requests left
   */
  countRequest(hostname: string, addresses: readonly string[]): void;
  /**
   * Reserves a number of requests for later. `countRequest` doesn't use the reserved requests until the next call to
   * `reserve`, which replaces the reservation.
   */
  reserve(requests: number): void;
  /** Number of bytes left for all response bodies. */
  bytes: number;
};

/**
 * Creates the budget for one scan.
 *
 * @example createBudget(defaultCrawlLimits).countRequest('shop.example', ['93.184.216.34'])
 */
export function createBudget({ requests, requestsPerHost, totalBytes }: CrawlLimits): Budget {
  const perHost = new Map<string, number>();
  let sent = 0;
  let reserved = 0;
  return {
    countRequest(hostname, addresses) {
      const hosts = [...new Set([hostname, ...addresses.map(networkOf)])];
      const busiest = Math.max(...hosts.map(host => perHost.get(host) ?? 0));
      if (sent + reserved >= requests || busiest + reserved >= requestsPerHost) throw new ScanFailed('over_limit');
      sent += 1;
      for (const host of hosts) perHost.set(host, (perHost.get(host) ?? 0) + 1);
    },
    reserve(requests) {
      reserved = requests;
    },
    bytes: totalBytes,
  };
}
