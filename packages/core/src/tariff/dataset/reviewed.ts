import { DATASET, type Dataset, type Reviewed } from './dataset.ts';
import { REVIEWED_JSON } from './reviewed.gen.ts';

/** The reviewed facts of the bundled data set. */
export const REVIEWED: Reviewed = JSON.parse(REVIEWED_JSON);

const NOTHING_REVIEWED: Reviewed = { editions: [], otherAuthorities: [], differences: [], notes: [] };

/** Returns the reviewed facts of a data set. A data set without reviewed facts has none, so every difference is reported. */
export function reviewedOf(dataset: Dataset): Reviewed {
  return dataset === DATASET ? REVIEWED : (dataset.reviewed ?? NOTHING_REVIEWED);
}

/**
 * Returns the complete bundled data set, including the reviewed facts, in the data set format.
 *
 * @example loadDataset(bundledDataset()).version === DATASET.version // true
 */
export function bundledDataset(): Dataset {
  return { ...DATASET, reviewed: REVIEWED };
}
