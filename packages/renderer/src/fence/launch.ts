import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, constants, copyFile, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ChromiumFiles } from '@compliance/chromium';
import { inBrowserNamespaces, type KernelIsolation, siblingModule } from '@compliance/crawler/pool';
import { type BrowserEvent, type CdpConnection, connectCdp } from '../browser/cdp.ts';
import { browserFlags } from '../browser/flags.ts';
import { createControlGroup } from './control-group.ts';
import { type FenceLayers, inspectFence, MAX_MEMORY_MB, MAX_TASKS, NO_LAYERS } from './layers.ts';
import { type ExceededLimit, type ProcessLimits, type ProcessUse, type ProcessWatch, watchProcesses } from './watch.ts';

/** Options for {@link launchFenced}. */
export interface LaunchOptions {
  readonly chromium: Omit<ChromiumFiles, 'remove'>;
  /**
   * Proxy that isn't listening yet. `launchFenced` chooses the proxy's address, and closing the browser also closes the
   * proxy.
   */
  readonly proxy: Server;
  readonly kernel: KernelIsolation;
  readonly limits: ProcessLimits;
  readonly userAgent: string;
  readonly onEvent: (event: BrowserEvent) => void;
  /** Additional flags, for tests only. */
  readonly extraFlags?: readonly string[];
}

/** A browser behind the fence. */
export interface FencedBrowser {
  readonly cdp: CdpConnection;
  /**
   * Resolves when the browser exits: with the limit that the browser exceeded, or with null if it exited for another
   * reason.
   */
  readonly ended: Promise<ExceededLimit | null>;
  /** Determines which layers are active. `chromiumSandbox` is false until the browser has a page. */
  layers(): FenceLayers;
  peak(): ProcessUse;
  /** Kills the browser with all of its processes, and removes its files. */
  close(): Promise<void>;
}

/**
 * Port that the relay to the proxy listens on. The namespaces have their own loopback device, where nothing else
 * listens.
 */
