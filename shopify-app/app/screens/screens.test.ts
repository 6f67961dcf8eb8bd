import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { axe, describeWithBrowser } from '@compliance/browser';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleHarness, type Harness } from './testing/open-harness.ts';
import { STORIES_BY_SCREEN } from './testing/stories.ts';
import type { Story } from './testing/story.ts';

const WIDTHS = [1280, 360];

/** A story with its screen name and index. */
type PlacedStory = Story & { readonly at: readonly [screen: string, index: number] };

await describeWithBrowser('in a browser', browser => {
  let harnesses: readonly Harness[];
  beforeAll(async () => {
    const open = await bundleHarness(browser);
    harnesses = await Promise.all(WIDTHS.map(open));
  });

  describe.each(Object.entries(STORIES_BY_SCREEN))('the screen %s', (screen, stories) => {
    const placed = stories.map((story, index): PlacedStory => ({ ...story, at: [screen, index] }));
    it.each(placed)('fits desktop and phone widths and passes the axe checks: $name', async story => {
      const problems = await Promise.all(harnesses.map(harness => problemsOf(harness, story)));
      expect(problems.flat()).toEqual([]);
    });
  });
});

/** Returns a story's problems at one width. Saves screenshots if `SCREENSHOTS` is set to a folder. */
async function problemsOf(
  { page, show, takeMessages }: Harness,
  { at, name, texts, play }: PlacedStory,
): Promise<string[]> {
  const problems: string[] = [];
  const { width } = page.viewportSize()!;
  for (const locale of ['en', 'en-XA']) {
    const report = (problem: string) => problems.push(`${locale}, ${width}: ${problem}`);
    await show(...at, locale);
    await play?.(page);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) report(`${overflow} px wider than the screen`);
    if (locale === 'en') {
      const text = play && (await page.locator('main').textContent());
      for (const expected of text ? texts : []) if (!text!.includes(expected)) report(`does not show “${expected}”`);
      // Only the English screens are checked with axe, because axe checks the document structure, which doesn't depend
      // on the language.
      (await axe(page.mainFrame())).forEach(report);
    }
    takeMessages().forEach(report);
    const folder = process.env.SCREENSHOTS;
    if (!folder) continue;
    mkdirSync(folder, { recursive: true });
    const file = `${at.join('-')}-${name.replaceAll(/\W+/g, '-')}-${locale}-${width}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: true });
  }
  return problems;
}
