import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 360] as const;

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
