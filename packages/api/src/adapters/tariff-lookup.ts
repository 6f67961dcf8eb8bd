import { type Lookup, type LookupOptions, type Nomenclature, prepareLookup } from '@compliance/core/tariff';

/** Looks up codes in the Section 232 lists and, if an HTS export is imported, in the export. */
export type LookUp = (codes: readonly string[], options: Omit<LookupOptions, 'nomenclature'>) => Lookup;

/**
 * Creates a lookup function that keeps one prepared lookup, with its cached results, until a call has different options. Most
 * calls have the same options: today's date, all programs, and no origin.
 *
 * @throws LookupOptionError from the returned function if the date, a program, or the origin is invalid
 * @example
 * const lookUp = createLookUp(null);
 * lookUp(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].status // 'hit'
 */
export function createLookUp(nomenclature: Nomenclature | null): LookUp {
  let prepared: { key: string; lookUp: ReturnType<typeof prepareLookup> } | null = null;
  return (codes, options) => {
    const key = JSON.stringify(options);
    if (prepared?.key !== key) {
      prepared = { key, lookUp: prepareLookup({ ...options, ...(nomenclature && { nomenclature }) }) };
    }
    return prepared.lookUp(codes);
  };
}
