import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const EXAMPLES = fileURLToPath(new URL('..', import.meta.url));

/** A command's output and exit code. */
interface Outcome {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** A command shown in a README, with its expected output. */
interface Shown {
  command: string;
  output: string;
}

/** A copied example with its dependencies installed. */
export interface Copy {
  folder: string;
  /** Runs a command in the example's folder. */
  run(command: string, env?: Record<string, string>): Promise<Outcome>;
}

/**
 * Copies an example to a temporary folder, which is deleted after the test.
 *
 * @example (await (await copyOf('embed-node')).run('node embed.mjs')).stdout
 */
export async function copyOf(name: string): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'compliance-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(EXAMPLES, name), folder, { recursive: true });
  await symlink(join(EXAMPLES, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return { folder, run: (command, env = {}) => run(command, folder, env) };
}

/**
 * Copies an example as {@link copyOf} does, and makes the `compliance` command available in the copy.
 *
 * @example (await (await copyWithCommand('ci-scan')).run('compliance --version')).stdout
 */
export async function copyWithCommand(name: string): Promise<Copy> {
  const copy = await copyOf(name);
  const main = join(dirname(createRequire(import.meta.url).resolve('@compliance/cli/package.json')), 'src/main.ts');
  const bin = join(copy.folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'compliance'), `#!/bin/sh\nexec node '${main}' "$@"\n`);
  await chmod(join(bin, 'compliance'), 0o755);
  return { ...copy, run: (command, env) => copy.run(`PATH="${bin}:$PATH"; ${command}`, env) };
}

/**
 * Returns the commands in an example's README (lines that start with `$` in `console` blocks), with their expected
 * output.
 */
export async function shownIn(name: string): Promise<Shown[]> {
  const page = await readFile(join(EXAMPLES, name, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
  return blocks.flatMap(block =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(text => ({ command: text.split('\n')[0]!, output: text.split('\n').slice(1).join('\n') })),
  );
}

/** Returns the actual and expected output for comparison. A `…` in the README matches one or more characters. */
export function compared(printed: string, { output }: Shown): [string, string] {
  const lines = output.split('\n');
  const elided = printed.split('\n').map((line, i) => {
    const parts = (lines[i] ?? '').split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}$`).test(line) ? lines[i] : line;
  });
  return [elided.join('\n'), output];
}

async function run(command: string, cwd: string, env: Record<string, string>): Promise<Outcome> {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const PATH = [dirname(process.execPath), join(EXAMPLES, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  // In this repository, the packages run from source. Packages installed from the registry don't need this export
  // condition.
  const NODE_OPTIONS = '--conditions=@compliance/source';
  const child = spawn('sh', ['-c', command], { cwd, env: { ...inherited, PATH, NODE_OPTIONS, ...env } });
  const outcome: Outcome = { stdout: '', stderr: '', exitCode: 0 };
  child.stdout.setEncoding('utf8').on('data', text => (outcome.stdout += text));
  child.stderr.setEncoding('utf8').on('data', text => (outcome.stderr += text));
  outcome.exitCode = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  return outcome;
}
