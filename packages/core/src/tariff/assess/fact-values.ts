import { comparisonsOf, type Fact } from '../dataset/conditions.ts';
import { DATASET, type Dataset } from '../dataset/dataset.ts';

/** Values that an assessment needs from a data set's headings and conditions, computed once. */
export interface FactValues {
  /** For each `choice` fact, the values that conditions compare it with. */
  readonly listed: ReadonlyMap<Fact, ReadonlySet<string>>;
  /** Names of the quotas that conditions refer to. */
  readonly quotas: readonly string[];
  /** Codes that alternative headings are limited to. */
  readonly headingLimits: readonly string[];
  /** Chapter 99 headings that depend on a certification. */
  readonly certifiedHeadings: ReadonlySet<string>;
}

const known = new WeakMap<Dataset, FactValues>();

/** Returns a data set's fact values, which are computed on the first call for that data set. */
export function factValuesOf(dataset: Dataset): FactValues {
  let values = known.get(dataset);
  if (!values) known.set(dataset, (values = readFactValues(dataset)));
  return values;
}

/** Names of the quotas that the bundled data set's conditions refer to. */
export const QUOTAS: readonly string[] = factValuesOf(DATASET).quotas;

function readFactValues({ conditions, headings }: Dataset): FactValues {
  const listed = new Map<Fact, Set<string>>();
  for (const { test } of Object.values(conditions)) {
    for (const comparison of comparisonsOf(test)) {
      if (!('is' in comparison) || typeof comparison.is !== 'string') continue;
      const values = listed.get(comparison.fact) ?? new Set();
      listed.set(comparison.fact, values.add(comparison.is));
    }
  }
  const isCertified = (id: string) => comparisonsOf(conditions[id]!.test).some(({ fact }) => fact === 'certification');
  return {
    listed,
    quotas: [...new Set([...(listed.get('quota') ?? [])].map(value => value.split(':')[0]!))],
    headingLimits: [...new Set(headings.flatMap(({ codes = [] }) => codes))],
    certifiedHeadings: new Set(
      headings.filter(({ when }) => when.some(isCertified)).flatMap(heading => heading.headings),
    ),
  };
}
