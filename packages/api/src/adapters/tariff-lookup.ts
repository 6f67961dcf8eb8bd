import { type Lookup, type LookupOptions, lookup, type Nomenclature } from '@compliance/core/tariff';

/** Looks up codes in the Section 232 lists and in the imported HTS export, if any. */
export type LookUp = (codes: readonly string[], options: Omit<LookupOptions, 'nomenclature'>) => Lookup;

/**
 * Creates a lookup function that uses the imported HTS export, if any.
 *
 * @throws LookupOptionError from the returned function if the date, a program, or the origin is invalid
 * @example
 * const lookUp = createLookUp(null);
 * lookUp(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].status // 'hit'
 */
export function createLookUp(nomenclature: Nomenclature | null): LookUp {
  return (codes, options) => lookup(codes, { ...options, ...(nomenclature && { nomenclature }) });
}