const RELAY_PORT = 3128;
/** User ID and group ID of the browser if this process runs as root. */
const UNPRIVILEGED_ID = 65_534;
const AS_UNPRIVILEGED = ['setpriv', `--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, '--clear-groups'];
const SCRATCH_MB = 128;
/** Fonts and their configuration, if the system has any. */
const SYSTEM_FONTS = ['/etc/fonts/', '/usr/share/fonts/'].filter(path => existsSync(path));
const LOW_PRIORITY = process.platform === 'win32' ? [] : ['nice', '-n', '10'];
const LAUNCH_MS = 15_000;
/** Interval between checks for a process that the kernel killed, in milliseconds. */
const CHECK_MS = 100;
const MAX_STDERR = 2_000;

/**
 * Starts a browser that can reach the network only through the proxy. On systems with namespaces, the browser has no
 * route, sees only its own processes and the files that it needs, and reaches the proxy through a Unix socket. On other
 * systems, only the browser's flags and the proxy restrict its network access. The browser never runs as root, and
 * never without its own sandbox. `layers()` reports which layers are active.
 *
 * @throws Error if the browser doesn't start
 * @example const browser = await launchFenced({ chromium, proxy, kernel: inspectKernelIsolation(), … });
 */
export async function launchFenced(options: LaunchOptions): Promise<FencedBrowser> {
  const { chromium, proxy, kernel, limits, onEvent } = options;
  const folder = await mkdtemp(join(tmpdir(), 'compliance-render-'));
  const group = createControlGroup({ memoryMb: MAX_MEMORY_MB, tasks: MAX_TASKS });
  let child: ChildProcess | undefined;
  let watch: ProcessWatch | undefined;
  // With cgroup v1, the kernel kills only one of the group's processes.
  const checking = setInterval(() => group?.isMemoryExceeded() && killTree(child), CHECK_MS);
  checking.unref();
  const close = async (): Promise<void> => {
    clearInterval(checking);
    killTree(child);
    await watch?.stop();
    proxy.closeAllConnections();
    proxy.close();
    await Promise.all([rm(folder, { recursive: true, force: true, maxRetries: 10 }), group?.remove()]);
  };
  try {
    // The browser's priority is lower than this process's, so it can't delay the thread that enforces the limits.
    const prioritized = [...LOW_PRIORITY, ...(await commandFor(options, folder))];
    const [command = '', ...args] = group?.inGroup(prioritized) ?? prioritized;
    child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin',
        ...('tool' in kernel ? {} : { HOME: folder }),
        ...(chromium.fonts !== null && { FONTCONFIG_PATH: chromium.fonts }),
      },
      cwd: '/',
      detached: true,
    });
    const stderr = collect(child.stderr!);
    const exited = once(child, 'close').catch(() => []);
    child.on('error', () => {});
    const cdp = connectCdp({ input: child.stdio[3] as Writable, output: child.stdio[4] as Readable }, onEvent);
    if (process.platform === 'linux') watch = watchProcesses(child.pid!, limits);
    const late = new Promise<never>((_, reject) => {
      setTimeout(
        () => reject(new Error(`The browser didn't start within ${LAUNCH_MS / 1000} seconds.`)),
        LAUNCH_MS,
      ).unref();
    });
    const failed = exited.then(() => {
      throw new Error(`The browser didn't start: ${reasonIn(stderr())}`);
    });
    failed.catch(() => {});
    // If the browser has exited, its error output is more useful than the DevTools command's error.
    const started = cdp.send('Browser.getVersion', undefined as never).catch(() => failed);
    await Promise.race([started, late]);
    const { pid } = child;
    const ended = Promise.race([
      watch?.exceeded ?? new Promise<never>(() => {}),
      cdp.closed.then(() => (group?.isMemoryExceeded() ? ('memory' as const) : null)),
    ]);
    return {
      cdp,
      ended,
      layers: () => (process.platform === 'linux' ? inspectFence(pid!) : NO_LAYERS),
      peak: () => {
        const { memoryMb, ...use } = watch?.peak() ?? { memoryMb: 0, processes: 0, threads: 0 };
        // Both values are upper bounds: the watch counts shared memory more than once, and the control group also
        // counts cached files.
        return { ...use, memoryMb: Math.min(memoryMb, group?.peakMb() || memoryMb) };
      },
      close: async () => {
        await close();
        await exited;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the proxy, and returns the command that starts the browser. */
async function commandFor(
  { chromium, proxy, kernel, userAgent, extraFlags = [] }: LaunchOptions,
  folder: string,
): Promise<string[]> {
  const flags = (proxyPort: number, profile: string) => [
    ...browserFlags({ proxyPort, profile, userAgent }),
    ...extraFlags,
  ];
  const isRoot = process.getuid?.() === 0;
  if (!('tool' in kernel)) {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const command = [chromium.executable, ...flags(port, join(folder, 'profile'))];
    if (!isRoot) return command;
    await chown(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
    return [...AS_UNPRIVILEGED, '--no-new-privs', '--', ...command];
  }
  const socket = join(folder, 'proxy');
  await once(proxy.listen(socket), 'listening');
  const relay = fileURLToPath(siblingModule(import.meta.url, 'relay'));
  const [node, program] = isRoot ? await copiesFor(folder, relay) : [process.execPath, relay];
  const command = inBrowserNamespaces(kernel.tool, {
    paths: [
      ...[chromium.folder, ...(chromium.fonts === null ? SYSTEM_FONTS : []), ...librariesOf(chromium.executable)],
      ...[`${folder}/`, ...(isRoot ? [] : [node, program])],
    ],
    node,
    args: [program, socket, `${RELAY_PORT}`, chromium.executable, ...flags(RELAY_PORT, '/scratch/profile')],
    scratchMb: SCRATCH_MB,
  });
  if (!isRoot) return command;
  // Root in a user namespace is still root on the host here, so switch to another user first.
  for (const path of [folder, socket]) await chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  await chmod(folder, 0o700);
  return [...AS_UNPRIVILEGED, '--', ...command];
}

/** Returns the reason for a failed start, based on the browser's error output. */
function reasonIn(stderr: string): string {
  if (stderr.includes('No usable sandbox'))
    return "Chromium can't use its sandbox, which is required for untrusted pages. Allow unprivileged user namespaces.";
  if (/setpriv: (?:command )?not found|setpriv.*No such file/.test(stderr))
    return 'The browser must not run as root, but the `setpriv` command, which switches to another user, is missing. Install util-linux.';
  return stderr || 'it exited without an error message';
}

/** Copies Node and the relay to a folder, because another user might not have access to root's folders. */
async function copiesFor(folder: string, relay: string): Promise<[node: string, relay: string]> {
  // Without a package.json file, the filename extension must indicate that the program is an ES module.
  const copies: [string, string] = [join(folder, 'node'), join(folder, `relay.m${extname(relay).slice(1)}`)];
  for (const [i, source] of [process.execPath, relay].entries())
    await copyFile(source, copies[i]!, constants.COPYFILE_FICLONE);
  return copies;
}

/** Returns the folders that contain a program's shared libraries. */
function librariesOf(executable: string): string[] {
  const listing = execFileSync('ldd', [executable], { encoding: 'utf8' });
  const paths = [...listing.matchAll(/(?:=>|^)\s*(\/\S+) \(0x/gm)].map(([, path]) => dirname(path!));
  return [...new Set(paths)].map(path => `${path}/`);
}

/**
 * Kills a process and its process group. If the group contains the first process of a PID namespace, the kernel then
 * kills all other processes in the namespace.
 */
function killTree(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {}
  child.kill('SIGKILL');
}

/** Collects the beginning of a program's error output. Returns a function that returns the text collected so far. */
function collect(stream: Readable): () => string {
  let text = '';
  stream.on('data', chunk => {
    if (text.length < MAX_STDERR) text += chunk;
  });
  return () => text.slice(0, MAX_STDERR).trim();
}
