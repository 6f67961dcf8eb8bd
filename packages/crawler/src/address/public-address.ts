import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address of Azure's WireServer, an internal host service. The registries classify the address as public. */
const hostServices = new Set(['168.63.129.16']);

/** IPv6 block 2000::/3, the only one in which IANA assigns global unicast addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is on the public internet. The check is an allow list: it rejects addresses that aren't
 * known to be public.
 *
 * IPv4 addresses must be unicast. IPv6 addresses must be in 2000::/3, outside all special-purpose blocks, and must not embed
 * an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), because traffic would go to the embedded address.
 * Zone IDs, shortened forms, and octal forms are also rejected, because a resolver never returns them.
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and updates), RFC 5214 for ISATAP.
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

/** RFC 5214 §6.1: the interface identifier is 0000:5efe or 0200:5efe followed by an IPv4 address, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200);
}
