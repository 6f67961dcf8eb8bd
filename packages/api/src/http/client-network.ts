import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';

/** Connection details from the runtime: the second argument of `fetch`, in the shape that @hono/node-server passes. */
export interface Connection {
  /** `remoteAddress` is the IP address of the socket's peer, and `destroyed` is set once the connection is closed. */
  incoming?: { socket?: { remoteAddress?: string | undefined; destroyed?: boolean } | undefined } | undefined;
}

/**
 * Returns the client network for rate limiting: the client's IPv4 address, or the /64 network of its IPv6 address,
 * because a subscriber usually has an entire /64 network. Without trusted proxies, the client is the socket's peer.
 * Each trusted proxy appends its peer's address to `X-Forwarded-For`, so with one trusted proxy, the last entry is the
 * client's address. With two trusted proxies, the client's address is the second-to-last entry, and so on. The client
 * can forge all entries to the left of its own address.
 *
 * @returns `unknown` if the runtime doesn't provide an address
 * @example
 * clientNetwork(c, 1) // '203.0.113.7' or '2001:db8:1:2::/64'
 */
export function clientNetwork(c: Context, trustedProxies: number): string {
  const remoteAddress = (c.env as Connection | undefined)?.incoming?.socket?.remoteAddress;
  const forwarded = trustedProxies > 0 ? (c.req.header('x-forwarded-for')?.split(',') ?? []) : [];
  const hops = [...forwarded, remoteAddress ?? ''].slice(-1 - trustedProxies);
  // An entry that isn't an IP address wasn't appended by a trusted proxy, so try the next entry to the right.
  for (const hop of hops) {
    const network = networkOf(hop.trim());
    if (network) return network;
  }
  return 'unknown';
}

/** Matches an IP address with an optional port, which some proxies append. */
const WITH_PORT = /^(?:\[(.+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

function networkOf(text: string): string | null {
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  const bare = (bracketed ?? dotted ?? text).replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.process(bare);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`);
  return `${network.toString()}/64`;
}
