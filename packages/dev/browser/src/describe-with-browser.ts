import type { Browser } from 'playwright-core';
import { afterAll, describe } from 'vitest';
import { launchBrowser } from './launch.ts';

/**
 * Registers a `describe` block whose tests need a real browser. If the browser can't be started, the tests are skipped,
 * and the suite name contains the reason. If `CI` is set, the test file fails instead.
 *
 * @param args Additional browser arguments.
 * @example
 * await describeWithBrowser('the form', browser => { it('…', async () => { const page = await browser.newPage(); … }); });
 */
export async function describeWithBrowser(
  name: string,
  register: (browser: Browser) => void,
  args: readonly string[] = [],
): Promise<void> {
  const browser = await launchBrowser(args).catch((error: Error) => error);
  if (browser instanceof Error) {
    if (process.env.CI) throw browser;
    const reason = browser.message.split('\n')[0];
    describe.skip(`${name} (skipped because no browser is available: ${reason})`, () => register({} as Browser));
    return;
  }
  describe(name, () => {
    // Hooks run in reverse order, so tests close their pages before this hook closes the browser.
    afterAll(() => browser.close());
    register(browser);
  });
}
