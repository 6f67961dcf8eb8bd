import { chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { print } from '../../output/print.ts';
import { composeSettings } from '../../setup/compose.ts';
import { contactOption, type DeploymentOptions, dryRunOption, hostOption } from '../../setup/deployment.ts';
import { writeFiles } from '../../setup/planned-file.ts';

/** User ID of the service in the container image. */
const CONTAINER_USER = 1000;

/** The `compliance setup compose` command. */
export default new Command('compose')
  .description('Create a backup folder and a .env file with generated secrets next to compose.yaml.')
  .argument('[folder]', 'folder that contains compose.yaml', '.')
  .addOption(hostOption())
  .addOption(contactOption())
  .addOption(dryRunOption())
  .action((folder: string, { host, contact, dryRun = false }: DeploymentOptions) => {
    const root = resolve(folder);
    if (!existsSync(join(root, 'compose.yaml')))
      throw new CliError(
        `${root} doesn't contain compose.yaml. Specify the folder that contains your copy of this repository.`,
      );
    const isRoot = process.getuid?.() === 0;
    const { uid, gid } = statSync(root);
    const env = { path: join(root, '.env'), mode: 0o600, text: composeSettings({ host, contact }), isSecret: true };
    print(writeFiles([{ ...env, ...(isRoot && { owner: { uid, gid } }) }], { root: '/', dryRun, overwrite: false }));
    if (!dryRun) print(createBackupFolder(join(root, 'backups'), isRoot));
  });

/** Creates the backup folder. If the caller is root, changes the folder's owner to the container's user. */
function createBackupFolder(path: string, isRoot: boolean): string {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  if (isRoot) chownSync(path, CONTAINER_USER, CONTAINER_USER);
  if (statSync(path).uid === CONTAINER_USER) return `create     ${path} (user ${CONTAINER_USER})`;
  return `create     ${path}\n\nThe container can't write to this folder yet. Run: sudo chown ${CONTAINER_USER} ${path}`;
}
