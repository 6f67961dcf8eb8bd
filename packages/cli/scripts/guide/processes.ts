import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const FOLDER = '/run/compliance-guide';

/** Records the process ID of a started service. */
export function remember(name: string, pid: number): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, name), String(pid));
}

/** Stops a service with SIGTERM and waits for it to exit. Does nothing if the service isn't running. */
export async function stopService(name: string): Promise<void> {
  const file = join(FOLDER, name);
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  process.kill(pid, 'SIGTERM');
  for (let i = 0; i < 600 && isRunning(pid); i++) await pause(100);
  if (isRunning(pid)) throw new Error(`${name} didn't stop.`);
}

/** Returns whether a process exists and isn't a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until a service on this machine responds successfully. */
export async function untilReady(url: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await pause(100);
  }
  throw new Error(`${url} isn't ready.`);
}
