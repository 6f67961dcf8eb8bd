import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { openStore } from '@compliance/store';
import { expect, onTestFinished, vi } from 'vitest';
import { createProgram } from '../program.ts';
import { run } from '../run.ts';
import { linkKeys } from '../secrets/link-keys.ts';
import { operatorSecret } from '../secrets/operator-secret.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

interface RunOptions {
  /** Standard input; empty by default. */
  input?: string;
  env?: Record<string, string>;
}

interface ProcessOptions extends RunOptions {
  /** Working directory; by default, the test run's working directory. */
  cwd?: string;
}

/** Environment variables that the test run must not pass to commands. Vitest sets `BASE_URL` and `NODE_ENV`. */
const HIDDEN = ['DATABASE_URL', 'FORCE_COLOR', 'BASE_URL', 'NODE_ENV'];

/** Returns the environment for a command. */
function environment(changes: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !HIDDEN.includes(name));
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', COLUMNS: '100', ...changes };
}

/** Starts `compliance` from source in a child process. */
export function startCli(args: string[], env?: Record<string, string>, cwd?: string): ChildProcess {
  return spawn(process.execPath, ['--conditions=@compliance/source', MAIN, ...args], { cwd, env: environment(env) });
}

/** Runs `compliance` in a child process, waits for it to exit, and returns its exit code and output. */
export async function runCliProcess(args: string[], { input = '', env, cwd }: ProcessOptions = {}) {
  const child = startCli(args, env, cwd);
  const read = collect(child);
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, ...read() };
}

/**
 * The command currently running in this process. Commands share the process's streams and environment, so they run one
 * at a time.
 */
let running: Promise<unknown> = Promise.resolve();

/**
 * Runs `compliance` in this process, which is faster than a child process, and returns its exit code and output. Use
 * `runCliProcess` for tests that depend on process behavior, such as signals or the time until the process exits.
 */
export async function runCli(args: string[], options: RunOptions = {}): ReturnType<typeof runCliProcess> {
  const turn = running.then(() => runHere(args, options));
  running = turn.catch(() => {});
  return await turn;
}

async function runHere(args: string[], { input = '', env }: RunOptions): ReturnType<typeof runCliProcess> {
  const output = { stdout: '', stderr: '' };
  const capture = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest: unknown[]) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      const done = rest.at(-1);
      if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    });
  const spies = [
    capture('stdout'),
    capture('stderr'),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(streamOf(input)),
  ];
  const before = { ...process.env };
  replaceEnvironment(environment(env));
  process.exitCode = undefined;
  try {
    await run(args);
    return { exitCode: Number(process.exitCode ?? 0), ...output };
  } finally {
    process.exitCode = undefined;
    replaceEnvironment(before);
    for (const spy of spies) spy.mockRestore();
  }
}

function streamOf(text: string): typeof process.stdin {
  return Readable.from(text === '' ? [] : [Buffer.from(text)], { objectMode: false }) as typeof process.stdin;
}

function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/**
 * Runs `compliance` in this process, which is faster than a child process, and asserts that the command fails with an
 * error message that matches `message`.
 */
export async function expectRefusal(args: string[], message: string | RegExp): Promise<void> {
  const outcome = (await createProgram(args)).parseAsync(args, { from: 'user' });
  await expect(outcome, args.join(' ')).rejects.toThrow(message);
}

/** Text at the end of the welcome message. The demo key must not appear after this text. */
const WELCOME_END = 'Stop with Ctrl-C';

/** Matches an API key, a link signature, or an email address. */
const SENSITIVE = /cmpl_live_|[?&]sig=|[\w.+-]+@[\w-]+\.[a-z]{2,}/i;

/** Starts `compliance serve` for one test and waits until the service is ready or has exited. */
export async function serveForTest(args: string[], env: Record<string, string> = {}) {
  const service = await startService(args, env);
  onTestFinished(service.stop);
  return service;
}

/**
 * Starts `compliance serve`, which runs until the caller stops it. `stop` kills the process and fails the test if the
 * process printed a secret.
 */
export async function startService(args: string[], env: Record<string, string> = {}) {
  const child = startCli(['serve', '--port', '0', ...args], env);
  const read = collect(child);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  /** Reads a secret from the data folder. */
  const readSecret = (name: string) => {
    const file = join(args[args.indexOf('--data') + 1]!, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await closed;
    const { stdout, stderr } = read();
    expect(stderr).not.toMatch(SENSITIVE);
    expect(stdout.slice(stdout.indexOf(WELCOME_END))).not.toMatch(SENSITIVE);
    const linkKeys = (env.LINK_KEYS ?? readSecret('link-keys')).split(/\s+/).map(entry => entry.split(':')[1]);
    const password = env.DATABASE_URL && new URL(env.DATABASE_URL).password;
    const secrets = [
      env.OPERATOR_SECRET,
      readSecret('operator-secret'),
      env.S3_SECRET_ACCESS_KEY,
      env.COMPLIANCE_SIGNING_PASSWORD,
      password,
      ...linkKeys,
    ];
    for (const secret of secrets) if (secret) expect(stdout + stderr).not.toContain(secret);
  };
  await Promise.race([closed, until(() => read().stdout.includes(WELCOME_END))]);
  const base = /http:\/\/127\.0\.0\.1:\d+/.exec(read().stdout)?.[0] ?? '';
  return { child, base, closed, readSecret, stop, output: () => read() };
}

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a data folder with secrets and an empty store, as the service does on its first start. */
export async function folderWithStore(): Promise<string> {
  const dataDir = join(temporaryFolder(), 'data');
  operatorSecret(dataDir, {});
  linkKeys(dataDir, {});
  await (await openStore({ dataDir, clock: Date.now })).close();
  return dataDir;
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
