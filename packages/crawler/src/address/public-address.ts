import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address of Azure's WireServer, an internal host service. The IANA registries classify this address as public. */
const hostServices = new Set(['168.63.129.16']);

/** IPv6 block 2000::/3, the only block that IANA uses for global unicast addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is on the public internet. Uses an allowlist, so every address that isn't known to be
 * public is rejected.
 *
 * IPv4 addresses must be unicast. IPv6 addresses must be in 2000::/3, outside all special-purpose blocks. They must not
 * embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), because traffic might be routed to the
 * embedded address. Addresses with a zone ID or in a shortened or octal form are also rejected, because resolvers never
 * return them.
 *
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and updates), and RFC 5214 for ISATAP.
 *
 * @example isPublicAddress('93.184.216.34') // true
 * @example isPublicAddress('::ffff:93.184.216.34') // false
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !hostServices.has(parsed.toString());
  return parsed instanceof ipaddr.IPv6 && parsed.match(globalUnicast) && !isIsatap(parsed);
}

/**
 * Returns whether the address is an ISATAP address: any prefix, then 0000:5efe or 0200:5efe, then an IPv4 address (RFC
 * 5214 §6.1).
 */
function isIsatap(address: ipaddr.IPv6): boolean {
  return address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200);
}
