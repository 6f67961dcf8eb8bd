import { execFileSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const APP = join(import.meta.dirname, '..');

/** What the build is made of. The services in `src` are not: the build imports them from source. */
const SOURCES = ['app/**/*', 'vite.config.ts', 'package.json'];

/** Builds the app before its tests, when the build is older than what it is made of. */
export default function buildOnce(): void {
  const built = join(APP, 'build/server/index.js');
  const sources = globSync(SOURCES, { cwd: APP }).filter(file => !/\.(test|states)\.tsx?$|\/testing\//.test(file));
  const changed = Math.max(...sources.map(file => statSync(join(APP, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > changed) return;
  const remix = join(APP, 'node_modules/@remix-run/dev/dist/cli.js');
  // Vitest's own would build React's development form, half as large again and not what merchants get.
  const env = { ...process.env, NODE_ENV: 'production' as const };
  execFileSync(process.execPath, [remix, 'vite:build', '--logLevel', 'warn'], { cwd: APP, env, stdio: 'inherit' });
}
