import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { checkNode } from '../doctor/release.ts';
import { print } from '../output/print.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { SYSTEMD_PATHS } from '../setup/systemd.ts';
import { version } from '../version.ts';

const SERVICE = 'compliance.service';

/** Time limit, in milliseconds, for the service to become ready. The limit doesn't include database migrations. */
const READY_MS = 60_000;

/** Release folder that contains this file. */
const RELEASE = resolve(import.meta.dirname, '../..');

/** The `compliance upgrade` command, which runs from the new release. */
export default new Command('upgrade')
  .description('Upgrade a systemd deployment to the release that contains this command.')
  .action(async () => {
    if (process.getuid?.() !== 0) throw new CliError('Run this command as root.');
    const { status, found, todo } = checkNode();
    if (status === 'fail') throw new CliError(`${found} ${todo}`);
    const previous = activeRelease();
    if (previous === RELEASE) throw new CliError(`${RELEASE} is already active.`);
    const settings = readSettings();
    const user = serviceUser();
    const compliance = (...args: string[]) =>
      run(process.execPath, [`${RELEASE}/dist/main.js`, ...args], settings, user);

    print(`Upgrading from ${previous} to ${RELEASE} (release ${version})`);
    run('systemctl', ['stop', SERVICE]);
    try {
      compliance('backup', SYSTEMD_PATHS.backups);
      compliance('migrate');
      activate(RELEASE);
      run('systemctl', ['start', SERVICE]);
      await untilReady(Number(settings.COMPLIANCE_PORT ?? 8787));
      compliance('doctor');
    } catch (error) {
      run('systemctl', ['stop', SERVICE]);
      activate(previous);
      run('systemctl', ['start', SERVICE]);
      throw new CliError(`${(error as Error).message} ${previous} is active again.\n${RESTORE_STEPS}`);
    }
    print(`\nThe upgrade is complete. ${rollback(previous)}`);
  });

function activeRelease(): string {
  const entry = lstatSync(SYSTEMD_PATHS.current, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) return resolve(dirname(SYSTEMD_PATHS.current), readlinkSync(SYSTEMD_PATHS.current));
  throw new CliError(
    `${SYSTEMD_PATHS.current} isn't a symbolic link to a release. Install the service first: compliance setup systemd`,
  );
}

/** Atomically switches the link for the active release to `release`. */
function activate(release: string): void {
  const temporary = `${SYSTEMD_PATHS.current}.${process.pid}`;
  rmSync(temporary, { force: true });
  symlinkSync(release, temporary);
  renameSync(temporary, SYSTEMD_PATHS.current);
}

function readSettings(): NodeJS.ProcessEnv {
  if (!existsSync(SYSTEMD_PATHS.settings))
    throw new CliError(`${SYSTEMD_PATHS.settings} doesn't exist. Install the service first.`);
  const settings: NodeJS.ProcessEnv = {};
  loadSettings({ envFile: SYSTEMD_PATHS.settings }, settings);
  return settings;
}

function serviceUser(): { uid: number; gid: number } {
  const { uid, gid } = statSync(SYSTEMD_PATHS.data);
  return { uid, gid };
}

/** Runs a program and shows its output. Throws an error if the program fails. */
function run(
  program: string,
  args: string[],
  env?: NodeJS.Dict<string>,
  user: { uid?: number; gid?: number } = {},
): void {
  print(`$ ${program} ${args.join(' ')}`);
  const { status, error } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(env && { env: { PATH: process.env.PATH, ...env } }),
    ...user,
  });
  if (status !== 0)
    throw new CliError(`${program} ${args.join(' ')} failed (${error?.message ?? `exit code ${status}`}).`);
}

async function untilReady(port: number): Promise<void> {
  for (let waited = 0; waited < READY_MS; waited += 500) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok) return;
    await pause(500);
  }
  throw new CliError(
    `The service wasn't ready after ${READY_MS / 1000} s. To see its log, run: journalctl --namespace=compliance`,
  );
}

/** Instructions for restoring a backup if the previous release can't use the migrated database. */
const RESTORE_STEPS = `If the previous release can't use the migrated database, restore the newest backup:
  systemctl stop ${SERVICE}
  mv ${SYSTEMD_PATHS.data} ${SYSTEMD_PATHS.data}.upgraded
  systemd-tmpfiles --create compliance.conf
  compliance restore ${SYSTEMD_PATHS.backups}
  systemctl start ${SERVICE}`;

function rollback(previous: string): string {
  return `To return to the previous release, run:
  systemctl stop ${SERVICE}
  ln -sfn ${previous} ${SYSTEMD_PATHS.current}
  systemctl start ${SERVICE}
${RESTORE_STEPS}`;
}
