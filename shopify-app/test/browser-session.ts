import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe } from '@compliance/browser';
import type { FakeShop } from '@compliance/fake-shopify';
import { API_KEY, type FakeShopify, startFakeShopify, wireFetch } from '@compliance/fake-shopify';
import { routeFakeShopify } from '@compliance/fake-shopify/browser';
import { openShopStore, type ShopStore } from '@compliance/store/shop';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import type { RunningApp } from '../src/serve.ts';
import { type AppOptions, serveAppForBrowsers } from './serve-app.ts';

/** A merchant's browser session with the app open in the fake Shopify admin. */
export interface BrowserSession {
  readonly fakeShopify: FakeShopify;
  readonly app: RunningApp;
  /** Second connection to the app's database. */
  readonly store: ShopStore;
  readonly dataDir: string;
  readonly page: Page;
  /** URLs of blocked requests. */
  readonly blockedUrls: readonly string[];
  /** Browser console errors and dialogs that scripts opened. */
  readonly consoleErrors: string[];
  /** Opens the app, by default in the first shop. Returns the app's frame after a heading appears. */
  visit(path?: string, shop?: string): Promise<Frame>;
  /**
   * Checks a screen for accessibility problems, overflow, and console errors. Saves screenshots if `SCREENSHOTS` is set
   * to a folder.
   */
  checkScreen(frame: Frame, name: string, widths?: readonly number[]): Promise<void>;
  /** Returns the file that a click downloads. */
  download(click: () => Promise<void>): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Starts the fake Shopify, the built app, and a browser that connects to both.
 *
 * @example
 * const session = await startBrowserSession(open, [sampleShop()]);
 * const frame = await session.visit('/app/findings');
 */
export async function startBrowserSession(
  open: () => Promise<BrowserContext>,
  shops: readonly [FakeShop, ...FakeShop[]],
  options: AppOptions = {},
): Promise<BrowserSession> {
  const fakeShopify = await startFakeShopify(shops);
  const blocked = wireFetch(fakeShopify);
  const dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-walk-'));
  const app = await serveAppForBrowsers(fakeShopify, { ...options, dataDir });
  const store = await openShopStore({ dataDir, clock: Date.now });
  const context = await open();
  const blockedInBrowser = await routeFakeShopify(context, fakeShopify, app.url);
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  // React logs the same error for each element, so duplicates are ignored.
  const note = (text: string) => consoleErrors.includes(text) || consoleErrors.push(text);
  page.on('console', message => message.type() === 'error' && note(message.text()));
  page.on('pageerror', error => note(error.message));
  page.on('dialog', dialog => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });

  return {
    ...{ fakeShopify, app, store, dataDir, page, consoleErrors },
    get blockedUrls() {
      return [...blocked, ...blockedInBrowser];
    },
    async visit(path = '/app', shop = shops[0].domain) {
      await page.goto(`https://admin.shopify.com/store/${shop.split('.')[0]}/apps/${API_KEY}${path}`);
      const frame = page.frame({ name: 'app' })!;
      await frame.getByRole('heading', { level: 1 }).waitFor();
      return frame;
    },
    async checkScreen(frame, name, widths = [1280, 360]) {
      const faults: string[] = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 });
        const widerNow = () => frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        // Polaris updates its layout shortly after the viewport changes. Poll from outside the page, because waiting
        // inside the page would evaluate a string, which the page's content security policy blocks and reports.
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
        // In the pseudo-locale, ignore the axe rule that requires an element's accessible name to contain its visible
        // text. The pseudo-locale encloses the name and the text in separate brackets, so the name never contains the
        // text.
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
      expect([...faults, ...consoleErrors]).toEqual([]);
    },
    async download(click) {
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
      await fakeShopify.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
