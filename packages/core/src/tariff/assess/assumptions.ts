import type { Test } from '../dataset/conditions.ts';
import { comparisonsOf } from '../dataset/conditions.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Condition } from '../lookup/duty.ts';
import { formatHtsCode } from '../nomenclature/hts-code.ts';

/** A condition that is assumed to be either met or not met. */
export interface Assumption extends Condition {
  holds: boolean;
}

/** Assumptions that lead to the same result for all HTS numbers in `codes`. */
export interface AssumptionSet {
  /** HTS numbers that an incomplete code could refer to. Null represents numbers that aren't on any list. */
  readonly codes: readonly (string | null)[];
  readonly assumptions: readonly Assumption[];
}

/** Returns equivalent sets with fewer assumptions. Conditions that don't affect the result are removed. */
export function simplify(sets: readonly AssumptionSet[], dataset: Dataset): AssumptionSet[] {
  let current = unite(sets.map(set => ({ ...set, assumptions: withoutImplied(set.assumptions, dataset) })));
  for (;;) {
    const merged = mergeOne(current);
    if (!merged) return withoutNarrower(current);
    current = unite(merged);
  }
}

/**
 * Returns an assumption that states which HTS numbers a set applies to, or null if the set applies to every number that
 * the submitted code could refer to.
 */
export function codeAssumption(
  codes: readonly (string | null)[],
  all: readonly (string | null)[],
  submitted: string,
): Assumption | null {
  if (codes.length === all.length) return null;
  const named = codes.flatMap(code => (code === null ? [] : [formatHtsCode(code)])).sort();
  const other = `a number under ${formatHtsCode(submitted)} that isn't on any list`;
  const unlisted = codes.includes(null) ? `, or ${other}` : '';
  const text =
    named.length === 0
      ? `the HTS number is ${other}`
      : `the HTS number is ${named.length > 1 ? 'one of ' : ''}${named.join(', ')}${unlisted}`;
  return { id: 'code', text, holds: true };
}

/** Combines sets with the same assumptions. */
function unite(sets: readonly AssumptionSet[]): AssumptionSet[] {
  const united = new Map<string, { codes: Set<string | null>; assumptions: readonly Assumption[] }>();
  for (const { codes, assumptions } of sets) {
    const known = united.get(keyOf(assumptions));
    if (known) for (const code of codes) known.codes.add(code);
    else united.set(keyOf(assumptions), { codes: new Set(codes), assumptions });
  }
  return [...united.values()].map(({ codes, assumptions }) => ({ codes: [...codes], assumptions }));
}

/**
 * Merges the first two sets that differ only in whether one condition is met, or returns null if no sets can be merged.
 */
function mergeOne(sets: readonly AssumptionSet[]): AssumptionSet[] | null {
  const opposites = new Map<string, AssumptionSet>();
  for (const set of sets) {
    for (const assumption of set.assumptions) {
      const rest = set.assumptions.filter(each => each !== assumption);
      const key = `${set.codes.join()} ${keyOf(rest)} ${assumption.id}`;
      const opposite = opposites.get(`${key} ${!assumption.holds}`);
      if (opposite) {
        const others = sets.filter(each => each !== set && each !== opposite);
        return [...others, { codes: set.codes, assumptions: rest }];
      }
      opposites.set(`${key} ${assumption.holds}`, set);
    }
  }
  return null;
}

/** Removes sets that another set already covers. */
function withoutNarrower(sets: readonly AssumptionSet[]): AssumptionSet[] {
  const keys = sets.map(({ assumptions }) => new Set(assumptions.map(keyOfOne)));
  return sets.filter(
    ({ codes }, index) =>
      !sets.some(
        (other, at) =>
          at !== index &&
          codes.every(code => other.codes.includes(code)) &&
          [...keys[at]!].every(key => keys[index]!.has(key)) &&
          (keys[at]!.size < keys[index]!.size || other.codes.length > codes.length || at < index),
      ),
  );
}

/** Removes the assumption that an end-use condition isn't met if an assumed end use already implies that assumption. */
function withoutImplied(assumptions: readonly Assumption[], { conditions }: Dataset): readonly Assumption[] {
  const testOf = (id: string): Test => conditions[id]!.test;
  const hasEndUse = assumptions.some(({ id, holds }) => holds && isEndUse(testOf(id)));
  if (!hasEndUse) return assumptions;
  return assumptions.filter(
    ({ id, holds }) => holds || comparisonsOf(testOf(id)).some(({ fact }) => fact !== 'end_use'),
  );
}

function isEndUse(test: Test): boolean {
  return 'is' in test && test.fact === 'end_use';
}

function keyOf(assumptions: readonly Assumption[]): string {
  return assumptions.map(keyOfOne).sort().join();
}

function keyOfOne({ id, holds }: Assumption): string {
  return `${id}:${holds}`;
}
