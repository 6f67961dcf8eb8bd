import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { checkNode } from '../../doctor/release.ts';
import { print } from '../../output/print.ts';
import { contactOption, type DeploymentOptions, dryRunOption, hostOption } from '../../setup/deployment.ts';
import { writeFiles } from '../../setup/planned-file.ts';
import { SYSTEMD_PATHS, SYSTEMD_UNITS, systemdFiles } from '../../setup/systemd.ts';

interface Options extends DeploymentOptions {
  node: string;
  root: string;
  overwrite?: boolean;
}

/** The `compliance setup systemd` command. */
export default new Command('systemd')
  .description(
    'Write a hardened service unit, timers for backups and health checks, and a settings file with generated secrets.',
  )
  .addOption(hostOption())
  .addOption(contactOption())
  .option('--node <path>', 'path to the Node.js executable that runs the service', '/usr/bin/node')
  .option('--root <dir>', 'write to this folder instead of /, for example to prepare a disk image', '/')
  .option('--overwrite', 'replace existing files that differ; the settings file is never replaced')
  .addOption(dryRunOption())
  .action(({ host, contact, node, root, overwrite = false, dryRun = false }: Options) => {
    if (!isAbsolute(node)) throw new CliError(`--node ${node}: enter an absolute path, such as /usr/bin/node.`, 2);
    refuseOldNode(join(root, node));
    const options = { root: resolve(root), dryRun, overwrite };
    print(writeFiles(systemdFiles({ host, contact, node }), options));
    if (dryRun) return;
    linkRelease(join(root, SYSTEMD_PATHS.current));
    print(
      `\nNext, run as root:\n  systemd-sysusers compliance.conf\n  systemd-tmpfiles --create compliance.conf\n  systemctl daemon-reload\n  systemctl enable --now ${SYSTEMD_UNITS.join(' ')}`,
    );
  });

function refuseOldNode(node: string): void {
  let version: string;
  try {
    version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  } catch {
    throw new CliError(`Can't run ${node}. Install Node.js, or specify its path with --node.`);
  }
  const { status, todo } = checkNode(version);
  if (status === 'fail') throw new CliError(`${node} is version ${version}. ${todo}`);
}

/** Activates the release that contains this file by linking to it, unless another release is already active. */
function linkRelease(current: string): void {
  if (existsSync(current)) return;
  mkdirSync(dirname(current), { recursive: true });
  symlinkSync(resolve(import.meta.dirname, '../../..'), current);
}
