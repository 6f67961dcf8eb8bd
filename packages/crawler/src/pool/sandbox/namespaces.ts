import { dirname, sep } from 'node:path';

/** Program that runs a command in new Linux namespaces. */
export type NamespaceTool = 'unshare' | 'bwrap';

/**
 * Script that builds a file system and runs a command in it. Its arguments are the mount points (folders, then files,
 * one per line), the mounts in `fstab` format, and the command.
 *
 * The file system is built in `/sys`, which exists on every Linux system and never contains code. The inner `unshare`
 * drops all capabilities: a non-root user loses them when a program starts, and a process in a chroot can't create
 * another user namespace to regain them.
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
mount -o remount,bind,ro /sys
exec unshare --user --map-user=65534 --root=/sys -- "$@"`;

/**
 * Returns a command that runs Node in new user, process, network, mount, and IPC namespaces. In these namespaces, Node
 * can't access the machine's other processes, networks, sockets, or shared memory, and the only files are Node and the
 * listed paths. If the command is killed or its parent dies, all processes in the namespaces are killed, too.
 *
 * @param paths readable files and folders; folder paths end with `/`
 * @param args arguments for Node
 * @example inNamespaces('unshare', ['/app/main.js'], ['/app/main.js']) // ['setpriv', '--pdeathsig', 'KILL', …]
 */
export function inNamespaces(tool: NamespaceTool, paths: readonly string[], args: readonly string[]): string[] {
  const command = [process.execPath, ...args];
  const code = mountsOf(paths);
  const mounts = [...code, ...nodeFiles()];
  if (tool === 'bwrap') {
    const isolation = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
    const binds = mounts.flatMap(path => ['--ro-bind', path, path]);
    return ['bwrap', ...isolation, ...binds, '--remount-ro', '/', '--chdir', '/', '--', ...command];
  }
  const [folders, files] = [true, false].map(isFolder => mounts.filter(path => path.endsWith('/') === isFolder));
  const targets = [[...folders!, ...files!.map(dirname)], files!].map(list => list.map(path => `.${path}`).join('\n'));
  const fstab = mounts.map(path => {
    const options = `bind,ro,nosuid,nodev${code.includes(path) ? ',noexec' : ''}`;
    return `${escapeField(path)} /sys${escapeField(path)} none ${options} 0 0\n`;
  });
  return [
    ...['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
    ...['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--net', '--mount', '--ipc', '--'],
    ...['sh', '-c', BUILD_FILE_SYSTEM, 'sh', ...targets, fstab.join(''), ...command],
  ];
}

/** Escapes a path as `fstab` requires. */
const escapeField = (path: string) =>
  path.replace(/[\s\\]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);

/**
 * Returns the paths to mount. Packages in the same `node_modules` folder share one mount, so that a worker
 * starts faster.
 */
function mountsOf(paths: readonly string[]): string[] {
  const packages = `${sep}node_modules${sep}`;
  const mounts = paths.map(path => {
    const index = path.indexOf(packages);
    return index === -1 ? path : path.slice(0, index + packages.length);
  });
  return [...new Set(mounts)];
}

let foundNodeFiles: readonly string[] | undefined;

/** Returns the paths of the running Node executable and the system libraries that it loads. */
function nodeFiles(): readonly string[] {
  if (foundNodeFiles) return foundNodeFiles;
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // By default, creating the report performs a reverse DNS lookup for every connection.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as unknown as { sharedObjects: readonly string[] };
  report.excludeNetwork = excludeNetwork;
  const libraries = sharedObjects.filter(path => path.startsWith('/') && !path.endsWith('.node'));
  foundNodeFiles = [process.execPath, ...libraries];
  return foundNodeFiles;
}
