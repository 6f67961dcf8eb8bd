import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';

/** Restrictions that systemd or a container runtime would enforce on a program. */
export interface Confinement {
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths that the program can write to. The only other writable path is /tmp, which is initially empty. */
  readonly writable: readonly string[];
  /** Bind mounts, each from a path on the machine to a path visible to the program. */
  readonly mounts?: readonly (readonly [from: string, to: string])[];
}

/** Returns the command that runs `command` with a read-only file system, as an unprivileged user. */
function confined(command: string, { user, env, writable, mounts = [] }: Confinement): string[] {
  const variables = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
  const script = [
    'set -e',
    'mount --make-rprivate /',
    ...mounts.map(([from, to]) => `mkdir -p ${quote(to)}; mount --bind ${quote(from)} ${quote(to)}`),
    ...writable.map(path => `mount --bind ${quote(path)} ${quote(path)}`),
    'mount -t tmpfs none /tmp',
    'mount -t tmpfs -o mode=000 none /root',
    'mount -o remount,bind,ro /',
    'cd /',
    `exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i PATH=/usr/local/bin:/usr/bin:/bin ${variables.join(' ')} ${command}`,
  ].join('\n');
  return ['--mount', 'sh', '-c', script];
}

/** Runs a confined command to completion and forwards its output to this process's output. */
export function runConfined(command: string, confinement: Confinement): SpawnSyncReturns<Buffer> {
  return spawnSync('unshare', confined(command, confinement), { stdio: 'inherit' });
}

/** Starts a confined command in the background, with its output in a file, and returns its process ID. */
export function startConfined(command: string, confinement: Confinement, log: string): number {
  const output = openSync(log, 'a');
  const child = spawn('unshare', confined(command, confinement), {
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  return child.pid!;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
