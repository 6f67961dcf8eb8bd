import { DATASET } from '../dataset.ts';
import { indexOf } from '../dataset-index.ts';

/** Every provision in the bundled data set, ordered by code, then by list. */
export const PROVISIONS = indexOf(DATASET).provisions;
