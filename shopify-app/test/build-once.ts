import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const APP = join(import.meta.dirname, '..');

/** Source files for the build. The list omits `src`, because the build imports modules from `src` at runtime. */
const SOURCES = ['app/**/*', 'vite.config.ts', 'package.json'];

/** Builds the app before the tests if any source file is newer than the build. */
export default function buildOnce(): void {
  const built = join(APP, 'build/server/index.js');
  const sources = globSync(SOURCES, { cwd: APP }).filter(file => !/\.(test|stories)\.tsx?$|\/testing\//.test(file));
  const changed = Math.max(...sources.map(file => statSync(join(APP, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > changed) return;
  process.stderr.write('Building the app…\n');
  const remix = join(APP, 'node_modules/@remix-run/dev/dist/cli.js');
  // Under Vitest's own NODE_ENV, the build would contain React's development version, which is 50% larger.
  const env = { ...process.env, NODE_ENV: 'production' as const };
  execFileSync(process.execPath, [remix, 'vite:build', '--logLevel', 'warn'], {
    cwd: APP,
    env,
    stdio: 'inherit',
    timeout: 300_000,
    killSignal: 'SIGKILL',
  });
}
