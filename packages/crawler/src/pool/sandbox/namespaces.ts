import { dirname, sep } from 'node:path';

/** Program that runs a command in new Linux namespaces. */
export type NamespaceTool = 'unshare' | 'bwrap';

/**
 * Script that builds a file system. Its arguments are the mount points (folders, then files, one per line), the mounts
 * in `fstab` format, and the command. The file system is built in `/sys`, which exists on every Linux system and never
 * contains code.
 */
const BUILD_FILE_SYSTEM = `set -ef
IFS='
'
mount -t tmpfs -o mode=755 tmpfs /sys
cd /sys
mkdir -p $1
for file in $2; do : > "$file"; done
printf %s "$3" > fstab
shift 3
mount --all --fstab fstab
rm fstab
mount -o remount,bind,ro /sys`;

/**
 * Script line that drops all capabilities and runs the command in the new file system: a non-root process loses its
 * capabilities when it starts a program, and a process in a chroot can't create another user namespace to regain them.
 */
const RUN_COMMAND = 'exec unshare --user --map-user=65534 --root=/sys -- "$@"';

/** Writable folder for a browser. It isn't `/tmp`, because mounted paths can be in `/tmp`. */
const SCRATCH = '/scratch/';

/** Path of `unshare`, which is the only system program in a browser's file system. */
const UNSHARE = '/usr/bin/unshare';

/**
 * Script lines that run the command in the new file system and drop all capabilities, but let the command create user
 * namespaces for its own sandbox. In these namespaces, the command can't change the mounts. The kernel doesn't let a
 * process in a chroot create user namespaces, so the script mounts the new file system over the old root. As a result,
 * the command doesn't run in a chroot.
 */
const RUN_NESTED_COMMAND = `ip link set lo up
cd /sys
mount --no-mtab --move . /
exec chroot . ${UNSHARE} --user --map-user=65534 --map-group=65534 -- "$@"`;

const WRAPPER = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'];
const NAMESPACES = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--net', '--mount', '--ipc', '--'];

/**
 * Returns a command that runs Node in new user, process, network, mount, and IPC namespaces. In these namespaces, Node
 * can't access the machine's other processes, networks, sockets, or shared memory, and the only files are Node, its
 * libraries, and the listed paths. If the command is killed or its parent dies, all processes in the namespaces are
 * killed, too.
 *
 * @param paths readable files and folders; folder paths end with `/`
 * @param args arguments for Node
 * @example inNamespaces('unshare', ['/app/main.js'], ['/app/main.js']) // ['setpriv', '--pdeathsig', 'KILL', …]
 */
export function inNamespaces(tool: NamespaceTool, paths: readonly string[], args: readonly string[]): string[] {
  const command = [process.execPath, ...args];
  const code = mountsOf(paths);
  const mounts = [...code, process.execPath, ...nodeLibraries()];
  if (tool === 'bwrap') return inBubblewrap(mounts, [], command);
  const fstab = mounts.map(path => bindLine(path, code.includes(path) ? ',noexec' : ''));
  return unshared(mounts, fstab, RUN_COMMAND, command);
}

/** Options for {@link inBrowserNamespaces}. */
export interface BrowserNamespaces {
  /** Readable files and folders; folder paths end with `/`. */
  readonly paths: readonly string[];
  /** Path of the Node executable, which must be in `paths`. */
  readonly node: string;
  /** Arguments for Node, which starts the browser. */
  readonly args: readonly string[];
  /** Maximum size of each writable folder, `/scratch` and `/dev/shm`, in megabytes. Both folders are in memory. */
  readonly scratchMb: number;
}

/**
 * Like {@link inNamespaces}, returns a command that runs Node in separate namespaces, here for a Node program that
 * starts a browser. The browser also gets `/proc` for its own processes, basic devices, writable folders in memory, and
 * a loopback device as its only network device. The browser can create nested namespaces for its own sandbox.
 *
 * @example inBrowserNamespaces('unshare', { paths: ['/opt/chromium/', '/opt/node'], node: '/opt/node', args: ['relay.js'], scratchMb: 128 })
 */
