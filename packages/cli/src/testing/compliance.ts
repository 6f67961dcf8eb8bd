import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';

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

/** The last words of the greeting. What is said before them is for the person who started the service, the demo key too. */
const GREETED = 'Stop with Ctrl-C';

/** A key, the signature of a link, or an e-mail address. */
const TELLING = /cmpl_live_|[?&]sig=|[\w.+-]+@[\w-]+\.[a-z]{2,}/i;

/** Starts `compliance serve` for one test and waits until it says where it serves, or has ended. */
export async function serving(args: string[], env: Record<string, string> = {}) {
  const service = await startServing(args, env);
  onTestFinished(service.end);
  return service;
}

/** The same for as long as the caller wants. `end` kills it, and fails when it wrote a secret. */
export async function startServing(args: string[], env: Record<string, string> = {}) {
  const child = start(['serve', '--port', '0', ...args], env);
  const read = collect(child);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  /** A secret of the data folder. */
  const kept = (name: string) => {
    const file = join(args[args.indexOf('--data') + 1]!, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  const end = async () => {
    child.kill('SIGKILL');
    await closed;
    const { stdout, stderr } = read();
    expect(stderr).not.toMatch(TELLING);
    expect(stdout.slice(stdout.indexOf(GREETED))).not.toMatch(TELLING);
    const linkKeys = (env.LINK_KEYS ?? kept('link-keys')).split(/\s+/).map(entry => entry.split(':')[1]);
    const password = env.DATABASE_URL && new URL(env.DATABASE_URL).password;
    const secrets = [env.OPERATOR_SECRET, kept('operator-secret'), env.S3_SECRET_ACCESS_KEY, password, ...linkKeys];
    for (const secret of secrets) if (secret) expect(stdout + stderr).not.toContain(secret);
  };
  await Promise.race([closed, until(() => read().stdout.includes(GREETED))]);
  const base = /http:\/\/127\.0\.0\.1:\d+/.exec(read().stdout)?.[0] ?? '';
  return { child, base, closed, kept, end, output: () => read() };
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
