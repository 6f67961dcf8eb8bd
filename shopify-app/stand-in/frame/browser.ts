import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as driver } from 'playwright-core';
import { afterAll, describe } from 'vitest';
import { BROWSER_ARGS, USER_AGENT } from './route.ts';

/** Debian's, where the one from npm lacks a library. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';

/**
 * A `describe` whose tests need a real browser; `open` gives a fresh one that looks like a merchant's. Where there is no
 * browser, the tests are skipped with the reason in their name, and under `CI` the file fails.
 *
 * @example
 * await describeInBrowser('the app', open => { it('…', async () => { const page = await (await open()).newPage(); … }); });
 */
export async function describeInBrowser(
  name: string,
  register: (open: (options?: { width?: number }) => Promise<BrowserContext>) => void,
): Promise<void> {
  const browser = await launch().catch((error: Error) => error);
  if (browser instanceof Error) {
    if (process.env.CI) throw browser;
    const reason = browser.message.split('\n')[0];
    describe.skip(`${name} (skipped: no browser starts: ${reason})`, () => register(() => Promise.reject(browser)));
    return;
  }
  describe(name, () => {
    register(({ width = 1280 } = {}) =>
      browser.newContext({ userAgent: USER_AGENT, viewport: { width, height: 860 }, reducedMotion: 'reduce' }),
    );
    afterAll(() => browser.close());
  });
}

async function launch(): Promise<Browser> {
  const args = chromium.args.filter(arg => !/^--(single-process|headless|disable-features)/.test(arg));
  try {
    return await driver.launch({ executablePath: await chromium.executablePath(), args: [...args, ...BROWSER_ARGS] });
  } catch (error) {
    if (!existsSync(SYSTEM_CHROMIUM)) throw error;
    return await driver.launch({ executablePath: SYSTEM_CHROMIUM, args: ['--no-sandbox', ...BROWSER_ARGS] });
  }
}
