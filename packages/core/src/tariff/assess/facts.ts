import { comparisonsOf, FACTS, type Fact, type Test } from '../dataset/conditions.ts';
import { parseOrigin } from '../dataset/origins.ts';
import type { FactValues } from './fact-values.ts';

/** A metal with its own Section 232 lists. */
export type Metal = 'steel' | 'aluminum' | 'copper';

/** An amount in US dollars, as a number or as a decimal string that preserves every digit. */
export type Money = number | string;

/** Possible quota statuses for an entry. */
export const QUOTA_STATUSES = ['in_quota', 'over_quota'] as const;

/** Facts about an article. A fact is unknown if its field is absent or null. Rates and shares are percentages. */
export interface AssessFacts {
  /** Customs value of the entire entry line. */
  customs_value?: Money | null | undefined;
  /** The ad valorem column 1 rate, or the ad valorem equivalent of a specific rate. */
  column1_rate_pct?: number | null | undefined;
  /** The special program indicator claimed for the column 1 special rate, such as `KR`. */
  column1_program?: string | null | undefined;
  /** The column 2 rate, which applies to products of Belarus, Cuba, North Korea, and Russia. */
  column2_rate_pct?: number | null | undefined;
  steel_value?: Money | null | undefined;
  aluminum_value?: Money | null | undefined;
  copper_value?: Money | null | undefined;
  /** Steel as a share of the article's weight. */
  steel_weight_pct?: number | null | undefined;
  aluminum_weight_pct?: number | null | undefined;
  copper_weight_pct?: number | null | undefined;
  /** Share of each metal that was melted and poured, or smelted and cast, in the United States. */
  us_origin_pct?: MetalShares | null | undefined;
  /** Share of each metal that was melted and poured, or smelted and cast, in the United Kingdom. */
  uk_origin_pct?: MetalShares | null | undefined;
  /** Countries where the steel was melted and poured, as ISO alpha-2 codes or `unknown`. */
  melted_and_poured_in?: string | string[] | null | undefined;
  /** Countries where the aluminum or copper was smelted or cast, as ISO alpha-2 codes or `unknown`. */
  smelted_or_cast_in?: string | string[] | null | undefined;
  us_content_value?: Money | null | undefined;
  usmca_qualifying?: boolean | null | undefined;
  certification?: string | string[] | null | undefined;
  commerce_approval?: string | string[] | null | undefined;
  commerce_authorization?: string | string[] | null | undefined;
  company_agreement?: string | string[] | null | undefined;
  end_use?: string | null | undefined;
  /** Status by quota name, such as `{ uk_auto_trq: 'in_quota' }`. */
  quota?: Readonly<Record<string, (typeof QUOTA_STATUSES)[number] | null | undefined>> | null | undefined;
  /**
   * Either a flag that indicates whether the article's performance is within a range specified in U.S. note 39(b), or
   * the performance figures themselves.
   */
  technical?: boolean | { total_processing_performance: number; dram_bandwidth_gb_s: number } | null | undefined;
  patented?: boolean | null | undefined;
  generic?: boolean | null | undefined;
  thermal_imaging?: boolean | null | undefined;
  model_year?: number | null | undefined;
  /** Duties outside Section 232 that the caller declares, each as an amount or as a percentage of the customs value. */
  other_duties?: readonly OtherDuty[] | null | undefined;
}

/** Each metal's share, as a percentage. */
export type MetalShares = Readonly<Partial<Record<Metal, number | null | undefined>>>;

/** A duty outside Section 232. An amount takes precedence over a rate. */
export interface OtherDuty {
  program: string;
  rate_pct?: number | null | undefined;
  amount?: Money | null | undefined;
}

/** Inclusive range of possible values for a numeric fact. The endpoints are equal if the value is known exactly. */
type NumberRange = readonly [low: number, high: number];

/** A fact's known value, set of values, or range, or null if nothing is known about the fact. */
export type Knowledge = readonly string[] | boolean | NumberRange | Readonly<Record<string, number>> | null;

/** Facts whose values are country codes. Any country code is a valid value for these facts. */
const COUNTRY_FACTS: readonly Fact[] = ['smelted_or_cast_in', 'melted_and_poured_in'];

/**
 * Returns everything that the caller's facts reveal about a fact in the data set.
 *
 * @param metals the metals whose lists contain the code, which determine the facts about metal weight and origin
 * @param asOf the date of entry, used to compute a vehicle's age
 * @param values the data set's fact values
 */
