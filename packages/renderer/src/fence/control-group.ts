import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readProc } from './process-tree.ts';

/** Control group limits. */
export interface GroupLimits {
  readonly memoryMb: number;
  /** Maximum combined number of processes and threads. */
  readonly tasks: number;
}

/** Control group whose processes share limits that the kernel enforces. */
export interface ControlGroup {
  /** Limits that the kernel enforces. This system doesn't support the other limits. */
  readonly enforced: ReadonlySet<keyof GroupLimits>;
  /** Returns a command that runs another command in the group. If joining the group fails, the command runs anyway. */
  inGroup(command: readonly string[]): string[];
  /** Returns whether the kernel killed a process because the group reached its memory limit. */
  isMemoryExceeded(): boolean;
  /** Returns the group's peak memory in megabytes, including cached files, or 0 if the kernel doesn't report it. */
  peakMb(): number;
  /** Removes the group. Call this method once the group's processes have ended. */
  remove(): Promise<void>;
}

/** Names of control group files, by cgroup version. The file that limits swapping might be missing. */
const MEMORY_FILES = {
  v1: { limit: 'memory.limit_in_bytes', swap: 'memory.memsw.limit_in_bytes', peak: 'memory.max_usage_in_bytes' },
  v2: { limit: 'memory.max', swap: 'memory.swap.max', peak: 'memory.peak' },
} as const;
const TASKS_FILE = 'pids.max';

const ROOT = '/sys/fs/cgroup';
const MEGABYTE = 2 ** 20;
/**
 * Number of attempts to remove a group while its processes might still be exiting, and the pause between attempts, in
 * milliseconds.
 */
const REMOVE = { attempts: 20, pauseMs: 25 };

/** Kernel component that enforces a limit. With cgroup v1, each controller has its own hierarchy. */
type Controller = 'memory' | 'pids';

interface Folder {
  readonly version: 'v1' | 'v2';
  readonly folder: string;
}

/**
 * Creates a control group. With cgroup v2, the parent of this process's group must be writable, for example because
 * systemd delegates it (`Delegate=memory pids` with `DelegateSubgroup`). With cgroup v1, this process's groups must be
 * writable.
 *
 * @returns null if this process can't create a group that enforces at least one of the limits
 * @example createControlGroup({ memoryMb: 1_024, tasks: 1_000 })?.inGroup(['sleep', '1']) // ['sh', '-c', …]
 */
export function createControlGroup({ memoryMb, tasks }: GroupLimits): ControlGroup | null {
  const name = `compliance-render-${randomUUID()}`;
  const bytes = memoryMb * MEGABYTE;
  const memory = createFolder('memory', name, ({ version, folder }) => {
    const { limit, swap } = MEMORY_FILES[version];
    writeFileSync(join(folder, limit), `${bytes}`);
    try {
      writeFileSync(join(folder, swap), version === 'v2' ? '0' : `${bytes}`);
      if (version === 'v2') writeFileSync(join(folder, 'memory.oom.group'), '1');
    } catch {
      // The kernel can't limit swapping, or can't kill all of the group's processes at once.
    }
  });
  const pids = createFolder('pids', name, ({ folder }) => writeFileSync(join(folder, TASKS_FILE), `${tasks}`));
  const folders = [...new Set([memory, pids].flatMap(each => each?.folder ?? []))];
  if (folders.length === 0) return null;
  // The first folder is `$0`.
  const joinGroups = folders.map((_, index) => `echo $$ 2>/dev/null > "$${index}/cgroup.procs"; `).join('');
  const program = `${joinGroups}shift ${folders.length - 1}; exec "$@"`;
  return {
    enforced: new Set([...(memory ? ['memoryMb' as const] : []), ...(pids ? ['tasks' as const] : [])]),
    inGroup: command => ['sh', '-c', program, ...folders, ...command],
    isMemoryExceeded: () =>
      memory !== null &&
      /^oom_kill [1-9]/m.test(
        read(join(memory.folder, memory.version === 'v2' ? 'memory.events' : 'memory.oom_control')),
      ),
    peakMb: () =>
      memory ? Math.ceil(Number(read(join(memory.folder, MEMORY_FILES[memory.version].peak))) / MEGABYTE) : 0,
    async remove() {
      await Promise.all(folders.map(removeFolder));
    },
  };
}

/** Creates a group's folder and sets its limit. Returns null on failure, for example because of missing permissions. */
function createFolder(controller: Controller, name: string, limit: (group: Folder) => void): Folder | null {
  const own = folderOf('self', controller);
  if (!own) return null;
  const { version } = own;
  // In cgroup v2, a group with processes can't contain other groups with limits.
  const parent = version === 'v2' ? dirname(own.folder) : own.folder;
  const folder = join(parent, name);
  try {
    if (version === 'v2') writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`);
    mkdirSync(folder, { recursive: true });
    limit({ version, folder });
    return { version, folder };
  } catch {
    // In cgroup v2, controllers share the folder, so another controller might already use it.
    if (version === 'v1') void removeFolder(folder);
    return null;
  }
}

async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < REMOVE.attempts; attempt++) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      await wait(REMOVE.pauseMs);
    }
  }
}

/** Returns the memory limit of a process's control group in megabytes, or Infinity if there's none. */
export function memoryLimitMb(pid: number): number {
  const found = folderOf(pid, 'memory');
  const limit = found && Number.parseInt(read(join(found.folder, MEMORY_FILES[found.version].limit)), 10);
  return limit ? limit / MEGABYTE : Number.POSITIVE_INFINITY;
}

/**
 * Returns the limit on the number of processes and threads in a process's control group, or Infinity if there's none.
 */
export function taskLimit(pid: number): number {
  const found = folderOf(pid, 'pids');
  return (found && Number.parseInt(read(join(found.folder, TASKS_FILE)), 10)) || Number.POSITIVE_INFINITY;
}

/** Returns the folder of a process's control group in a controller's tree. */
function folderOf(pid: number | 'self', controller: Controller): Folder | null {
  const groups = readProc(pid, 'cgroup');
  const [, old] = new RegExp(`^\\d+:(?:[\\w=]+,)*${controller}(?:,[\\w=]+)*:(/.*)$`, 'm').exec(groups) ?? [];
  const [, unified] = /^0::(\/.+)$/m.exec(groups) ?? [];
  const path = old ?? unified;
  // A path outside this process's namespace starts with `/..`.
  if (path === undefined || path.startsWith('/..')) return null;
  return old === undefined
    ? { version: 'v2', folder: join(ROOT, path) }
    : { version: 'v1', folder: join(ROOT, controller, path) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
