import { type FlaggedResults, type FlagList, withEfilingFlags } from '@compliance/core/entry';
import { type Dataset, type Lookup, type LookupOptions, lookup, type Nomenclature } from '@compliance/core/tariff';

/**
 * A lookup. If the request asks for CPSC's eFiling flags, the lookup includes the flag list's date and source, and each
 * result includes a flag.
 */
export type FlaggedLookup = Lookup & Partial<Pick<FlaggedResults<unknown>, 'efiling'>>;

/** Options for {@link LookUp}. If `efiling` is true, the results contain CPSC's eFiling flags. */
type Options = Omit<LookupOptions, 'nomenclature' | 'dataset'> & { readonly efiling?: boolean | undefined };

/** Looks up codes in a data set and in the imported HTS export, if any. */
export type LookUp = (codes: readonly string[], options: Options) => FlaggedLookup;

/**
 * Creates a lookup function that uses a data set and, if available, the imported HTS export and CPSC's list of flagged
 * codes.
 *
 * @throws LookupOptionError from the returned function if the date, a program, or the origin is invalid
 * @example
 * const lookUp = createLookUp(DATASET, null, null);
 * lookUp(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].status // 'hit'
 */
export function createLookUp(dataset: Dataset, nomenclature: Nomenclature | null, flags: FlagList | null): LookUp {
  return (codes, { efiling = false, ...options }) => {
    const found = lookup(codes, { ...options, dataset, ...(nomenclature && { nomenclature }) });
    return efiling ? { ...found, ...withEfilingFlags(found.results, flags) } : found;
  };
}
