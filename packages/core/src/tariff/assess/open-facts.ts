import { type Comparison, comparisonsOf, FACTS, type Fact, type Test } from '../dataset/conditions.ts';
import type { Knowledge, Metal } from './facts.ts';

/** An unknown fact, the metals it refers to, and the comparison that depends on it. */
export interface OpenFact {
  readonly key: string;
  readonly fact: Fact;
  readonly metals: readonly Metal[];
  readonly comparison: Comparison;
}

/** Sample values for an open fact, with at least one value for each possible combination of comparison results. */
export type Samples = readonly Knowledge[];

/** The result of a test, or the open fact that the result depends on. */
export type Verdict = boolean | OpenFact;

/** The known facts and, for each open fact, the sample values that are consistent with the assumptions. */
export interface FactEvidence {
  /** Returns a fact's known value, set of values, or range, or null if nothing is known about the fact. */
  known(fact: Fact): Knowledge;
  /**
   * Returns a fact's sample values that are consistent with the assumptions, or undefined if nothing is assumed about
   * the fact.
   */
  assumed(fact: Fact): Samples | undefined;
  /** Converts the fact in a comparison to an open fact. */
  open(comparison: Comparison): OpenFact;
}

/** Evaluates a test. An undecided part is ignored if another part determines the result. */
export function evaluateTest(test: Test, evidence: FactEvidence): Verdict {
  if ('not' in test) {
    const verdict = evaluateTest(test.not, evidence);
    return typeof verdict === 'boolean' ? !verdict : verdict;
  }
  if ('all' in test) return firstDecisive(test.all, false, evidence);
  if ('any' in test) return firstDecisive(test.any, true, evidence);
  return compareWith(test, evidence) ?? evidence.open(test);
}

function firstDecisive(tests: readonly Test[], decisive: boolean, evidence: FactEvidence): Verdict {
  let open: OpenFact | null = null;
  for (const test of tests) {
    const verdict = evaluateTest(test, evidence);
    if (verdict === decisive) return decisive;
    if (typeof verdict !== 'boolean') open ??= verdict;
  }
  return open ?? !decisive;
}

/** Evaluates a comparison. Returns null if neither the known facts nor the assumptions determine the result. */
function compareWith(comparison: Comparison, evidence: FactEvidence): boolean | null {
  const samples = evidence.assumed(comparison.fact);
  if (samples === undefined) return compare(comparison, evidence.known(comparison.fact));
  const [first, ...others] = samples.map(sample => compareSample(comparison, sample));
  return others.every(holds => holds === first) ? first! : null;
}

/** Evaluates a comparison. Returns null if the known values don't determine the result. */
function compare(comparison: Comparison, known: Knowledge): boolean | null {
  if (known === null) return null;
  if ('is' in comparison) {
    if (typeof known === 'boolean') return known === comparison.is;
    const values = known as readonly (string | boolean)[];
    // The values of `quota` have the form `uk_auto_trq:in_quota` and might not include the status of every quota.
    if (comparison.fact === 'quota' && !values.some(value => quotaOf(value) === quotaOf(comparison.is))) return null;
    return values.includes(comparison.is);
  }
  if ('in_any_window' in comparison) {
    if (typeof known === 'boolean') return known;
    const figures = known as Readonly<Record<string, number>>;
    return comparison.in_any_window.some(window =>
      Object.entries(window).every(([name, [above, below]]) => figures[name]! > above && figures[name]! < below),
    );
  }
  const [low, high] = known as readonly [number, number];
  if ('at_least' in comparison) return low >= comparison.at_least ? true : high < comparison.at_least ? false : null;
  if ('less_than' in comparison) return high < comparison.less_than ? true : low >= comparison.less_than ? false : null;
  return high <= comparison.at_most ? true : low > comparison.at_most ? false : null;
}

/** Evaluates a comparison for a sample value. Returns false if the sample value doesn't determine the result. */
function compareSample(comparison: Comparison, sample: Knowledge): boolean {
  return compare(comparison, sample) ?? false;
}

function quotaOf(value: string | boolean): string {
  return String(value).split(':')[0]!;
}

/** Returns the sample values for a fact, limited to those consistent with its known value, set of values, or range. */
export function samplesOf(fact: Fact, tests: readonly Test[], known: Knowledge): Samples {
  const comparisons = tests.flatMap(comparisonsOf).filter(comparison => comparison.fact === fact);
  const samples = new Map<string, Knowledge>();
  for (const sample of allSamples(fact, comparisons, known)) {
    const holds = comparisons.map(each => compareSample(each, sample));
    const isPossible = comparisons.every((each, index) => (compare(each, known) ?? holds[index]) === holds[index]);
    const key = holds.join();
    if (isPossible && !samples.has(key)) samples.set(key, sample);
  }
  return [...samples.values()];
}

/** Partitions sample values by whether they make a comparison true or false. */
export function splitSamples(comparison: Comparison, samples: Samples): Samples[] {
  const holds = (sample: Knowledge) => compareSample(comparison, sample);
  return [samples.filter(holds), samples.filter(sample => !holds(sample))].filter(({ length }) => length > 0);
}

/** The `choice` facts that can have only one value. Other `choice` facts can have several values. */
const SINGLE_CHOICES: readonly Fact[] = ['end_use'];

function allSamples(fact: Fact, comparisons: readonly Comparison[], known: Knowledge): Knowledge[] {
  switch (FACTS[fact]) {
    case 'flag':
    case 'windows':
      return [true, false];
    case 'choice': {
      const listed = comparisons.flatMap(each => ('is' in each && typeof each.is === 'string' ? [each.is] : []));
      const values = [...new Set(listed)];
      return SINGLE_CHOICES.includes(fact) ? [...values.map(value => [value]), []] : subsets(values);
    }
    case 'number': {
      const [low, high] = (known as readonly [number, number] | null) ?? [0, Number.POSITIVE_INFINITY];
      return [low, ...comparisons.flatMap(limitOf).flatMap(limit => [limit - 1e-6, limit, limit + 1e-6])]
        .filter(value => value >= low && value <= high)
        .map(value => [value, value] as const);
    }
  }
}

function limitOf(comparison: Comparison): number[] {
  if ('at_least' in comparison) return [comparison.at_least];
  if ('less_than' in comparison) return [comparison.less_than];
  return 'at_most' in comparison ? [comparison.at_most] : [];
}

function subsets(values: readonly string[]): string[][] {
  const [first, ...others] = values;
  if (first === undefined) return [[]];
  const rest = subsets(others);
  return [...rest.map(set => [first, ...set]), ...rest];
}
