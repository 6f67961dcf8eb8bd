import thirdPartyWeb from 'third-party-web/httparchive-nostats-subset.js';

/**
 * Returns the name and category of the company that owns a host, or `null` if the host is unknown.
 *
 * @example companyOf('static.hotjar.com') // { company: 'Hotjar', category: 'analytics' }
 */
export function companyOf(host: string): { company: string; category: string } | null {
  // The library searches with a regular expression, so skip text that is longer than any valid hostname.
  if (host.length > 253) return null;
  const entity = thirdPartyWeb.getEntity(`https://${host}/`);
  return entity ? { company: entity.company ?? entity.name, category: entity.category } : null;
}
