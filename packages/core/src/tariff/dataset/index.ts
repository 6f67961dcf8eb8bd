/**
 * Loads data sets of dated Section 232 lists, so that an application can use newer lists than the bundled ones. This
 * entry point is separate because, unlike lookups, loading a data set needs a schema library.
 *
 * @module
 */

export type { Dataset, DatasetName } from './dataset.ts';
export { hashOf } from './format/hash.ts';
export { DatasetError, loadDataset } from './format/load-dataset.ts';
export { DATASET_FORMAT, datasetJsonSchema } from './format/schemas.ts';
export { bundledDataset } from './reviewed.ts';
export { type ColumnType, type DatasetTable, datasetTables } from './tables/tables.ts';
