import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { restore } from '@compliance/store';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { reportStoreErrors, storeLocation } from '../open-store.ts';
import { dataOption, jsonOption, type StoreCommandOptions } from '../options.ts';
import { backupContents } from '../output/backup-contents.ts';
import { print } from '../output/print.ts';

/** The `compliance restore` command. */
export default new Command('restore')
  .description('Restore a backup from either database engine into an empty data folder or database.')
  .argument('<backup>', 'backup file, or a backup folder (restores the newest backup in the folder)')
  .addOption(dataOption())
  .addOption(jsonOption())
  .action(async (path: string, { data, json }: StoreCommandOptions) => {
    const file = await newestBackup(path);
    const restored = await reportStoreErrors(() => restore(storeLocation(data), { file }));
    if (json) return print(JSON.stringify({ file, ...restored }));
    print(`Restored ${file}, created at ${restored.madeAt}:  ${backupContents(restored)}.`);
    if (restored.lacking.length > 0) {
      print(`These PDFs were already missing when the backup was created:\n${restored.lacking.join('\n')}`);
    }
    print(
      "Sign in again with this deployment's operator secret. Existing PDF links work only if this deployment has the link keys that signed them. New PDF links always work.",
    );
  });

/** Returns `path` if it's a file, or the newest backup in `path` if it's a folder. */
async function newestBackup(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    entry => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) return path;
  const backups = (await readdir(path)).filter(name => /^compliance-.*\.jsonl\.gz$/.test(name)).sort();
  if (backups.length === 0) throw new CliError(`${path} contains no backups.`);
  return join(path, backups.at(-1)!);
}
