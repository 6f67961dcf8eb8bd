// With systemd and with Docker Compose, runs the commands in docs/guides/self-host.md in order: install, issue a
// certificate, back up, upgrade, and restore. Requires root on Linux. The commands run in a copy of this machine's file
// system, so they don't change the machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres, startS3 } from '@compliance/store/testing';
import { guideCommands } from './guide-commands.ts';

const CHECKOUT = resolve(import.meta.dirname, '../../../..');
const WAYS = ['systemd', 'compose'] as const;

if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.log('Skipped: pnpm guide must run as root on Linux, because it creates users and mounts file systems.');
  process.exit();
}

const world = mkdtempSync(join(tmpdir(), 'compliance-guide-'));
const servers = await Promise.all([startPostgres(), startS3(), startPostgres(), startS3()]);
try {
  writeFileSync(join(world, 'guide.sh'), script());
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', machine()], {
    stdio: 'inherit',
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      NO_COLOR: '1',
      COLUMNS: '80',
      CI: '1',
    },
  });
  const [status] = (await once(child, 'close')) as [number | null];
  process.exitCode = status ?? 1;
} finally {
  for (const { stop } of servers) await stop();
  rmSync(world, { recursive: true, force: true });
}

/** Returns the script that creates a copy-on-write overlay of this machine's file system and runs the guide in it. */
function machine(): string {
  for (const name of ['changes', 'work', 'root']) mkdirSync(join(world, name));
  return `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs ${world}/changes
mkdir ${world}/changes/upper ${world}/changes/work
mount -t overlay overlay -o lowerdir=/,upperdir=${world}/changes/upper,workdir=${world}/changes/work ${world}/root
cp ${world}/guide.sh ${world}/root/guide.sh
mount --rbind /dev ${world}/root/dev
mount -t proc proc ${world}/root/proc
exec chroot ${world}/root bash /guide.sh`;
}

function script(): string {
  const stub = (name: string) =>
    `printf '#!/bin/sh\\nexec ${process.execPath} --no-warnings ${import.meta.dirname}/${name}.ts "$@"\\n' > /usr/local/sbin/${name}; chmod +x /usr/local/sbin/${name}`;
  const prepare = [
    'set -euo pipefail',
    `cd ${CHECKOUT}`,
    'rm -rf /usr/bin/node /opt/compliance /data /app backups .env',
    `cp ${process.execPath} /usr/bin/node`,
    stub('systemctl'),
    stub('docker'),
  ];
  return [...prepare, ...WAYS.flatMap(way => lines(way))].join('\n');
}

/**
 * Returns a script with the guide's commands for one deployment type. The script prints each command before running it,
 * and checks the service between sections.
 */
function lines(way: (typeof WAYS)[number]): string[] {
  const check = `${process.execPath} --no-warnings ${import.meta.dirname}/check.ts`;
  const [postgres, s3, otherPostgres, otherS3] = servers;
  const useServers = ({ url }: { url: string }, { options }: typeof s3) => {
    const variables = {
      DATABASE_URL: url,
      S3_ENDPOINT: options.endpoint,
      S3_BUCKET: options.bucket,
      S3_ACCESS_KEY_ID: options.accessKeyId,
      S3_SECRET_ACCESS_KEY: options.secretAccessKey,
    };
    return `export GUIDE_SERVERS='${JSON.stringify(variables)}'`;
  };
  // /app, the program folder in the image, is a symbolic link to the release that the first commands in the guide
  // install.
  const begin = way === 'compose' ? ['ln -s /opt/compliance/releases/first /app', useServers(postgres, s3)] : [];
  const timers = ['systemctl start compliance-backup.service', 'systemctl start compliance-health.service'];
  const newMachine = [
    'kill "$(cat /run/compliance-guide/app)"; rm /run/compliance-guide/app; while (echo > /dev/tcp/127.0.0.1/8787) 2> /dev/null; do sleep 0.2; done',
    'rm -rf /data',
    useServers(otherPostgres, otherS3),
  ];
  const end = way === 'systemd' ? ['systemctl stop compliance.service'] : [];
  let section = '';
  const followed = guideCommands()
    .filter(command => command.way === way)
    .flatMap(command => {
      const before = section !== '' && section !== command.section;
      const isRestore = command.section === 'Restore';
      section = command.section;
      const between = before ? [`${check} ${isRestore ? 'issue' : 'issue read'}`] : [];
      if (before && isRestore)
        between.push(
          ...(way === 'compose' ? ['docker compose exec app compliance backup /backups', ...newMachine] : timers),
        );
      const run = command.line.includes('keys issue')
        ? `${command.line} | tee /key; KEY=$(grep -o 'cmpl_live_[A-Za-z0-9_]*' /key); export KEY`
        : command.line;
      return [...between, `echo '$ ${command.line.replaceAll("'", "'\\''")}'`, run];
    });
  return [`echo '== ${way}'`, 'rm -f /certificates', ...begin, ...followed, `${check} read`, ...end];
}
