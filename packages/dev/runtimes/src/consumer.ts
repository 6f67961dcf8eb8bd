import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '@compliance/workspace/pnpm';

/** Folders of the packages that a consumer installs, relative to `packages`. */
const PACKAGES = ['core', 'fonts-latin', 'clients/node'];

/** A project that is outside the workspace and has the published packages installed. */
export interface Consumer {
  readonly folder: string;
  /** Creates a file in the project, along with any missing folders, and returns the file's absolute path. */
  write(path: string, content: string): string;
  remove(): void;
}

/**
 * Packs the packages and uses npm to install their tarballs in a new project. The project also contains the
 * `compute-results.mjs` program.
 *
 * @param parent folder in which to create the project
 * @example const consumer = createConsumer(); consumer.remove();
 */
export function createConsumer(parent: string = tmpdir()): Consumer {
  const folder = mkdtempSync(join(parent, 'consumer-'));
  const write = (path: string, content: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
    return join(folder, path);
  };
  write('package.json', '{ "private": true }');
  // The packages have no dependencies, so npm doesn't need the registry.
  const tarballs = packPackages(PACKAGES, join(folder, 'tarballs'));
  runTool('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], folder);
  write(
    'compute-results.mjs',
    stripTypeScriptTypes(readFileSync(new URL('./program/compute-results.ts', import.meta.url), 'utf8')),
  );
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs a command and returns its standard output.
 *
 * @throws Error that contains the command's output if the command fails or takes more than 5 minutes
 * @example runTool('node', ['--version'], folder) // 'v26.10.0\n'
 */
export function runTool(command: string, args: readonly string[], cwd: string): string {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: [...stdio],
      timeout: 300_000,
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const { code, stdout, stderr, message } = error as NodeJS.ErrnoException & { stdout?: string; stderr?: string };
    // Truncate the lines, because a stack trace can include a very long line from a bundle.
    const output = `${stdout ?? ''}${stderr ?? ''}`.split('\n').map(line => line.slice(0, 400));
    const text = `${message.split('\n')[0]}\n${output.slice(-40).join('\n')}`;
    throw Object.assign(new Error(text), code && { code });
  }
}
