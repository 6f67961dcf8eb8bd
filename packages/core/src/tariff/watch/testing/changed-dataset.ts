import { DATASET, type Dataset } from '../../dataset/dataset.ts';
import { hashOf } from '../../dataset/format/hash.ts';
import { loadDataset } from '../../dataset/format/load-dataset.ts';

/** Returns a changed copy of the bundled data set with a new version number. */
export function changedDataset(change: (dataset: Dataset) => void, version = '2099.1.1'): Dataset {
  const dataset = structuredClone(DATASET);
  dataset.version = version;
  change(dataset);
  return loadDataset({ ...dataset, sha256: hashOf(dataset) });
}

/** Returns the list with the given ID from a data set. */
export function listNamed(dataset: Dataset, id: string): Dataset['lists'][number] {
  return dataset.lists.find(list => list.id === id)!;
}
