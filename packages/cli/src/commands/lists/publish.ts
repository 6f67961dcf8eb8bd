import { bundledDataset, DatasetError } from '@compliance/core/tariff/dataset';
import { publishDataset } from '@compliance/lists';
import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { datasetOption } from '../../input/dataset.ts';
import { readOfficialText } from '../../input/nomenclature.ts';
import { readSigningKeys } from '../../input/signing-keys.ts';
import { jsonOption } from '../../options.ts';
import { print } from '../../output/print.ts';
import { days, reportRepositoryErrors } from './root.ts';

interface Options {
  dataset?: string;
  renew?: boolean;
  key: string[];
  targetsDays: number;
  snapshotDays: number;
  timestampDays: number;
  json?: boolean;
}

/** The `compliance lists publish` command. */
export default new Command('publish')
  .description('Sign a data set and write it to a repository folder that any static host can serve.')
  .argument('<folder>', 'repository folder')
  .addOption(datasetOption())
  .option('--renew', 'renew only the snapshot and timestamp, without publishing a new data set')
  .requiredOption('--key <files...>', 'private keys for the targets, snapshot, and timestamp roles')
  .addOption(days('--targets-days <number>', 'days until the data set must be signed again', 90))
  .addOption(days('--snapshot-days <number>', 'days until the snapshot expires', 30))
  .addOption(days('--timestamp-days <number>', 'days until the timestamp expires', 7))
  .addOption(jsonOption())
  .action(async (folder: string, options: Options) => {
    const { dataset: file, renew = false, key, targetsDays, snapshotDays, timestampDays, json } = options;
    if (renew && file !== undefined) throw new CliError('Use either --dataset or --renew, not both.', 2);
    const text = file === undefined ? JSON.stringify(bundledDataset()) : await readOfficialText(file);
    const signers = readSigningKeys(key);
    const days = { targets: targetsDays, snapshot: snapshotDays, timestamp: timestampDays };
    const published = reportRepositoryErrors(() => {
      try {
        return publishDataset(folder, { dataset: renew ? null : text, signers, now: new Date(), days });
      } catch (error) {
        throw error instanceof DatasetError ? new CliError(`Can't publish ${file}: ${error.message}`) : error;
      }
    });
    const { version, known_through, expires } = published;
    print(
      json
        ? JSON.stringify(published)
        : `${renew ? 'Renewed' : 'Published'} data set ${version}, current through ${known_through}. Publish again before ${expires}.`,
    );
  });
