import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { axe, describeWithBrowser } from '@compliance/browser';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundledStage, type Stage } from './testing/open-stage.ts';
import { SCREENS } from './testing/screens.ts';
import type { State } from './testing/state.ts';

const WIDTHS = [1280, 360];

/** A state and its place among those of its screen. */
type Shown = State & { readonly at: readonly [screen: string, index: number] };

await describeWithBrowser(
  'in a browser',
  browser => {
    let stages: readonly Stage[];
    beforeAll(async () => {
      const open = await bundledStage(browser);
      stages = await Promise.all(WIDTHS.map(open));
    });

    describe.each(Object.entries(SCREENS))('the screen %s', (screen, states) => {
      const shown = states.map((state, index): Shown => ({ ...state, at: [screen, index] }));
      it.each(shown)('fits a desk and a phone and has no fault for axe: $name', async state => {
        const faults = await Promise.all(stages.map(stage => faultsOf(stage, state)));
        expect(faults.flat()).toEqual([]);
      });
    });
  },
  // Nearly all of the work would be to paint without a graphics card what nobody looks at.
  ['--disable-gpu'],
);

/** What is wrong with a state at one width. With `SCREENSHOTS=folder` pictures are left. */
async function faultsOf({ page, show, heard }: Stage, { at, name, says, before }: Shown): Promise<string[]> {
  const faults: string[] = [];
  const { width } = page.viewportSize()!;
  for (const locale of ['en', 'en-XA']) {
    const find = (fault: string) => faults.push(`${locale}, ${width}: ${fault}`);
    await show(...at, locale);
    await before?.(page);
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (wider > 0) find(`${wider} px wider than the screen`);
    if (locale === 'en') {
      const text = before && (await page.locator('main').textContent());
      for (const sentence of text ? says : []) if (!text!.includes(sentence)) find(`does not say “${sentence}”`);
      // Its rules are about the document, which is the same in longer words.
      (await axe(page.mainFrame())).forEach(find);
    }
    heard().forEach(find);
    const folder = process.env.SCREENSHOTS;
    if (!folder) continue;
    mkdirSync(folder, { recursive: true });
    const picture = `${at.join('-')}-${name.replaceAll(/\W+/g, '-')}-${locale}-${width}.png`;
    await page.screenshot({ path: join(folder, picture), fullPage: true });
  }
  return faults;
}