export function knowledgeOf(
  facts: AssessFacts,
  fact: Fact,
  metals: readonly Metal[],
  asOf: string,
  values: FactValues,
): Knowledge {
  switch (fact) {
    case 'metal_weight_pct': {
      const known = metals.map(metal => facts[`${metal}_weight_pct`] ?? null);
      const sum = Math.min(
        100,
        known.reduce<number>((total, share) => total + (share ?? 0), 0),
      );
      return known.includes(null) ? (sum > 0 ? [sum, 100] : null) : [sum, sum];
    }
    case 'us_metal_pct': {
      const known = metals.map(metal => metalShare(facts, facts.us_origin_pct, metal, 'US'));
      const lowest = Math.min(100, ...known.filter(share => share !== null));
      return known.includes(null) ? (lowest < 100 ? [0, lowest] : null) : [lowest, lowest];
    }
    case 'uk_metal_pct': {
      const known = metals.map(metal => metalShare(facts, facts.uk_origin_pct, metal, 'GB'));
      const highest = Math.max(0, ...known.filter(share => share !== null));
      return known.includes(null) ? (highest > 0 ? [highest, 100] : null) : [highest, highest];
    }
    case 'vehicle_age_years': {
      if (facts.model_year == null) return null;
      const age = Number(asOf.slice(0, 4)) - facts.model_year;
      return [age, age];
    }
    case 'column1_rate_pct':
      return facts.column1_rate_pct == null ? null : [facts.column1_rate_pct, facts.column1_rate_pct];
    case 'quota':
      return values.quotas.flatMap(name => (facts.quota?.[name] == null ? [] : [`${name}:${facts.quota[name]}`]));
    case 'technical':
    case 'usmca_qualifying':
    case 'patented':
    case 'generic':
    case 'thermal_imaging':
      return facts[fact] ?? null;
    case 'smelted_or_cast_in':
      // Aluminum that is entirely of US origin can't have been smelted or cast in another country.
      if (facts.smelted_or_cast_in == null && facts.us_origin_pct?.aluminum === 100) return ['US'];
      return facts.smelted_or_cast_in == null ? null : asArray(facts.smelted_or_cast_in).map(normalizeCountry);
    default: {
      const value = facts[fact];
      if (value == null) return null;
      const stated = asArray(value).map(each => (COUNTRY_FACTS.includes(fact) ? normalizeCountry(each) : each));
      const isKnown = (each: string) =>
        COUNTRY_FACTS.includes(fact) || each === 'other' || each === 'none' || values.listed.get(fact)?.has(each);
      return stated.every(isKnown) ? stated : null;
    }
  }
}

/** A field of the caller's facts, with its possible values if the field has a fixed set of values. */
interface FactField {
  readonly field: string;
  readonly values: string[];
}

/**
 * Returns the fields of the caller's facts that determine a data set fact, with the possible values that are relevant
 * to the tests.
 */
export function factFields(
  fact: Fact,
  tests: readonly Test[],
  metals: readonly Metal[],
  facts: AssessFacts,
  { quotas }: FactValues,
): FactField[] {
  const listed = tests
    .flatMap(comparisonsOf)
    .flatMap(each => (each.fact === fact && 'is' in each && typeof each.is === 'string' ? [each.is] : []));
  switch (fact) {
    case 'metal_weight_pct':
      return metals
        .filter(metal => facts[`${metal}_weight_pct`] == null)
        .map(metal => ({ field: `${metal}_weight_pct`, values: [] }));
    case 'us_metal_pct':
      return sharesWithout('us_origin_pct', metals, facts);
    case 'uk_metal_pct':
      return sharesWithout('uk_origin_pct', metals, facts);
    case 'vehicle_age_years':
      return [{ field: 'model_year', values: [] }];
    case 'quota':
      return quotas
        .filter(name => facts.quota?.[name] == null && listed.some(value => value.startsWith(`${name}:`)))
        .map(name => ({ field: `quota.${name}`, values: [...QUOTA_STATUSES] }));
    default: {
      const values = FACTS[fact] === 'flag' ? ['true', 'false'] : [...new Set(listed)];
      const rest = FACTS[fact] === 'choice' && !COUNTRY_FACTS.includes(fact);
      return [{ field: fact, values: [...values, ...(rest ? [fact === 'end_use' ? 'other' : 'none'] : [])] }];
    }
  }
}

function sharesWithout(
  field: 'us_origin_pct' | 'uk_origin_pct',
  metals: readonly Metal[],
  facts: AssessFacts,
): FactField[] {
  return metals
    .filter(metal => facts[field]?.[metal] == null)
    .map(metal => ({ field: `${field}.${metal}`, values: [] }));
}

/**
 * Returns the path of an origin share that contradicts the countries where the metal was made, or null if there is no
 * contradiction.
 */
export function contradictionIn(facts: AssessFacts): string | null {
  for (const [field, country] of [['us_origin_pct', 'US'] as const, ['uk_origin_pct', 'GB'] as const]) {
    for (const metal of ['steel', 'aluminum', 'copper'] as const) {
      const share = facts[field]?.[metal];
      const countries = countriesOf(facts, metal);
      if (share == null || countries === null) continue;
      const isPossible = countries.includes(country)
        ? share > 0 && share < 100 === countries.length > 1
        : share === 0 || (share < 100 && countries.includes('unknown'));
      if (!isPossible) return `${field}.${metal}`;
    }
  }
  return null;
}

function metalShare(
  facts: AssessFacts,
  shares: AssessFacts['us_origin_pct'],
  metal: Metal,
  country: string,
): number | null {
  return shares?.[metal] ?? shareByCountry(facts, metal, country);
}

/**
 * Returns the percentage of a metal made in a country, or null if the percentage can't be determined from the countries
 * where the metal was made.
 */
function shareByCountry(facts: AssessFacts, metal: Metal, country: string): number | null {
  const countries = countriesOf(facts, metal);
  if (countries === null || countries.includes('unknown')) return null;
  if (countries.length > 1 && countries.includes(country)) return null;
  return countries.includes(country) ? 100 : 0;
}

/** Returns the countries where a metal was made, or null if they aren't known. */
function countriesOf(facts: AssessFacts, metal: Metal): string[] | null {
  const made = metal === 'steel' ? facts.melted_and_poured_in : facts.smelted_or_cast_in;
  return made == null ? null : [...new Set(asArray(made).map(normalizeCountry))];
}

function normalizeCountry(text: string): string {
  return text === 'unknown' ? text : parseOrigin(text)!;
}

function asArray(value: string | string[]): string[] {
  return typeof value === 'string' ? [value] : value;
}