export function inBrowserNamespaces(
  tool: NamespaceTool,
  { paths, node, args, scratchMb }: BrowserNamespaces,
): string[] {
  const command = [node, ...args];
  const mounts = [...new Set([...paths, ...nodeLibraries(), ...(tool === 'unshare' ? [UNSHARE] : [])])];
  const scratch = [SCRATCH, '/dev/shm/'];
  if (tool === 'bwrap') {
    const size = ['--size', `${scratchMb * 1024 * 1024}`];
    const folders = scratch.flatMap(path => [...size, '--tmpfs', path]);
    return inBubblewrap(mounts, ['--proc', '/proc', '--dev', '/dev', ...folders], command);
  }
  const devices = ['null', 'zero', 'full', 'random', 'urandom'].map(name => `/dev/${name}`);
  const fstab = [
    ...mounts.map(path => bindLine(path)),
    ...devices.map(path => `${path} /sys${path} none bind 0 0\n`),
    'proc /sys/proc proc nosuid,nodev,noexec 0 0\n',
    ...scratch.map(path => `tmpfs /sys${path} tmpfs nosuid,nodev,noexec,mode=1777,size=${scratchMb}m 0 0\n`),
  ];
  return unshared([...mounts, ...devices, '/proc/', ...scratch], fstab, RUN_NESTED_COMMAND, command);
}

/** @param extra additional mounts as arguments for `bwrap` */
function inBubblewrap(mounts: readonly string[], extra: readonly string[], command: readonly string[]): string[] {
  const isolation = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
  const binds = mounts.flatMap(path => ['--ro-bind', path, path]);
  return ['bwrap', ...isolation, ...extra, ...binds, '--remount-ro', '/', '--chdir', '/', '--', ...command];
}

/**
 * Returns a command that builds a file system with `unshare` and runs a command in it.
 *
 * @param run the script's last lines, which run the command
 */
function unshared(mounts: readonly string[], fstab: readonly string[], run: string, command: readonly string[]) {
  const [folders, files] = [true, false].map(isFolder => mounts.filter(path => path.endsWith('/') === isFolder));
  const targets = [[...folders!, ...files!.map(dirname)], files!].map(list => list.map(path => `.${path}`).join('\n'));
  const script = ['sh', '-c', `${BUILD_FILE_SYSTEM}\n${run}`, 'sh', ...targets, fstab.join('')];
  return [...WRAPPER, 'unshare', ...NAMESPACES, ...script, ...command];
}

/** Returns the `fstab` line that mounts a path read-only at the same path in the new file system. */
const bindLine = (path: string, options = ''): string =>
  `${escapeField(path)} /sys${escapeField(path)} none bind,ro,nosuid,nodev${options} 0 0\n`;

/** Escapes a path as `fstab` requires. */
const escapeField = (path: string) =>
  path.replace(/[\s\\]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

/**
 * Returns the paths to mount. Packages in the same `node_modules` folder share one mount, so that a worker starts
 * faster.
 */
function mountsOf(paths: readonly string[]): string[] {
  const packages = `${sep}node_modules${sep}`;
  const mounts = paths.map(path => {
    const index = path.indexOf(packages);
    return index === -1 ? path : path.slice(0, index + packages.length);
  });
  return [...new Set(mounts)];
}

let foundLibraries: readonly string[] | undefined;

/** Returns the paths of the system libraries that the running Node executable loads. */
function nodeLibraries(): readonly string[] {
  if (foundLibraries) return foundLibraries;
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // By default, creating the report performs a reverse DNS lookup for every connection.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as unknown as { sharedObjects: readonly string[] };
  report.excludeNetwork = excludeNetwork;
  foundLibraries = sharedObjects.filter(path => path.startsWith('/') && !path.endsWith('.node'));
  return foundLibraries;
}
