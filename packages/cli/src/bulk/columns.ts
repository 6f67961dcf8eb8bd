import { dutyWords, type LookupResult } from '@compliance/core/tariff';
import type { Shipment } from './row-lookup.ts';

/** Value in a result column: a string, a number, a Boolean, null, or a list. */
export type CsvCell = string | number | boolean | null | readonly (string | number | null)[];

/** Returns the result columns that are the same for all codes with the same listings, date, and origin. */
export function sharedColumns(result: LookupResult, shipment: Shipment, hasExport: boolean): Record<string, CsvCell> {
  const { matches, adjacent_hits } = result;
  const full = matches.filter(match => match.coverage === 'full');
  const listings = full.length > 0 ? full : matches;
  const cited = listings.length > 0 ? listings : adjacent_hits.slice(0, 1);
  const unique = <T>(values: readonly T[]) => [...new Set(values)];
  return {
    status: result.status,
    coverage: result.coverage,
    programs: unique(listings.map(({ program }) => program)),
    lists: unique(listings.map(({ list }) => list)),
    provisions: unique(listings.map(({ hts }) => hts)),
    headings: unique(full.flatMap(({ headings }) => headings)),
    rate_pct: full.map(({ rate_pct }) => rate_pct),
    duty: full.map(dutyWords),
    undecided: unique(full.flatMap(({ undecided }) => undecided)),
    ...(hasExport && { exists: result.exists }),
    as_of: shipment.asOf,
    origin: shipment.origin,
    message: result.message,
    citation: unique(cited.map(({ citation }) => citation)),
    did_you_mean: result.did_you_mean,
  };
}

/** Which of the optional result columns a table contains. */
export interface ResultColumns {
  /** Whether the official HTS export is loaded, which adds the `exists` column. */
  readonly hasExport: boolean;
  /** Whether the list of flagged codes is loaded. */
  readonly hasFlags: boolean;
  /** Whether the table has a customs value column, which adds the duty columns. */
  readonly hasValue: boolean;
}

/** Columns for CPSC's eFiling flag. */
export const FLAG_COLUMNS = ['efiling', 'efiling_rules', 'efiling_message'];
const DUTY_COLUMNS = ['duty_usd', 'duty_includes_column_1', 'duty_depends_on'];

/** Returns the names of the result columns. A name that the table already uses gets the prefix `tariff_`. */
export function columnNames(header: readonly string[], { hasExport, hasFlags, hasValue }: ResultColumns): string[] {
  const names = [
    'row',
    'normalized',
    ...['status', 'coverage', 'programs', 'lists', 'provisions', 'headings', 'rate_pct', 'duty', 'undecided'],
    ...(hasExport ? ['exists'] : []),
    ...['as_of', 'origin', 'message', 'citation', 'did_you_mean'],
    ...(hasFlags ? FLAG_COLUMNS : []),
    ...(hasValue ? DUTY_COLUMNS : []),
  ];
  const taken = new Set(header.map(name => name.trim().toLowerCase()));
  const unique = (name: string): string => (taken.has(name) ? unique(`tariff_${name}`) : name);
  return names.map(unique);
}
