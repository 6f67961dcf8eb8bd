import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Color schemes and viewport widths to check, each with the axe rules: all rules (`null`) or only the color-dependent
 * rules. The dark color scheme changes only colors, so it's checked at one width. The last view is the one that tests
 * continue with.
 */
const VIEWS = [
  ['dark', 1280, ['color-contrast', 'link-in-text-block']],
  ['light', 360, null],
  ['light', 1280, null],
] as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the accessibility violations that axe finds in a frame's current state, with one string per violated rule.
 * Includes violations in the frame's child frames.
 *
 * @param rules rules to check. By default, all rules are checked.
 * @example
 * expect(await axe(page.frame({ name: 'app' })!)).toEqual([]);
 */
export async function axe(frame: Frame, rules: readonly string[] | null = null): Promise<string[]> {
  for (const one of [frame, ...frame.childFrames()]) {
    // Evaluate axe through the browser driver, because the page's content security policy blocks injected scripts.
    if (!(await one.evaluate<boolean>("'axe' in globalThis"))) await one.evaluate(AXE);
    // Without `allowedOrigins`, axe ignores child frames from other origins. Without `noHtml`, axe serializes every
    // element that it checks, which accounts for more than 10% of its run time.
    await one.evaluate("axe.configure({ allowedOrigins: ['<unsafe_all_origins>'], noHtml: true })");
  }
  const options: RunOptions = {
    // Omit passed checks, which make up most of the result.
    resultTypes: ['violations'],
    elementRef: true,
    ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  // Elements in child frames are available only as selectors.
  return await frame.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.map(({ element, target }) => element?.outerHTML.slice(0, 300) ?? target.join(' ')).join(' | ')))`,
  );
}

/**
 * Checks that the page has no axe violations and doesn't scroll horizontally. Checks the page's current state at
 * desktop and phone width, and in the dark color scheme. With `SCREENSHOTS=folder`, saves a screenshot of each view.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const faults: string[] = [];
  await page.waitForLoadState();
  for (const [colorScheme, width, rules] of VIEWS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const where = `${name}-${colorScheme}-${width}`;
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) faults.push(`${where}: ${wider} px wider than the screen`);
    faults.push(...(await axe(page.mainFrame(), rules)).map(fault => `${where}: ${fault}`));
    const folder = process.env.SCREENSHOTS;
    if (folder) {
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true });
    }
  }
  expect(faults).toEqual([]);
}
