import {
  type AlternativeHeading,
  type Batch,
  type Dataset,
  type DatasetName,
  nameOf,
  type Term,
} from '../dataset/dataset.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';

/**
 * A value that two data sets define differently. `before` or `after` is null if only the other data set defines the
 * value.
 */
export interface Change<T> {
  /** Value name, such as a source ID. */
  name: string;
  before: T | null;
  after: T | null;
}

/** A provision's period on a list, with the facts that the list states for that period. */
export interface DatedProvision extends Omit<Batch, 'provisions'> {
  hts: string;
  conditions: string[];
  caveats: string[];
}

/** The differences between two data sets. A change to a list's title, note, or role is in `lists`. */
export interface DatasetDiff {
  before: DatasetName;
  after: DatasetName;
  programs: Change<string>[];
  lists: Change<object>[];
  terms: (Change<Term> & { list: string })[];
  provisions: (Change<DatedProvision> & { list: string })[];
  headings: Change<AlternativeHeading>[];
  /** Whether the data sets order their shared headings differently. */
  headings_reordered: boolean;
  removals: Change<object>[];
  stacking: Change<object>[];
  sources: Change<object>[];
  conditions: Change<object>[];
  caveats: Change<string>[];
  /** Names of the reviewed-fact groups that differ. */
  reviewed: string[];
}

/**
 * Compares two data sets fact by fact. Provisions are matched by digits and start date, so setting a provision's end
 * date counts as a single change.
 *
 * @example compareDatasets(DATASET, DATASET).provisions // []
 */
export function compareDatasets(before: Dataset, after: Dataset): DatasetDiff {
  const lists = (dataset: Dataset) => new Map(dataset.lists.map(list => [list.id, list]));
  const [listsBefore, listsAfter] = [lists(before), lists(after)];
  const ids = [...new Set([...listsBefore.keys(), ...listsAfter.keys()])].sort();
  const perList = <T extends object>(valuesOf: (list: Dataset['lists'][number]) => Map<string, T>) =>
    ids.flatMap(list => {
      const [a, b] = [listsBefore.get(list), listsAfter.get(list)];
      const changes = changesOf(a ? valuesOf(a) : new Map<string, T>(), b ? valuesOf(b) : new Map<string, T>());
      return changes.map(change => ({ list, ...change }));
    });
  const described = (dataset: Dataset) =>
    new Map(dataset.lists.map(({ terms: _, batches: __, ...list }) => [list.id, list]));
  const record = <T>(values: Record<string, T>) => new Map(Object.entries(values));
  const headingsBefore = headingsOf(before);
  const headingsAfter = headingsOf(after);
  const shared = (own: Map<string, unknown>, other: Map<string, unknown>) =>
    [...own.keys()].filter(key => other.has(key));
  return {
    before: nameOf(before),
    after: nameOf(after),
    programs: changesOf(record(before.programs), record(after.programs)),
    lists: changesOf<object>(described(before), described(after)),
    terms: perList(list => new Map(list.terms.map(term => [term.effective_from, term]))),
    provisions: perList(provisionsByStart),
    headings: changesOf(headingsBefore, headingsAfter),
    headings_reordered: shared(headingsBefore, headingsAfter).join() !== shared(headingsAfter, headingsBefore).join(),
    removals: changesOf<object>(byId(before.removals), byId(after.removals)),
    stacking: changesOf<object>(stackingOf(before), stackingOf(after)),
    sources: changesOf<object>(record(before.sources), record(after.sources)),
    conditions: changesOf<object>(record(before.conditions), record(after.conditions)),
    caveats: changesOf(record(before.caveats), record(after.caveats)),
    reviewed: (['editions', 'otherAuthorities', 'differences', 'notes'] as const).filter(
      group => !isSame(before.reviewed?.[group] ?? [], after.reviewed?.[group] ?? []),
    ),
  };
}

/**
 * Returns whether two data sets contain the same facts. Their versions and dates can differ.
 *
 * @example isSameData(compareDatasets(DATASET, DATASET)) // true
 */
export function isSameData({ before: _, after: __, headings_reordered, ...changes }: DatasetDiff): boolean {
  return !headings_reordered && Object.values(changes).every(({ length }) => length === 0);
}

function changesOf<T>(before: Map<string, T>, after: Map<string, T>): Change<T>[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap(name => {
    const [a, b] = [before.get(name) ?? null, after.get(name) ?? null];
    return isSame(a, b) ? [] : [{ name, before: a, after: b }];
  });
}

/** Returns whether two JSON values are equal, regardless of field order. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    left.length === Object.keys(b).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && isSame(value, right[key]))
  );
}

function provisionsByStart({ batches }: Dataset['lists'][number]): Map<string, DatedProvision> {
  return new Map(
    batches.flatMap(({ provisions, caveats: own = [], ...batch }) =>
      provisions.map(provision => {
        const {
          conditions = [],
          caveats = [],
          ...rest
        } = typeof provision === 'string' ? { hts: provision } : provision;
        const dated = { ...batch, ...rest, conditions, caveats: [...own, ...caveats] };
        return [`${prefixOf(rest.hts)} ${batch.effective_from}`, dated];
      }),
    ),
  );
}

/** Returns a map of the headings. Each key combines a heading's numbers, lists, origins, conditions, and start date. */
function headingsOf({ headings }: Dataset): Map<string, AlternativeHeading> {
  const found = new Map<string, AlternativeHeading>();
  for (const heading of headings) {
    const { origins = [], except_origins = [], lists, when, effective_from } = heading;
    const name = [heading.headings, lists, [...origins, ...except_origins.map(origin => `not ${origin}`)], when]
      .map(part => part.join('+'))
      .filter(part => part !== '')
      .join(' ');
    const start = `${name} ${effective_from}`;
    let key = start;
    for (let copy = 2; found.has(key); copy++) key = `${start} (${copy})`;
    found.set(key, heading);
  }
  return found;
}

function byId<T extends { id: string }>(values: readonly T[]): Map<string, T> {
  return new Map(values.map(value => [value.id, value]));
}

function stackingOf({ stacking }: Dataset): Map<string, object> {
  return new Map(
    stacking.map(entry => [
      `${entry.program.join('+')} ${entry.relation} ${entry.others.join('+')} ${entry.effective_from}`,
      entry,
    ]),
  );
}
