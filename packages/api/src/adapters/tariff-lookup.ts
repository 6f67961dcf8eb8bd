import { type Dataset, type Lookup, type LookupOptions, lookup, type Nomenclature } from '@compliance/core/tariff';

/** Looks up codes in a data set and in the imported HTS export, if any. */
export type LookUp = (codes: readonly string[], options: Omit<LookupOptions, 'nomenclature' | 'dataset'>) => Lookup;

/**
 * Creates a lookup function that uses a data set and the imported HTS export, if any.
 *
 * @throws LookupOptionError from the returned function if the date, a program, or the origin is invalid
 * @example
 * const lookUp = createLookUp(DATASET, null);
 * lookUp(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].status // 'hit'
 */
export function createLookUp(dataset: Dataset, nomenclature: Nomenclature | null): LookUp {
  return (codes, options) => lookup(codes, { ...options, dataset, ...(nomenclature && { nomenclature }) });
}
