/**
 * Article facts that conditions refer to, with each fact's kind. A `choice` is compared with a listed value, a `flag`
 * with true or false, a `number` with a limit, and `windows` with ranges of several numbers.
 */
export const FACTS = {
  certification: 'choice',
  commerce_approval: 'choice',
  commerce_authorization: 'choice',
  company_agreement: 'choice',
  end_use: 'choice',
  quota: 'choice',
  smelted_or_cast_in: 'choice',
  melted_and_poured_in: 'choice',
  usmca_qualifying: 'flag',
  patented: 'flag',
  generic: 'flag',
  thermal_imaging: 'flag',
  column1_rate_pct: 'number',
  /** Combined weight of the metals whose lists contain the code, as a percentage of the article's weight. */
  metal_weight_pct: 'number',
  /** Lowest percentage of US-origin metal among the metals whose lists contain the code. */
  us_metal_pct: 'number',
  /** Highest percentage of UK-origin metal among the metals whose lists contain the code. */
  uk_metal_pct: 'number',
  /** Vehicle age in years: the year of entry minus the model year. */
  vehicle_age_years: 'number',
  technical: 'windows',
} as const;

/** A fact that conditions refer to. */
export type Fact = keyof typeof FACTS;

/** A comparison of a fact with a value, a limit, or ranges. */
export type Comparison =
  | { fact: Fact; is: string | boolean }
  | { fact: Fact; at_least: number }
  | { fact: Fact; less_than: number }
  | { fact: Fact; at_most: number }
  | { fact: Fact; in_any_window: Record<string, [above: number, below: number]>[] };

/** A test of whether a condition is met: either a comparison or a combination of tests. */
export type Test = Comparison | { not: Test } | { all: Test[] } | { any: Test[] };

/** A condition that a duty can depend on. */
export interface ConditionDefinition {
  text: string;
  /** Chapters in which the condition doesn't apply. */
  except_chapters?: string[];
  test: Test;
}

/**
 * Returns all comparisons in a test.
 *
 * @example comparisonsOf({ not: { fact: 'end_use', is: 'research' } }) // [{ fact: 'end_use', is: 'research' }]
 */
export function comparisonsOf(test: Test): Comparison[] {
  if ('not' in test) return comparisonsOf(test.not);
  if ('all' in test) return test.all.flatMap(comparisonsOf);
  if ('any' in test) return test.any.flatMap(comparisonsOf);
  return [test];
}
