import { readlinkSync } from 'node:fs';
import { memoryLimitMb, taskLimit } from './control-group.ts';
import { processTree, readProc, statusField } from './process-tree.ts';

/**
 * Layers of the fence around a running browser. All values except `watched` are read from the kernel, not from this
 * package's settings. If a layer can't be confirmed, its value is false. The proxy isn't listed, because it's always
 * active.
 */
export interface FenceLayers {
  /** Whether the browser has its own network namespace, with no routes and no devices except loopback. */
  readonly noRoutes: boolean;
  /** Whether the browser has its own PID namespace, so that it can't see or signal other processes. */
  readonly ownProcesses: boolean;
  /** Whether the browser has its own mount namespace, which contains only the files that it needs. */
  readonly ownFiles: boolean;
  /** Whether the browser runs as a user other than root, has no capabilities, and can't gain privileges. */
  readonly unprivileged: boolean;
  /** Whether Chromium's own sandbox filters the system calls of the processes that run pages. */
  readonly chromiumSandbox: boolean;
  /** Whether the kernel limits the total memory of the browser's processes to at most 1 GiB. */
  readonly memoryLimited: boolean;
  /** Whether the kernel limits the combined number of the browser's processes and threads to at most 1,000. */
  readonly processesLimited: boolean;
  /** Whether a separate thread kills the browser if it exceeds a limit on memory, processes, threads, or time. */
  readonly watched: boolean;
}

/** Names of the layers for reports and error messages, in display order. */
export const LAYER_NAMES: Readonly<Record<keyof FenceLayers, string>> = {
  noRoutes: 'network isolation',
  ownProcesses: 'process isolation',
  ownFiles: 'file system isolation',
  unprivileged: 'unprivileged user',
  chromiumSandbox: 'Chromium sandbox',
  memoryLimited: 'kernel memory limit',
  processesLimited: 'kernel process limit',
  watched: 'resource watchdog',
};

/**
 * Returns the names of the active and the missing layers, in display order.
 *
 * @example layerNames(NO_LAYERS).missing[0] // 'network isolation'
 */
export function layerNames(layers: FenceLayers): Record<'active' | 'missing', string[]> {
  const names = Object.entries(LAYER_NAMES) as [keyof FenceLayers, string][];
  const list = (isActive: boolean) => names.flatMap(([layer, name]) => (layers[layer] === isActive ? name : []));
  return { active: list(true), missing: list(false) };
}

/** Maximum memory of a browser, in megabytes. */
export const MAX_MEMORY_MB = 1_024;

/** Maximum total of a browser's processes and threads. The watcher thread enforces lower limits. */
export const MAX_TASKS = 1_000;

/** Layers on a system where none can be confirmed. */
export const NO_LAYERS: FenceLayers = {
  noRoutes: false,
  ownProcesses: false,
  ownFiles: false,
  unprivileged: false,
  chromiumSandbox: false,
  memoryLimited: false,
  processesLimited: false,
  watched: false,
};

/**
 * Reads which layers are active for a browser's processes.
 *
 * @param pid process that this program started; the browser is one of its descendants
 * @example inspectFence(child.pid).noRoutes // true
 */
export function inspectFence(pid: number): FenceLayers {
  const processes = processTree(pid)
    .map(each => ({ each, command: readProc(each, 'cmdline'), status: readProc(each, 'status') }))
    .filter(({ command }) => command.includes('--remote-debugging-pipe') || command.includes('--type='));
  const browser = processes.find(
    ({ command }) => command.split('\0').includes('--remote-debugging-pipe') && !/relay\.m?[jt]s\0/.test(command),
  );
  if (!browser) return NO_LAYERS;
  const pages = processes.filter(({ command }) => command.includes('--type=renderer'));
  const devices = readProc(browser.each, 'net/dev').split('\n').slice(2).filter(Boolean);
  const routes = readProc(browser.each, 'net/route').split('\n').slice(1).filter(Boolean);
  const isOwn = (name: string) => {
    const [ours, theirs] = [linkOf('self', name), linkOf(`${browser.each}`, name)];
    return ours !== '' && theirs !== '' && ours !== theirs;
  };
  return {
    noRoutes: isOwn('net') && devices.length === 1 && devices[0]!.trim().startsWith('lo:') && routes.length === 0,
    ownProcesses: isOwn('pid'),
    ownFiles: isOwn('mnt'),
    unprivileged:
      statusField(browser.status, 'Uid') !== 0 &&
      /^CapEff:\s+0+$/m.test(browser.status) &&
      statusField(browser.status, 'NoNewPrivs') === 1,
    chromiumSandbox: pages.length > 0 && pages.every(({ status }) => statusField(status, 'Seccomp') === 2),
    memoryLimited: processes.every(({ each }) => memoryLimitMb(each) <= MAX_MEMORY_MB),
    processesLimited: processes.every(({ each }) => taskLimit(each) <= MAX_TASKS),
    watched: process.platform === 'linux',
  };
}

function linkOf(process: string, namespace: string): string {
  try {
    return readlinkSync(`/proc/${process}/ns/${namespace}`);
  } catch {
    return '';
  }
}
