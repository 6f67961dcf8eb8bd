import type { Dataset } from '../dataset.ts';
import { unstatedOverlaps } from '../stacking.ts';

/** Caveats that lookups add even if nothing in the data set refers to them. */
const CAVEATS_IN_CODE = ['membership_not_verified'];

/** The fields of a data set that refer to each other by name. */
export type DatasetContents = Pick<
  Dataset,
  'programs' | 'lists' | 'headings' | 'removals' | 'stacking' | 'sources' | 'conditions' | 'caveats'
>;

/** The names that a data set refers to, by kind. */
export interface UsedNames {
  readonly program: ReadonlySet<string>;
  readonly list: ReadonlySet<string>;
  readonly source: ReadonlySet<string>;
  readonly condition: ReadonlySet<string>;
  readonly caveat: ReadonlySet<string>;
}

/** Returns the names that a data set refers to, by kind. */
export function usedNames({ lists, headings, removals, stacking }: DatasetContents): UsedNames {
  const terms = lists.flatMap(list => list.terms);
  const batches = lists.flatMap(list => list.batches);
  const provisions = batches.flatMap(batch => batch.provisions.filter(provision => typeof provision !== 'string'));
  const flat = (names: (readonly string[] | undefined)[]) => new Set(names.flatMap(name => name ?? []));
  return {
    program: flat([
      lists.map(({ program }) => program),
      headings.flatMap(({ program }) => program ?? []),
      ...stacking.flatMap(({ program, others }) => [program, others]),
      ...removals.map(({ removed }) => Object.keys(removed)),
    ]),
    list: flat(headings.flatMap(heading => [heading.lists, heading.unless_listed])),
    source: flat([...terms, ...batches, ...headings, ...removals, ...stacking].map(item => item.sources)),
    condition: flat([...[...terms, ...provisions].map(item => item.conditions), ...headings.map(({ when }) => when)]),
    caveat: flat([...[...terms, ...batches, ...provisions, ...headings].map(item => item.caveats), CAVEATS_IN_CODE]),
  };
}

/** Returns the names that a data set defines, by kind. */
export function definedNames(data: DatasetContents): UsedNames {
  return {
    program: new Set(Object.keys(data.programs)),
    list: new Set(data.lists.map(({ id }) => id)),
    source: new Set(Object.keys(data.sources)),
    condition: new Set(Object.keys(data.conditions)),
    caveat: new Set(Object.keys(data.caveats)),
  };
}

/**
 * Returns the problems that a data set can have even if it matches the schema: undefined names, duplicate lists, draft
 * lists, unnamed programs, and overlapping programs without a stacking rule.
 */
export function referenceProblems(data: DatasetContents): string[] {
  const used = usedNames(data);
  const defined = definedNames(data);
  const problems = (Object.keys(used) as (keyof UsedNames)[]).flatMap(kind =>
    [...used[kind]].filter(name => !defined[kind].has(name)).map(name => `${kind} ${name} is used but not defined`),
  );
  const ids = data.lists.map(({ id }) => id);
  for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at)))
    problems.push(`list ${id} is duplicated`);
  for (const { id, draft } of data.lists) if (draft) problems.push(`list ${id} is a draft`);
  for (const [id, name] of Object.entries(data.programs)) {
    if (name.includes('TODO')) problems.push(`program ${id} doesn't have a name yet`);
  }
  for (const { provisions, lists, on } of unstatedOverlaps(data.lists, data.stacking)) {
    const [a, b] = provisions.map((hts, at) => `${hts} (${lists[at]})`);
    problems.push(`${a} and ${b} overlap on ${on}, but no stacking rule states how their duties interact`);
  }
  return problems;
}
