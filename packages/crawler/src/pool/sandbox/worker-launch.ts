import { fileURLToPath } from 'node:url';
import type { KernelIsolation } from './layers.ts';
import { inNamespaces } from './namespaces.ts';
import { readableFiles } from './readable-files.ts';

/** Options for {@link workerLaunch}. */
export interface WorkerLaunchOptions {
  /** The module that the process runs. */
  readonly main: URL;
  /**
   * Modules that `main` imports later. The process can read only the packages that contain `main` and these modules,
   * and the dependencies of those packages.
   */
  readonly modules: readonly URL[];
  /** JavaScript heap size in megabytes, excluding Buffers. */
  readonly memoryMb: number;
  readonly kernel: KernelIsolation;
}

/** Command that starts a sandboxed worker process. */
export interface WorkerLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly memoryMb: number;
  /** Files and folders that the process can read. */
  readonly files: readonly string[];
}

/**
 * Returns the command that starts a worker process in the sandbox, with every layer that the system supports:
 *
 * 1. Node's permission model: the process can read only the code that it runs. It can't write files, start processes
 *    or threads, load native addons, or, since Node 25, use the network.
 * 2. Linux namespaces: if a bug in Node lets a job escape the permission model, the process still can't use the network
 *    or find, signal, or read other processes, and the file system contains only Node and code.
 *
 * `lockProcess` is the third layer, which the process applies to itself.
 *
 * @example workerLaunch({ main: new URL('worker.js', import.meta.url), modules: [], memoryMb: 256, kernel: { tool: 'unshare' } })
 */
export function workerLaunch({ main, modules, memoryMb, kernel }: WorkerLaunchOptions): WorkerLaunch {
  const files = readableFiles([main, ...modules]);
  const nodeArgs = [
    `--max-old-space-size=${memoryMb}`,
    '--permission',
    ...files.map(path => `--allow-fs-read=${path}`),
    '--no-addons',
    ...(main.pathname.endsWith('.ts') ? ['--conditions=@compliance/source'] : []),
    fileURLToPath(main),
  ];
  const [command, ...args] =
    'tool' in kernel ? inNamespaces(kernel.tool, files, nodeArgs) : [process.execPath, ...nodeArgs];
  return { command: command!, args, memoryMb, files };
}
