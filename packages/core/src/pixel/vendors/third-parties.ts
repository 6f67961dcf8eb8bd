import thirdPartyWeb from 'third-party-web/httparchive-nostats-subset.js';

/**
 * The company behind a host that is none of the known tags, and what it does.
 *
 * @example companyOf('static.hotjar.com') // { company: 'Hotjar', category: 'analytics' }
 */
export function companyOf(host: string): { company: string; category: string } | null {
  // The library searches by expression; a host name is never longer than this.
  if (host.length > 253) return null;
  const entity = thirdPartyWeb.getEntity(`https://${host}/`);
  return entity ? { company: entity.company ?? entity.name, category: entity.category } : null;
}
