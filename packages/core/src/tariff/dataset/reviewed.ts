import { DATASET, type Dataset, type Reviewed } from './dataset.ts';
import { REVIEWED_JSON } from './reviewed.gen.ts';

/** Reviewed facts for the bundled data set. */
export const REVIEWED: Reviewed = JSON.parse(REVIEWED_JSON);

const NOTHING_REVIEWED: Reviewed = { editions: [], otherAuthorities: [], differences: [], notes: [] };

/** Returns a data set's reviewed facts. If there aren't any, returns empty arrays, so every difference is reported. */
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
