import { catalog } from '@compliance/core/entry';

/**
 * Returns the sources with the given IDs in the catalog of CPSC rules, and the earliest date when any of these
 * sources was read.
 *
 * @example sourcesOf(['ecfr-1107']) // { known_through: '2026-09-22', sources: ['eCFR: 16 CFR part 1107, https://…'] }
 */
export function sourcesOf(ids: readonly string[]): { known_through: string; sources: string[] } {
  const found = catalog.sources.filter(({ id }) => ids.includes(id));
  return {
    known_through: found.map(({ read }) => read).sort()[0]!,
    sources: found.map(({ title, url, read }) => `${title}, ${url}, read on ${read}`),
  };
}
