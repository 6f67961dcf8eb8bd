import { DATASET, type Dataset } from '@compliance/core/tariff';
import { bundledDataset } from '@compliance/core/tariff/dataset';
import type { WatchDataset } from '@compliance/store';

/**
 * Returns a data set in the format stored for watches. For the bundled data set, the JSON includes the reviewed facts,
 * because the data set's hash covers them.
 *
 * @example watchDataset(DATASET).version // '2026.11.1'
 */
export function watchDataset(dataset: Dataset): WatchDataset {
  const { sha256, version } = dataset;
  return { sha256, version, body: () => JSON.stringify(dataset === DATASET ? bundledDataset() : dataset) };
}
