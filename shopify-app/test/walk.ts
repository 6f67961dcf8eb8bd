import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe } from '@compliance/browser';
import { openStore, type Store } from '@compliance/store';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { Running } from '../src/serve.ts';
import { API_KEY } from '../stand-in/admin/tokens.ts';
import { routeStandIn } from '../stand-in/frame/route.ts';
import { type AppOptions, serveAppForBrowsers } from '../stand-in/serve-app.ts';
import type { StandInShop } from '../stand-in/shop/shop.ts';
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts';
import { wireFetch } from '../stand-in/wire-fetch.ts';

/** A merchant at a real browser, with the app in the stand-in for Shopify's admin. */
export interface Walk {
  readonly standIn: StandIn;
  readonly app: Running;
  /** The app's store, opened once more. */
  readonly store: Store;
  readonly dataDir: string;
  readonly page: Page;
  /** Addresses of strangers that something asked for. */
  readonly refused: readonly string[];
  /** What the browser's console said of faults, and dialogs that a script opened. */
  readonly said: string[];
  /** Opens the app, in the first shop unless another is named. Gives its frame once there is a heading. */
  visit(path?: string, shop?: string): Promise<Frame>;
  /** Nothing of a screen is at fault: for axe, for a phone, for the console. With `SCREENSHOTS=folder` pictures are left. */
  inspected(frame: Frame, name: string): Promise<void>;
  /** The file that the browser is given for a click. */
  downloaded(click: () => Promise<void>): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Starts the stand-in, the app as it is built, and a browser that has both.
 *
 * @example
 * const walk = await beginWalk(open, [sampleShop()]);
 * const frame = await walk.visit('/app/findings');
 */
export async function beginWalk(
  open: () => Promise<BrowserContext>,
  shops: readonly [StandInShop, ...StandInShop[]],
  options: AppOptions = {},
): Promise<Walk> {
  const standIn = await startStandIn(shops);
  const refused = wireFetch(standIn);
  const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-walk-'));
  const app = await serveAppForBrowsers(standIn, { ...options, dataDir });
  const store = await openStore({ dataDir, clock: Date.now });
  const context = await open();
  const refusedToBrowser = await routeStandIn(context, standIn, app.url);
  const page = await context.newPage();
  const said: string[] = [];
  // React says one thing for each element.
  const note = (text: string) => said.includes(text) || said.push(text);
  page.on('console', message => message.type() === 'error' && note(message.text()));
  page.on('pageerror', error => note(error.message));
  page.on('dialog', dialog => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });

  return {
    ...{ standIn, app, store, dataDir, page, said },
    get refused() {
      return [...refused, ...refusedToBrowser];
    },
    async visit(path = '/app', shop = shops[0].domain) {
      await page.goto(`https://admin.shopify.com/store/${shop.split('.')[0]}/apps/${API_KEY}${path}`);
      const frame = page.frame({ name: 'app' })!;
      await frame.getByRole('heading', { level: 1 }).waitFor();
      return frame;
    },
    async inspected(frame, name) {
      const faults: string[] = [];
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 860 });
        const widerNow = () => frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        // Polaris lays a page out anew a moment after the screen became another. Asked from here: what waits in the page
        // evaluates a text there, which the page's policy refuses and says so.
        await vi
          .waitFor(async () => expect(await widerNow()).toBeLessThanOrEqual(0), { timeout: 2_000 })
          .catch(() => undefined);
        const wider = await widerNow();
        if (wider > 0) {
          const widest = await frame.evaluate<string>(
            "[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1).at(-1)?.outerHTML.slice(0, 300)",
          );
          faults.push(`${width}: ${wider} px wider than the screen: ${widest}`);
        }
        // Longer text in brackets is no longer part of the longer text of its label: true of the made-up language alone.
        const own = name.endsWith('en-XA') ? 'label-content-name-mismatch' : null;
        const found = (await axe(frame)).filter(fault => own === null || !fault.startsWith(own));
        faults.push(...found.map(fault => `${width}: ${fault}`));
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: join(folder, `app-${name}-${width}.png`) });
        }
      }
      await page.setViewportSize({ width: 1280, height: 860 });
      expect([...faults, ...said]).toEqual([]);
    },
    async downloaded(click) {
      const [download] = await Promise.all([page.waitForEvent('download'), click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async close() {
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
      await app.stop();
      await store.close();
      await standIn.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
