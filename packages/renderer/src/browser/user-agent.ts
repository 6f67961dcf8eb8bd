import { execFileSync } from 'node:child_process';

/**
 * Returns the browser's default user agent, so that sites serve the same pages that they serve to other browsers. As in
 * Chromium, all numbers after the major version are zero.
 *
 * @throws Error if the program doesn't print a version
 * @example browserAgent('/usr/lib/chromium/chromium') // 'Mozilla/5.0 (X11; Linux x86_64) … HeadlessChrome/153.0.0.0 Safari/537.36'
 */
export function browserAgent(executable: string): string {
  const text = execFileSync(executable, ['--version'], { encoding: 'utf8', env: {} as NodeJS.ProcessEnv, cwd: '/' });
  const [, major] = /(\d+)(?:\.\d+){3}/.exec(text) ?? [];
  if (major === undefined) throw new Error(`${executable} didn't print a version.`);
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/${major}.0.0.0 Safari/537.36`;
}
