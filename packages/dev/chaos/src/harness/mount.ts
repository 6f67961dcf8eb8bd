import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScenarioContext } from '../model/scenario.ts';

let mountable: boolean | undefined;

/** Returns whether this process can mount a file system, which requires root. */
export function canMount(): boolean {
  mountable ??= process.platform === 'linux' && process.getuid?.() === 0 && tryMount();
  return mountable;
}

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Mounts an in-memory file system on a folder, and unmounts it after the scenario. */
export function mountMemory({ defer }: Pick<ScenarioContext, 'defer'>, folder: string, options: string): string {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${options},mode=0755`, 'tmpfs', folder]);
  defer(() => spawnSync('umount', ['-l', folder]));
  return folder;
}

/** Changes the options of a mounted file system, such as its size. */
export function remount(folder: string, options: string): void {
  execFileSync('mount', ['-o', `remount,${options}`, folder]);
}

/** Unmounts a file system that's no longer in use. */
export function unmount(folder: string): void {
  execFileSync('umount', [folder]);
}
