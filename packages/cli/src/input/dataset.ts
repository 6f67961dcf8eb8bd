import type { Dataset } from '@compliance/core/tariff';
import { Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { readOfficialText } from './nomenclature.ts';

/** Returns the `--dataset` option. */
export function datasetOption(): Option {
  return new Option(
    '--dataset <file>',
    'data set in JSON, such as dataset.json from @compliance/tariff-data (default: the data set in this release)',
  );
}

/**
 * Reads and validates a data set. Returns an object with the data set, or an empty object if no file is specified. For
 * an empty object, the library uses its bundled data set.
 *
 * @throws CliError if the file can't be read or the data set is invalid
 */
export async function readDataset(file: string | undefined): Promise<{ dataset?: Dataset }> {
  if (file === undefined) return {};
  const text = await readOfficialText(file);
  const { DatasetError, loadDataset } = await import('@compliance/core/tariff/dataset');
  try {
    return { dataset: loadDataset(text) };
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    throw new CliError(`Can't use ${file}: ${error.message}`);
  }
}
