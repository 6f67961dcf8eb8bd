// Runs the README's two quick-start commands in a fresh clone of the repository, without the bundled Node. With Node
// 22 and 24, both commands must work. With Node 20, both must fail with a message that names the required Node version.
// `start` runs without optional dependencies. `test` needs them, because they include the type checker and the linter.
// `test` runs only some tests. To run all of them, add --full. To test only some Node versions, add them as arguments:
// 22 24.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { REPOSITORY_ROOT } from '../src/shipping/pnpm.ts';

const SUPPORTED = ['22.23.3', '24.21.0'];
const TOO_OLD = '20.20.2';

/** Tests that start processes, use the store, and check the tariff data. */
const SOME_TESTS = ['packages/cli/src/program.test.ts', 'packages/core/src/tariff/lookup', 'packages/store/src/keys'];

const tests = process.argv.includes('--full') ? [] : SOME_TESTS;
const { packageManager } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8')) as {
  packageManager: string;
};

/** Downloads a Node.js version from the registry, and returns an environment whose PATH lists that version first. */
function environmentOf(version: string, port: number): NodeJS.ProcessEnv {
  const npx = ['--yes', '-p', `node-linux-${process.arch}@${version}`, '-c', 'command -v node'];
  const executable = execFileSync('npx', npx, { encoding: 'utf8' }).trim();
  const inherited = (process.env.PATH ?? '').split(delimiter).filter(part => !part.includes('node_modules'));
  const { NODE_OPTIONS: _, CI: __, npm_execpath: ___, ...env } = process.env;
  return { ...env, PATH: [dirname(executable), ...inherited].join(delimiter), COMPLIANCE_PORT: String(port) };
}

/** Options for capturing output, with a higher limit because the test command prints more than the default of 1 MiB. */
const OUTPUT = { encoding: 'utf8', stdio: 'pipe', maxBuffer: 256 * 2 ** 20 } as const;

const pnpm = (folder: string, env: NodeJS.ProcessEnv, args: readonly string[]) =>
  execFileSync('npx', ['--yes', packageManager, ...args], { cwd: folder, env, ...OUTPUT });

/** Installs the packages without optional dependencies, which include the bundled Node. */
function installRequired(folder: string, env: NodeJS.ProcessEnv): void {
  pnpm(folder, env, ['install', '--frozen-lockfile', '--no-optional']);
  expectNoBundledNode(folder);
}

/** Installs all packages, and then removes the bundled Node.js binary, which is available only for some platforms. */
function installAll(folder: string, env: NodeJS.ProcessEnv): void {
  pnpm(folder, env, ['install', '--frozen-lockfile']);
  for (const place of ['node_modules/.bin/node', ...globSync('node_modules/node-linux-*', { cwd: folder })])
    rmSync(join(folder, place), { recursive: true, force: true });
}

function expectNoBundledNode(folder: string): void {
  if (existsSync(join(folder, 'node_modules/.bin/node')))
    throw new Error('node_modules/.bin/node exists, but the bundled Node must not be installed.');
}

/** Starts the service, looks up a code, and stops the service. */
async function start(folder: string, env: NodeJS.ProcessEnv, port: number): Promise<void> {
  const child = spawn('npx', ['--yes', packageManager, 'start'], { cwd: folder, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
  const ended = new Promise<never>((_, reject) => {
    child.on('close', code => reject(new Error(`start exited with code ${code}:\n${output}`)));
  });
  try {
    const isReady = async () => {
      while (!output.includes('Stop with Ctrl-C')) await new Promise(resolve => setTimeout(resolve, 100));
    };
    await Promise.race([isReady(), ended]);
    const response = await fetch(`http://127.0.0.1:${port}/api/v0/hts/7318.15.2061?as_of=2026-10-01`);
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
    // Check again, because pnpm can install missing packages before it runs a script.
    expectNoBundledNode(folder);
  } finally {
    ended.catch(() => {});
    process.kill(-child.pid!, 'SIGTERM');
  }
}

/** Expects a command to fail with a message that states the required Node version. */
function refuse(folder: string, env: NodeJS.ProcessEnv, command: string): void {
  try {
    pnpm(folder, env, [command]);
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    if (/requires Node\.js [\d.]+ or later, but you're running Node\.js 20/.test(stdout + stderr)) return;
    throw error;
  }
  throw new Error(`${command} ran on Node ${TOO_OLD}.`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Runs a step and prints its outcome. */
async function report(name: string, step: () => unknown): Promise<void> {
  const began = performance.now();
  let outcome = 'ok';
  try {
    await step();
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`;
    const log = join(tmpdir(), `compliance-fresh-${name.replaceAll(' ', '-')}.log`);
    writeFileSync(log, output);
    outcome = `FAILED: ${message.split('\n')[0]}\n${output.split('\n').slice(-60).join('\n')}\nComplete output: ${log}`;
    process.exitCode = 1;
  }
  process.stdout.write(
    `${name.padEnd(24)} ${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${outcome}\n`,
  );
}

const majors = process.argv.slice(2).filter(argument => /^\d+$/.test(argument));
const isSelected = (version: string) => majors.length === 0 || majors.includes(version.split('.')[0]!);
for (const version of [...SUPPORTED, TOO_OLD].filter(isSelected)) {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-fresh-'));
  const port = await freePort();
  const env = environmentOf(version, port);
  execFileSync('git', ['clone', '--quiet', '--shared', REPOSITORY_ROOT, folder]);
  await report(`Node ${version} install`, () => installRequired(folder, env));
  if (version === TOO_OLD) {
    for (const command of ['start', 'test'])
      await report(`Node ${version} ${command}`, () => refuse(folder, env, command));
  } else {
    await report(`Node ${version} start`, () => start(folder, env, port));
    await report(`Node ${version} install all`, () => installAll(folder, env));
    await report(`Node ${version} test`, () => pnpm(folder, env, ['test', ...tests]));
  }
  rmSync(folder, { recursive: true, force: true });
}
