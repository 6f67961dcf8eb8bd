import { type EfilingFlag, efilingFlag, type FlagList } from '@compliance/core/entry';

/** CPSC's eFiling flag for a variant's code, and the date of CPSC's list. The date is null if the list isn't loaded. */
export type VariantFlag = Pick<EfilingFlag, 'status' | 'groups' | 'likely_rules'> & { readonly asOf: string | null };

/**
 * Returns CPSC's flag for a code in HTS notation, or null if there's no valid code.
 *
 * @example flagOf('6506.10.30.45', null)?.status // 'not_loaded'
 */
export function flagOf(printed: string | null, flags: FlagList | null): VariantFlag | null {
  if (printed === null) return null;
  const { status, groups, likely_rules } = efilingFlag(printed.replaceAll('.', ''), flags);
  return { status, groups, likely_rules, asOf: flags?.as_of ?? null };
}
