import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs the pnpm that runs this, or the pinned one, and gives what it prints. @example pnpm(['pack', '--json'], folder) */
export function pnpm(args: readonly string[], cwd: string): string {
  const own = process.env.npm_execpath;
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [command, first] =
    own?.includes('pnpm') && !own.endsWith('.cjs') ? [own, []] : ['npx', ['--yes', packageManager as string]];
  return execFileSync(command, [...first, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
