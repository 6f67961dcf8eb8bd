import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

/** Repository root. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/** Time limit for a command, which can include a build or a download. */
const TIMEOUT_MS = 300_000;

/** Folder that contains the lock file. Git ignores this folder. */
const CACHE = join(REPOSITORY_ROOT, 'node_modules/.cache');

/**
 * Runs pnpm and returns its standard output. Only one process runs pnpm at a time, because packing a package rebuilds
 * its `dist` folder, which another process might be reading. Uses the pnpm version that started this process, or the
 * pinned version if pnpm didn't start this process.
 *
 * @throws Error if the command fails, with code `ETIMEDOUT` if it takes more than 5 minutes
 * @example pnpm(['pack', '--json'], folder)
 */
export function pnpm(args: readonly string[], cwd: string): string {
  const own = process.env.npm_execpath;
  const { packageManager } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8'));
  const [command, first] =
    own?.includes('pnpm') && !own.endsWith('.cjs') ? [own, []] : ['npx', ['--yes', packageManager as string]];
  mkdirSync(CACHE, { recursive: true });
  // The operating system releases the lock even if this process is killed.
  const lock = new DatabaseSync(join(CACHE, 'pnpm.sqlite'), { timeout: 2 * TIMEOUT_MS });
  lock.exec('BEGIN EXCLUSIVE');
  try {
    return execFileSync(command, [...first, ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
  } finally {
    lock.close();
  }
}

/**
 * Builds and packs npm packages with a single pnpm process, which packs dependencies first. Returns the paths of the
 * tarballs.
 *
 * @param places folders of the packages, relative to `packages`
 * @param folder folder in which to create the tarballs
 * @throws Error if a build fails
 * @example packPackages(['core', 'clients/node'], folder) // ['…/compliance-client-0.1.0.tgz', '…/compliance-core-0.1.0.tgz']
 */
export function packPackages(places: readonly string[], folder: string): string[] {
  const filters = places.map(place => `--filter=./packages/${place}`);
  pnpm(['--recursive', ...filters, 'pack', '--pack-destination', folder], REPOSITORY_ROOT);
  return globSync('*.tgz', { cwd: folder })
    .sort()
    .map(file => join(folder, file));
}
