import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';

/** Debian's, where the one from npm lacks a library. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 360] as const;

/**
 * A `describe` whose tests need a real browser. Where there is none, the tests are skipped with the reason in their name,
 * and under `CI` the file fails.
 *
 * @example
 * await describeWithBrowser('the form', browser => { it('…', async () => { const page = await browser.newPage(); … }); });
 */
export async function describeWithBrowser(name: string, register: (browser: Browser) => void): Promise<void> {
  const browser = await launch().catch((error: Error) => error);
  if (browser instanceof Error) {
    if (process.env.CI) throw browser;
    const reason = browser.message.split('\n')[0];
    describe.skip(`${name} (skipped: no browser starts: ${reason})`, () => register({} as Browser));
    return;
  }
  describe(name, () => {
    register(browser);
    afterAll(() => browser.close());
  });
}

async function launch(): Promise<Browser> {
  const args = chromium.args.filter(arg => arg !== '--single-process' && !arg.startsWith('--headless'));
  try {
    return await driver.launch({ executablePath: await chromium.executablePath(), args });
  } catch (error) {
    if (!existsSync(SYSTEM_CHROMIUM)) throw error;
    return await driver.launch({ executablePath: SYSTEM_CHROMIUM, args: ['--no-sandbox'] });
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Looks at the page as it is now, in both colour schemes, wide and on a phone: axe finds no fault, and nothing is wider than
 * the screen. With `SCREENSHOTS=folder` it leaves a picture of each.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const where = `${name}-${colorScheme}-${width}`;
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (wider > 0) faults.push(`${where}: ${wider} px wider than the screen`);
      // Evaluated by the driver: the page's own policy lets no script in.
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      for (const { id, impact, nodes } of violations) {
        faults.push(`${where}: ${id} (${impact}): ${nodes.map(({ html }) => html).join(' | ')}`);
      }
      const folder = process.env.SCREENSHOTS;
      if (folder) {
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true });
      }
    }
  }
  await page.setViewportSize({ width: WIDTHS[0], height: 800 });
  expect(faults).toEqual([]);
}
