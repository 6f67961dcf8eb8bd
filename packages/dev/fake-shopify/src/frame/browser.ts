import { describeWithBrowser } from '@compliance/browser';
import type { BrowserContext } from 'playwright-core';
import { BROWSER_ARGS, USER_AGENT } from './route.ts';

/**
 * Registers a `describe` block with a real browser. `open` returns a new browser context that looks like a merchant's
 * browser.
 *
 * @example
 * await describeInBrowser('the app', open => { it('…', async () => { const page = await (await open()).newPage(); … }); });
 */
export const describeInBrowser = (
  name: string,
  register: (open: (options?: { width?: number }) => Promise<BrowserContext>) => void,
): Promise<void> =>
  describeWithBrowser(
    name,
    browser =>
      register(({ width = 1280 } = {}) =>
        browser.newContext({ userAgent: USER_AGENT, viewport: { width, height: 860 }, reducedMotion: 'reduce' }),
      ),
    BROWSER_ARGS,
  );
