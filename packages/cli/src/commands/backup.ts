import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { backUpService } from '../data-folder/back-up-service.ts';
import { atExistingStore } from '../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../options.ts';
import { backupContents } from '../output/backup-contents.ts';
import { print } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

const SECRETS =
  'The backup contains no secrets. Back up the secrets separately: LINK_KEYS and OPERATOR_SECRET, or the link-keys and operator-secret files in the data folder.';

/** The `compliance backup` command. */
export default new Command('backup')
  .description(
    "Back up the store, even while it's in use. Writes the tables to a new file in the backup folder, and the PDFs to the blobs subfolder.",
  )
  .argument('<folder>', 'backup folder; PDFs that are already in the folder are skipped')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (folder: string, { data, json }: StoreCommandOptions) => {
    const backup = await atExistingStore(data, location => backUpService(location, folder));
    print(json ? JSON.stringify(backup) : `Wrote ${backup.file}: ${backupContents(backup)}.\n${SECRETS}`);
    if (backup.lacking.length > 0) {
      throw new CliError(`These PDFs are missing from the store or damaged:\n${backup.lacking.join('\n')}`);
    }
  });
