import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Repository root. */
export const REPOSITORY_ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/** Time limit for a command, which can include a build or a download. */
const TIMEOUT_MS = 300_000;

/**
 * Runs pnpm and returns its standard output. Uses the pnpm version that started this process, or the pinned version if pnpm
 * didn't start this process.
 *
 * @throws Error with the code `ETIMEDOUT` if the command takes more than 5 minutes.
 * @example pnpm(['pack', '--json'], folder)
 */
export function pnpm(args: readonly string[], cwd: string): string {
  const own = process.env.npm_execpath;
  const { packageManager } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8'));
  const [command, first] =
    own?.includes('pnpm') && !own.endsWith('.cjs') ? [own, []] : ['npx', ['--yes', packageManager as string]];
  return execFileSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
}
