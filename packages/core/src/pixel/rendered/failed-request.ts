import { readBeacons } from '../beacons/read-beacons.ts';
import { looseUrl } from '../html/url.ts';
import type { Vendor } from '../model/vendor.ts';
import { vendorOfHost } from '../vendors/known-urls.ts';

/** How a request ended in the browser. */
export interface EndedRequest {
  readonly url: string;
  readonly body: string | null;
  /** HTTP status, or `null` if there was no response. */
  readonly status: number | null;
  /** Reason that the browser blocked the request, such as `csp`, or `null` if the browser didn't block it. */
  readonly blocked: string | null;
  /** Whether the proxy refused the connection because the host doesn't exist. The default is `false`. */
  readonly unresolved?: boolean;
}

/**
 * A failed request to a vendor. `reason` is `policy` if the page's own content security policy blocked the request,
 * `unresolved` if the host doesn't exist, and `status` if the vendor responded with an error. `url` omits the query
 * string, which can contain personal data.
 */
export interface FailedRequest {
  readonly vendor: Vendor;
  readonly url: string;
  /** Name of the event that the request would have reported, or `null` if the request isn't a beacon. */
  readonly event: string | null;
  readonly reason: 'policy' | 'unresolved' | 'status';
  readonly status: number | null;
}

const MAX_URL = 200;

/**
 * Returns how a request to a vendor failed. Returns `null` if the request succeeded, isn't for a known vendor, or might
 * have failed because of a renderer limitation, such as a connection refused by its proxy.
 *
 * @example
 * failedRequest({ url: 'https://connect.facebook.net/old.js', body: null, status: 404, blocked: null })?.reason
 * // 'status'
 */
export function failedRequest({ url, body, status, blocked, unresolved = false }: EndedRequest): FailedRequest | null {
  const isBlocked = blocked === 'csp';
  if (!isBlocked && !unresolved && !isErrorStatus(url, status)) return null;
  const [beacon] = readBeacons({ url, body });
  const vendor = beacon?.vendor ?? vendorOfHost(looseUrl(url).host);
  if (vendor === null) return null;
  return {
    ...{ vendor, url: url.replace(/[?#].*/s, '').slice(0, MAX_URL), event: beacon?.event ?? null },
    ...(isBlocked
      ? { reason: 'policy', status: null }
      : unresolved
        ? { reason: 'unresolved', status: null }
        : { reason: 'status', status }),
  };
}

/** Statuses that the renderer's proxy returns when it refuses a plain HTTP request. */
const PROXY_STATUSES = [403, 502];

const isErrorStatus = (url: string, status: number | null): boolean =>
  status !== null && status >= 400 && !(url.startsWith('http:') && PROXY_STATUSES.includes(status));
