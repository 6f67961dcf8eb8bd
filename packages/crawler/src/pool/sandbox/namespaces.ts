import { sep } from 'node:path';

/** Program that runs a command in new Linux namespaces. */
export type NamespaceTool = 'unshare' | 'bwrap';

/**
 * Script that builds a file system from the listed paths and runs a command in it. Its arguments are the paths of the
 * code, `--`, the paths of the programs, `--`, and the command. No file can be written, and only programs can be
 * executed.
 *
 * The file system is built in `/sys`, which exists on every Linux system and never contains code. The inner `unshare`
 * gives up all capabilities: a user other than root loses them when a program starts, and a process whose root folder
 * has changed can't create another user namespace to regain them.
 */
const BUILD_FILE_SYSTEM = `set -e
root=/sys
mount -t tmpfs -o mode=755 tmpfs $root
bind() {
  case $1 in
    */) mkdir -p "$root$1" ;;
    *) mkdir -p "$root\${1%/*}"; [ -e "$root$1" ] || : > "$root$1" ;;
  esac
  mount -o "bind,ro,nosuid,nodev$2" "$1" "$root$1"
}
while [ "$1" != -- ]; do bind "$1" ,noexec; shift; done
shift
while [ "$1" != -- ]; do bind "$1" ""; shift; done
shift
mount -o remount,bind,ro $root
exec unshare --user --map-user=65534 --root=$root -- "$@"`;

/**
 * Returns a command that runs Node in new user, process, network, mount, and IPC namespaces. In these namespaces, no
 * other process, network, socket, or shared memory of the machine exists, and the only files are Node and the listed
 * paths. Killing the returned command kills everything in the namespaces, and so does the death of its parent.
 *
 * @param paths files and folders to read; the paths of folders end with `/`
 * @param args arguments for Node
 * @example inNamespaces('unshare', ['/app/main.js'], ['/app/main.js']) // ['setpriv', '--pdeathsig', 'KILL', …]
 */
export function inNamespaces(tool: NamespaceTool, paths: readonly string[], args: readonly string[]): string[] {
  const code = mountsOf(paths);
  const command = [process.execPath, ...args];
  if (tool === 'bwrap') {
    const binds = [...code, ...nodeFiles()].flatMap(path => ['--ro-bind', path, path]);
    const isolation = ['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'];
    return ['bwrap', ...isolation, ...binds, '--remount-ro', '/', '--chdir', '/', '--', ...command];
  }
  return [
    ...['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
    ...['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--net', '--mount', '--ipc', '--'],
    ...['sh', '-c', BUILD_FILE_SYSTEM, 'sh', ...code, '--', ...nodeFiles(), '--', ...command],
  ];
}

/**
 * Returns the paths to mount. Packages in the same `node_modules` folder share one mount, because each mount adds a
 * millisecond to the start of a worker.
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

/** Returns the paths of the running Node executable and of the system's libraries that it loads. */
function nodeFiles(): readonly string[] {
  if (foundNodeFiles) return foundNodeFiles;
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // Otherwise, the report contains a reverse DNS lookup of every connection.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as unknown as { sharedObjects: readonly string[] };
  report.excludeNetwork = excludeNetwork;
  const libraries = sharedObjects.filter(path => path.startsWith('/') && !path.endsWith('.node'));
  foundNodeFiles = [process.execPath, ...libraries];
  return foundNodeFiles;
}
