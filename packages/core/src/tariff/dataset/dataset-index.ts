import { type AlternativeHeading, DATASET, type Dataset } from './dataset.ts';
import { buildTrie, type Provision, provisionsOf, type Trie } from './provisions.ts';

/** A data set with the lookup indexes, which are built only once. */
export interface DatasetIndex {
  readonly dataset: Dataset;
  /** Every provision in the data set, ordered by code, then by list. */
  readonly provisions: readonly Provision[];
  readonly trie: Trie;
  /** Headings that can replace a list's own heading, in order of precedence, by list ID. */
  readonly headingsByList: ReadonlyMap<string, readonly AlternativeHeading[]>;
}

const indexes = new WeakMap<Dataset, DatasetIndex>();

/**
 * Builds the index of a validated data set and registers it, so that the functions in this library accept the data set.
 *
 * @example indexDataset(DATASET).provisions.length > 1000 // true
 */
export function indexDataset(dataset: Dataset): DatasetIndex {
  const provisions = provisionsOf(dataset.lists);
  const index = { dataset, provisions, trie: buildTrie(provisions), headingsByList: headingsByList(dataset) };
  indexes.set(dataset, index);
  return index;
}

/**
 * Returns the index of a data set.
 *
 * @throws TypeError if the data set is neither the bundled data set nor a data set from `loadDataset`
 */
export function indexOf(dataset: Dataset): DatasetIndex {
  const known = indexes.get(dataset);
  if (known) return known;
  // The bundled data set was validated when it was generated.
  if (dataset === DATASET) return indexDataset(dataset);
  throw new TypeError('The data set must be a value returned by loadDataset.');
}

function headingsByList({ headings }: Dataset): ReadonlyMap<string, readonly AlternativeHeading[]> {
  const found = new Map<string, AlternativeHeading[]>();
  for (const heading of headings) {
    for (const list of heading.lists) {
      const known = found.get(list);
      if (known) known.push(heading);
      else found.set(list, [heading]);
    }
  }
  return found;
}
