import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { axe } from '@compliance/browser';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Running } from '../src/serve.ts';
import { merchantOf } from '../stand-in/acts.ts';
import { API_KEY } from '../stand-in/admin/tokens.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { routeStandIn } from '../stand-in/frame/route.ts';
import { serveAppForBrowsers } from '../stand-in/serve-app.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts';
import { wireFetch } from '../stand-in/wire-fetch.ts';

const DOMAIN = 'sample-shop.myshopify.com';

// One merchant, from installing the app to leaving it: each step goes on where the one before ended.
await describeInBrowser('a merchant in Shopify’s admin', open => {
  let standIn: StandIn;
  let app: Running;
  let context: BrowserContext;
  let page: Page;
  let refused: string[];
  const said: string[] = [];

  beforeAll(async () => {
    standIn = await startStandIn([sampleShop()]);
    refused = wireFetch(standIn);
    app = await serveAppForBrowsers(standIn);
    context = await open();
    refused.push(...(await routeStandIn(context, standIn, app.url)));
    page = await context.newPage();
    page.on('console', message => message.type() === 'error' && said.push(message.text()));
    page.on('pageerror', error => said.push(error.message));
  });
  afterAll(async () => {
    await context?.close();
    await app?.stop();
    await standIn?.close();
  });

  async function visit(path = '/app'): Promise<Frame> {
    await page.goto(`https://admin.shopify.com/store/sample-shop/apps/${API_KEY}${path}`);
    const frame = page.frame({ name: 'app' })!;
    await frame.getByRole('heading', { level: 1 }).waitFor();
    return frame;
  }

  /** Nothing of a screen is at fault: for axe, for a phone, for the console. With `SCREENSHOTS=folder` pictures are left. */
  async function inspected(frame: Frame, name: string): Promise<void> {
    const faults: string[] = [];
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 860 });
      const wider = await frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (wider > 0) faults.push(`${width}: ${wider} px wider than the screen`);
      faults.push(...(await axe(frame)).map(fault => `${width}: ${fault}`));
      const folder = process.env.SCREENSHOTS;
      if (folder) {
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `app-${name}-${width}.png`) });
      }
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    expect([...faults, ...said]).toEqual([]);
  }

  it('installs the app, which scans the store by itself and says how it stands', async () => {
    const frame = await visit();
    await frame.getByText(/things? needs? you/).waitFor({ timeout: 40_000 });
    await frame.getByText('Do first').waitFor();
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await inspected(frame, 'home');
  });

  it('sees a finding with its file and line, and what to do', async () => {
    const frame = await visit('/app/findings');
    await inspected(frame, 'findings');
    await frame.getByRole('link', { name: /Universal Analytics/ }).click();
    await frame.getByRole('heading', { name: 'How to put it right' }).waitFor();
    expect(await frame.getByRole('link', { name: /snippets\/tracking\.liquid, line \d+/ }).count()).toBe(1);
    await inspected(frame, 'finding');
  });

  it('accepts a finding with the keyboard alone', async () => {
    let frame = await visit('/app/findings');
    const link = frame.getByRole('link', { name: 'A tag in the theme runs whatever the visitor chose' });
    await link.focus();
    await page.keyboard.press('Enter');
    const reason = frame.getByLabel('Why it may stay');
    await reason.focus();
    await page.keyboard.type('Our agency asked for it');
    await page.keyboard.press('Tab');
    // A date field has three parts and a picker before the button.
    for (let i = 0; i < 6; i++) {
      const name = await frame.evaluate<string>('document.activeElement.textContent');
      if (name === 'Accept') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await frame.getByText('You accepted this finding').waitFor();
    frame = await visit('/app/findings?status=accepted');
    expect(await frame.getByRole('link', { name: /whatever the visitor chose/ }).count()).toBe(1);
  });

  it('mends the theme, scans again, and is told that it is fixed', async () => {
    const shop = merchantOf(standIn, DOMAIN);
    shop.editThemeFile('snippets/tracking.liquid', text =>
      text.replace(/<script>[^<]*UA-48151623-1[^<]*<\/script>/, ''),
    );
    const frame = await visit();
    await frame.getByRole('button', { name: 'Scan now' }).click();
    await frame.getByText(/points since the scan before/).waitFor({ timeout: 40_000 });
    await visit('/app/findings?status=fixed');
    const fixed = page.frame({ name: 'app' })!;
    expect(await fixed.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
  });

  it('finds both scans in the history, and compares them', async () => {
    const frame = await visit('/app/history');
    await inspected(frame, 'history');
    await frame.locator('li').first().getByRole('link').click();
    await frame.getByRole('heading', { name: 'Compared' }).waitFor();
    await frame.getByText(/Not seen in this scan \(1\)/).waitFor();
    await inspected(frame, 'scan');
  });

  it('reads the app in another language, and with longer text', async () => {
    for (const locale of ['de', 'ja', 'en-XA']) {
      const frame = await visit(`/app?locale=${locale}`);
      expect(await frame.evaluate('document.documentElement.lang')).toBe(locale);
      await inspected(frame, `home-${locale}`);
    }
  });

  it('asked no stranger for anything', () => {
    expect(refused).toEqual([]);
  });
});
