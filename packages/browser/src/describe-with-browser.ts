import type { Browser } from 'playwright-core';
import { afterAll, describe } from 'vitest';
import { launchBrowser } from './launch.ts';

/**
 * A `describe` whose tests need a real browser. Where there is none, the tests are skipped with the reason in their name,
 * and under `CI` the file fails.
 *
 * @param args further arguments of the browser
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
    describe.skip(`${name} (skipped: no browser starts: ${reason})`, () => register({} as Browser));
    return;
  }
  describe(name, () => {
    // What is registered last ends first: tests may still leave their pages in order.
    afterAll(() => browser.close());
    register(browser);
  });
}
