import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';

/** What the runtime knows of a request's connection: the second argument of `fetch`, in the shape of @hono/node-server's. */
export interface Connection {
  /** `remoteAddress` is the other end of the socket. */
  incoming?: { socket?: { remoteAddress?: string | undefined } | undefined } | undefined;
}

/**
 * The client by which limits by address count: an IPv4 address, or the /64 network of an IPv6 one, since a single
 * subscriber holds a whole /64. It is the other end of the socket, unless `trustedProxies` proxies of ours stand before
 * the service: each adds the address it saw to `X-Forwarded-For`, so the client is that many places from its end. What
 * stands further left is whatever the client wrote there.
 *
 * @example
 * clientOf(c, 1) // '203.0.113.7', '2001:db8:1:2::/64', or 'unknown' where the runtime does not tell
 */
export function clientOf(c: Context, trustedProxies: number): string {
  const remoteAddress = (c.env as Connection | undefined)?.incoming?.socket?.remoteAddress;
  const forwarded = trustedProxies > 0 ? (c.req.header('x-forwarded-for')?.split(',') ?? []) : [];
  const hops = [...forwarded, remoteAddress ?? ''].slice(-1 - trustedProxies);
  // A hop that is no address was not written by a proxy of ours; the next one to the right was.
  for (const hop of hops) {
    const client = networkOf(hop.trim());
    if (client) return client;
  }
  return 'unknown';
}

/** Some proxies add the port. */
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
