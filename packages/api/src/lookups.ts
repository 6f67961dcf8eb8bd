import { type Lookup, type LookupOptions, type Nomenclature, prepareLookup } from '@compliance/core/tariff';

/** Looks codes up in the Section 232 lists, by the HTS export that was imported, if one was. */
export type LookUp = (codes: readonly string[], options: Omit<LookupOptions, 'nomenclature'>) => Lookup;

/**
 * Most callers ask for today, the metals and no origin. So a look-up stays prepared, with what it has found, until other
 * options are asked.
 *
 * @throws LookupOptionError, from the function that it gives, when the date, a program or the origin is none
 * @example
 * const lookUp = createLookUp(null);
 * lookUp(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].status // 'hit'
 */
export function createLookUp(nomenclature: Nomenclature | null): LookUp {
  let last: { asked: string; lookUp: ReturnType<typeof prepareLookup> } | null = null;
  return (codes, options) => {
    const asked = JSON.stringify(options);
    if (last?.asked !== asked) {
      last = { asked, lookUp: prepareLookup({ ...options, ...(nomenclature && { nomenclature }) }) };
    }
    return last.lookUp(codes);
  };
}
