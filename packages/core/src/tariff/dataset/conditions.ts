/**
 * The facts about an article that conditions refer to, and how each is compared: `choice` with a listed value, `flag` with
 * true or false, `number` with a limit, and `windows` with ranges of several numbers.
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
  /** Weight of the metals whose lists contain the code, as a share of the article's weight. */
  metal_weight_pct: 'number',
  /** Lowest US-origin share among the metals whose lists contain the code. */
  us_metal_pct: 'number',
  /** Highest UK-origin share among the metals whose lists contain the code. */
  uk_metal_pct: 'number',
  /** Year of entry minus model year. */
  vehicle_age_years: 'number',
  technical: 'windows',
} as const;

/** A fact that conditions refer to. */
export type Fact = keyof typeof FACTS;

/** A comparison of one fact. */
export type Comparison =
  | { fact: Fact; is: string | boolean }
  | { fact: Fact; at_least: number }
  | { fact: Fact; less_than: number }
  | { fact: Fact; at_most: number }
  | { fact: Fact; in_any_window: Record<string, [above: number, below: number]>[] };

/** When a condition holds: a comparison, or a combination of tests. */
export type Test = Comparison | { not: Test } | { all: Test[] } | { any: Test[] };

/** A named condition of a duty. */
export interface ConditionDefinition {
  text: string;
  /** Chapters whose articles the condition can't apply to. */
  except_chapters?: string[];
  test: Test;
}

/**
 * Returns the comparisons of a test.
 *
 * @example comparisonsOf({ not: { fact: 'end_use', is: 'research' } }) // [{ fact: 'end_use', is: 'research' }]
 */
export function comparisonsOf(test: Test): Comparison[] {
  if ('not' in test) return comparisonsOf(test.not);
  if ('all' in test) return test.all.flatMap(comparisonsOf);
  if ('any' in test) return test.any.flatMap(comparisonsOf);
  return [test];
}
