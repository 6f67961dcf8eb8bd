import { readFileSync } from 'node:fs';
import { UpdateError, updateLists } from '@compliance/lists';
import { InstalledListsError } from '@compliance/lists/installed';
import { Command } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { listsFolder } from '../../data-folder/lists-folder.ts';
import { refuseOtherOwner } from '../../open-store.ts';
import { jsonOption } from '../../options.ts';
import { print, sanitizeForTerminal } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options {
  from?: string;
  root?: string;
  data: string;
  json?: boolean;
}

/** The `compliance lists update` command. */
export default new Command('update')
  .description(
    'Download and install the newest signed data set. Running services switch to it within seconds, without a restart.',
  )
  .addOption(settingOption('COMPLIANCE_LISTS_FROM'))
  .addOption(settingOption('COMPLIANCE_LISTS_ROOT'))
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ from, root, data, json }: Options) => {
    refuseOtherOwner({ dataDir: data });
    const trustedRoot = root === undefined ? undefined : readRoot(root);
    try {
      const result = await updateLists({ folder: listsFolder(data), from, trustedRoot, now: new Date() });
      if (json) return print(JSON.stringify(result));
      const { version, known_through, previous } = result;
      const state =
        previous === version ? `is already installed` : `installed${previous ? `, replacing ${previous}` : ''}`;
      print(`Data set ${version} ${state}. The lists are current through ${known_through}.`);
    } catch (error) {
      if (json && error instanceof UpdateError) {
        process.exitCode = 1;
        return print(JSON.stringify({ error: { reason: error.reason, message: error.message } }));
      }
      if (error instanceof UpdateError) {
        throw new CliError(`Update refused (${error.reason}): ${sanitizeForTerminal(error.message, 500)}`);
      }
      if (error instanceof InstalledListsError) throw new CliError(error.message);
      throw error;
    }
  });

function readRoot(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fileError(`Can't read ${file}`, error);
  }
}
