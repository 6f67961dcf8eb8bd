import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public by every register, and yet a service of the host: Azure's wire server. */
const hostServices = new Set(['168.63.129.16']);

/** 2000::/3, the only part of IPv6 from which IANA gives out global unicast addresses. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Says whether an address lies on the public internet. An allow-list: what is not known to be public is refused.
 *
 * IPv4 must be plain unicast. IPv6 must lie in 2000::/3 outside of every special-purpose block, and must not carry an
 * IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo, ISATAP): such an address ends somewhere else than it says.
 * Zone ids, shortened and octal forms are refused as well; a resolver never answers with them.
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

/** RFC 5214 §6.1: the interface identifier is 0000:5efe or 0200:5efe and an IPv4 address, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200);
}
