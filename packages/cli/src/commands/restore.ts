import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBackups, isBackupFolder, type RestoreResult, restore, type StoreLocation } from '@compliance/store';
import { Command } from 'commander';
import { CliError, fileError } from '../cli-error.ts';
import { updateServiceRecord } from '../data-folder/service-record.ts';
import { refuseOtherOwner, reportStoreErrors, storeLocation } from '../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../options.ts';
import { backupContents } from '../output/backup-contents.ts';
import { ageText, print } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

/**
 * Maximum age of a backup that can be selected automatically. If the newest backup in a folder is older, the folder
 * might be the wrong one, so the user must specify the file.
 */
const MAX_AGE_MS = 48 * 3_600_000;

/** Files that are allowed in a data folder before a restore. */
const ALLOWED = /^(operator-secret|link-keys|lost\+found|\..*)$/;

/** The `compliance restore` command. */
export default new Command('restore')
  .description('Restore a backup from either database engine into an empty data folder or database.')
  .argument('<backup>', 'backup file, or a backup folder (restores the newest backup in the folder)')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (path: string, { data, json }: StoreCommandOptions) => {
    const location = storeLocation(data);
    refuseOtherOwner(location);
    await refuseFilledFolder(location);
    const { file, isChosen } = await chooseBackup(path);
    const onVerified = (backup: RestoreResult) => {
      const age = Date.now() - Date.parse(backup.madeAt);
      if (!json) print(describe(file, backup, age));
      if (isChosen || age < MAX_AGE_MS) return;
      throw new CliError(
        `The newest backup in ${path} is ${ageText(age)} old. Nothing was restored. To restore this backup anyway, specify its file: compliance restore ${file}`,
      );
    };
    const restored = await reportStoreErrors(() => restore(location, { file, onVerified }));
    const last_backup = { file: resolve(file), made_at: restored.madeAt };
    updateServiceRecord(location, { ...(restored.service && { id: restored.service }), last_backup }, Date.now());
    if (json) return print(JSON.stringify({ file, ...restored }));
    print(`Restored ${file}: ${backupContents(restored)}.`);
    if (restored.lacking.length > 0) {
      print(`These PDFs were already missing when the backup was created:\n${restored.lacking.join('\n')}`);
    }
    print(
      "Sign in again with this deployment's operator secret. Existing PDF links work only if this deployment has the link keys that signed them. New PDF links always work.",
    );
  });

/** Describes the backup before it's restored so that the user can check that it's the right one. */
function describe(file: string, { madeAt, service, release, lists, ...contents }: RestoreResult, age: number): string {
  const origin = [
    `created at ${madeAt} (${ageText(age)} ago)`,
    ...(service ? [`by service ${service}`] : []),
    ...(release ? [`running release ${release}`] : []),
    ...(lists ? [`with lists current through ${lists}`] : []),
  ];
  return `Reading ${file}, ${origin.join(' ')}: ${backupContents(contents)}.`;
}

/** Rejects a nonempty data folder before verifying the backup, because verifying a large backup takes a long time. */
async function refuseFilledFolder({ dataDir, databaseUrl }: StoreLocation): Promise<void> {
  if (databaseUrl || !dataDir) return;
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw fileError(`Can't read ${dataDir}`, error, "Run the command under the service's user account.");
  });
  const found = entries.find(name => !ALLOWED.test(name));
  if (found === undefined) return;
  throw new CliError(
    `${resolve(dataDir)} already contains data (${found}). Nothing was changed. Restore into an empty or new data folder.`,
  );
}

/** Returns `path` if it's a file, or the newest backup in `path` if it's a folder. */
async function chooseBackup(path: string): Promise<{ file: string; isChosen: boolean }> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw fileError(`Can't read ${path}`, error, 'Specify a backup file or a backup folder.');
  });
  if (!entry.isDirectory()) return { file: path, isChosen: true };
  const backups = await findBackups(path).catch((error: NodeJS.ErrnoException) => {
    throw fileError(`Can't read ${path}`, error, 'Run the command as the folder owner.');
  });
  await refuseNested(path);
  if (backups.length === 0) throw new CliError(`${path} contains no backups.`);
  return { file: backups.at(-1)!, isChosen: false };
}

/**
 * Rejects a folder that contains another backup folder. Copying a backup into an existing folder can cause this
 * nesting.
 */
async function refuseNested(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (!entry.isDirectory() || !(await isBackupFolder(inner))) continue;
    throw new CliError(
      `${path} contains another backup folder, ${inner}, so it's unclear which backup is the newest. Nothing was restored. Specify the folder or file to restore.`,
    );
  }
}
