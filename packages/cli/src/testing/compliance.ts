import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

interface Setting {
  /** What standard input holds; nothing when left out. */
  input?: string;
  env?: Record<string, string>;
}

/** Starts the command in a process of its own, from source. */
function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  // BASE_URL is the test runner's own.
  const { DATABASE_URL: _, FORCE_COLOR: __, BASE_URL: ___, ...inherited } = process.env;
  return spawn(process.execPath, ['--conditions=@compliance/source', MAIN, ...args], {
    env: { ...inherited, NO_COLOR: '1', COLUMNS: '100', ...env },
  });
}

/** Runs the command to its end. */
export async function compliance(args: string[], { input = '', env }: Setting = {}) {
  const child = start(args, env);
  const read = collect(child);
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...read() };
}

/** Starts `compliance serve` and waits until it says where it serves, or has ended. */
export async function serving(args: string[], env: Record<string, string> = {}) {
  const child = start(['serve', '--port', '0', ...args], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const read = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  await Promise.race([closed, until(() => read().stdout.includes('Stop with Ctrl-C'))]);
  const base = /http:\/\/127\.0\.0\.1:\d+/.exec(read().stdout)?.[0] ?? '';
  return { child, base, closed, output: () => read() };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function collect(child: ChildProcess) {
  let [stdout, stderr] = ['', ''];
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return () => ({ stdout, stderr });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20));
}
