import type { Dataset } from '../../dataset/dataset.ts';
import { hashOf } from '../../dataset/format/hash.ts';
import { loadDataset } from '../../dataset/format/load-dataset.ts';

/** The first and last dates when a fact in a data set is in effect. */
interface Dated {
  effective_from: string;
  effective_to: string | null;
}

/**
 * Returns a data set as it was on a given day. Omits facts that started later, and clears the end date of facts that
 * ended on that day.
 */
export function rewind(dataset: Dataset, day: string): Dataset {
  const until = <T extends Dated>(facts: readonly T[]): T[] =>
    facts
      .filter(({ effective_from }) => effective_from <= day)
      .map(fact => (fact.effective_to === day ? { ...fact, effective_to: null } : fact));
  const lists = dataset.lists
    .map(list => ({ ...list, terms: until(list.terms), batches: until(list.batches) }))
    .filter(({ terms, batches }) => terms.length > 0 && batches.length > 0);
  const ids = new Set(lists.map(({ id }) => id));
  const headings = until(dataset.headings)
    .map(heading => ({ ...heading, lists: heading.lists.filter(id => ids.has(id)) }))
    .filter(({ lists: own }) => own.length > 0)
    .map(({ unless_listed, ...heading }) => {
      const known = unless_listed?.filter(id => ids.has(id)) ?? [];
      return known.length > 0 ? { ...heading, unless_listed: known } : heading;
    });
  const rewound = {
    ...dataset,
    known_through: day,
    lists,
    headings,
    stacking: until(dataset.stacking),
    removals: dataset.removals.filter(({ effective }) => effective <= day),
  };
  return loadDataset({ ...rewound, sha256: hashOf(rewound) });
}
