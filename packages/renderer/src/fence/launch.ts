import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { type FenceLayers, inspectFence, NO_LAYERS } from './layers.ts';
import { type ExceededLimit, type ProcessLimits, type ProcessUse, type ProcessWatch, watchProcesses } from './watch.ts';

/** Options for {@link launchFenced}. */
export interface LaunchOptions {
  readonly chromium: ChromiumFiles;
  /** Proxy that isn't listening yet. `launchFenced` chooses its address, and closing the browser closes the proxy. */
  readonly proxy: Server;
  readonly kernel: KernelIsolation;
  readonly limits: ProcessLimits;
  readonly userAgent: string;
  readonly onEvent: (event: BrowserEvent) => void;
  /** Additional flags. Only tests need them. */
  readonly extraFlags?: readonly string[];
}

/** A browser behind the fence. */
export interface FencedBrowser {
  readonly cdp: CdpConnection;
  /** Resolves with the limit that ended the browser, or with null if something else ended it. */
  readonly ended: Promise<ExceededLimit | null>;
  /** Reads which layers are active. `chromiumSandbox` is false until the browser has a page. */
  layers(): FenceLayers;
  peak(): ProcessUse;
  /** Kills the browser with all of its processes, and removes its files. */
  close(): Promise<void>;
}

/** Port of the relay to the proxy. It's on the namespaces' own loopback device, where nothing else listens. */
const RELAY_PORT = 3128;
/** The user `nobody`. */
const NOBODY = 65_534;
const SCRATCH_MB = 128;
const LOW_PRIORITY = process.platform === 'win32' ? [] : ['nice', '-n', '10'];
const LAUNCH_MS = 15_000;
const MAX_STDERR = 2_000;

/**
 * Starts a browser whose only way out is the proxy. On systems with namespaces, the browser has no route, sees only
 * its own processes and the files that it needs, and reaches the proxy through a Unix socket. On other systems, the
 * browser's flags and the proxy are the only layers. `layers()` reports which layers are active.
 *
 * @throws Error if the browser doesn't start
 * @example const browser = await launchFenced({ chromium, proxy, kernel: inspectKernelIsolation(), … });
 */
export async function launchFenced(options: LaunchOptions): Promise<FencedBrowser> {
  const { proxy, kernel, limits, onEvent } = options;
  const folder = await mkdtemp(join(tmpdir(), 'compliance-render-'));
  let child: ChildProcess | undefined;
  let watch: ProcessWatch | undefined;
  const close = async (): Promise<void> => {
    killTree(child);
    await watch?.stop();
    proxy.closeAllConnections();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // With a lower priority than this process, the browser can't delay the thread that enforces the limits.
    const [command = '', ...args] = [...LOW_PRIORITY, ...(await commandFor(options, folder))];
    child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', ...('tool' in kernel ? {} : { HOME: folder }) },
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
        () => reject(new Error(`The browser didn't start in ${LAUNCH_MS / 1000} seconds.`)),
        LAUNCH_MS,
      ).unref();
    });
    const failed = exited.then(() => {
      throw new Error(`The browser didn't start: ${stderr() || 'it ended without a message'}`);
    });
    failed.catch(() => {});
    // If the browser has exited, its error output is more useful than the command's error.
    const started = cdp.send('Browser.getVersion', undefined as never).catch(() => failed);
    await Promise.race([started, late]);
    const { pid } = child;
    const ended = Promise.race([watch?.exceeded ?? new Promise<never>(() => {}), cdp.closed.then(() => null)]);
    return {
      cdp,
      ended,
      layers: () => (process.platform === 'linux' ? inspectFence(pid!) : NO_LAYERS),
      peak: () => watch?.peak() ?? { memoryMb: 0, processes: 0, threads: 0 },
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

/** Makes the proxy listen, and returns the command that starts the browser. */
async function commandFor(
  { chromium, proxy, kernel, userAgent, extraFlags = [] }: LaunchOptions,
  folder: string,
): Promise<string[]> {
  const flags = (proxyPort: number, profile: string, sandbox: boolean) => [
    ...browserFlags({ proxyPort, profile, userAgent, sandbox }),
    ...extraFlags,
  ];
  if (!('tool' in kernel)) {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    // Without namespaces, Chromium's sandbox works unless this process runs as root.
    return [chromium.executable, ...flags(port, join(folder, 'profile'), process.getuid?.() !== 0)];
  }
  const socket = join(folder, 'proxy');
  await once(proxy.listen(socket), 'listening');
  const isRoot = process.getuid?.() === 0;
  const relay = fileURLToPath(siblingModule(import.meta.url, 'relay'));
  const [node, program] = isRoot ? await copiesFor(folder, relay) : [process.execPath, relay];
  const command = inBrowserNamespaces(kernel.tool, {
    paths: [chromium.folder, ...librariesOf(chromium.executable), `${folder}/`, ...(isRoot ? [] : [node, program])],
    node,
    args: [program, socket, `${RELAY_PORT}`, chromium.executable, ...flags(RELAY_PORT, '/scratch/profile', true)],
    scratchMb: SCRATCH_MB,
  });
  if (!isRoot) return command;
  // Root in a user namespace is still root outside, so become another user first.
  for (const path of [folder, socket]) await chown(path, NOBODY, NOBODY);
  await chmod(folder, 0o700);
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...command];
}

/** Copies Node and the relay to a folder, because another user might not have access to root's folders. */
async function copiesFor(folder: string, relay: string): Promise<[node: string, relay: string]> {
  // Without a package.json file, the extension states that the program is an ES module.
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

/** Kills a process and its process group. In a process namespace, the kernel then kills all other processes. */
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
