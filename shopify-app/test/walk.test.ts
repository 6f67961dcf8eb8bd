import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axe } from '@compliance/browser';
import { openStore } from '@compliance/store';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Running } from '../src/serve.ts';
import { merchantOf } from '../stand-in/acts.ts';
import { API_KEY } from '../stand-in/admin/tokens.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { routeStandIn } from '../stand-in/frame/route.ts';
import { serveAppForBrowsers } from '../stand-in/serve-app.ts';
import { bigShop, sampleShop } from '../stand-in/shop/samples.ts';
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
  let dataDir: string;
  const said: string[] = [];

  beforeAll(async () => {
    standIn = await startStandIn([sampleShop()]);
    refused = wireFetch(standIn);
    dataDir = await mkdtemp(join(tmpdir(), 'shopify-app-walk-'));
    app = await serveAppForBrowsers(standIn, { dataDir });
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
    await rm(dataDir, { recursive: true, force: true });
  });

  async function visit(path = '/app', store = 'sample-shop'): Promise<Frame> {
    await page.goto(`https://admin.shopify.com/store/${store}/apps/${API_KEY}${path}`);
    const frame = page.frame({ name: 'app' })!;
    await frame.getByRole('heading', { level: 1 }).waitFor();
    return frame;
  }

  /** Nothing of a screen is at fault: for axe, for a phone, for the console. With `SCREENSHOTS=folder` pictures are left. */
  async function inspected(frame: Frame, name: string): Promise<void> {
    const faults: string[] = [];
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 860 });
      // Polaris lays a page out anew a moment after the screen became another.
      await frame
        .waitForFunction('document.documentElement.scrollWidth <= innerWidth', null, { timeout: 2_000 })
        .catch(() => undefined);
      const wider = await frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
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

  it('sees its catalog with what the lists say, and what is not known', async () => {
    const frame = await visit('/app/catalog');
    await frame.getByText(/\d+ of \d+ variants have an answer/).waitFor({ timeout: 40_000 });
    await frame.getByText('What has no answer is unknown. It may be listed.').waitFor();
    await inspected(frame, 'catalog');
    await frame
      .getByRole('link', { name: /Aluminum camp chair/ })
      .first()
      .click();
    await frame.getByRole('heading', { name: 'Section 232' }).waitFor();
    await inspected(frame, 'variant');
  });

  it('issues a certificate from a product, and downloads the PDF', async () => {
    let frame = await visit('/app/certificates');
    await inspected(frame, 'certificates');
    await frame.getByLabel('Find a product').fill('Bicycle helmet');
    await frame.getByRole('button', { name: 'Find' }).click();
    await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).click();
    await frame.getByRole('button', { name: 'Write a certificate' }).click();
    await frame.getByRole('heading', { name: 'How it stands' }).waitFor();
    await inspected(frame, 'certificate-begun');
    const field = async (group: string, label: string, value: string) =>
      await frame.locator(`#${group}`).getByLabel(label, { exact: true }).first().fill(value);
    expect(await frame.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Bicycle helmet, adult');
    await field('product_info', 'Date of manufacture', '2026-09-14');
    await field('product_info', 'Place of manufacture', 'Shenzhen, China');
    await field('manufacturer', 'Address', '88 Keyuan Road, Shenzhen, China');
    await field('manufacturer', 'Email', 'desk@velo.example');
    await field('testing_lab', 'Name', 'Pacific Test Laboratories');
    await field('testing_lab', 'Date of the most recent test', '2026-08-30');
    await frame.getByLabel('Find a rule').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.getByText(/It can be issued|Everything that/).waitFor({ timeout: 20_000 });
    await frame.getByLabel('I make this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue the certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor({ timeout: 20_000 });
    await inspected(frame, 'certificate-issued');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      frame.getByRole('button', { name: 'Download PDF' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    expect(Buffer.concat(chunks).subarray(0, 5).toString()).toBe('%PDF-');
    frame = await visit('/app/certificates?state=issued');
    expect(await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).count()).toBe(1);
  });

  it('puts the certificate into Files and with its product, once the merchant allows it', async () => {
    let frame = await visit('/app/certificates/8');
    const put = () => frame.getByRole('button', { name: /^Put the PDF into Shopify Files/ }).click();
    const answer = async (button: string) => {
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
    };
    const { files, metafields } = standIn.shops.get(DOMAIN)!;
    await put();
    await answer('Decline');
    await frame.getByText(/Nothing was put into Shopify/).waitFor();
    await inspected(frame, 'certificate-declined');
    expect(files).toEqual([]);
    await put();
    await answer('Allow');
    await frame.getByText('The PDF is in Shopify Files, and the product links to it.').waitFor({ timeout: 20_000 });
    await inspected(frame, 'certificate-in-files');
    expect([...metafields.values()].map(({ value }) => value)).toEqual(files.map(({ id }) => id));
    // After a reload nobody remembers it but Shopify: it is not put there again.
    frame = await visit('/app/certificates/8');
    await put();
    await frame.getByText('The PDF is in Shopify Files, and the product links to it.').waitFor({ timeout: 20_000 });
    expect(files).toHaveLength(1);
  });

  it('with five thousand variants reads them by a bulk operation', async () => {
    await standIn.add(bigShop(5_000));
    const frame = await visit('/app/catalog', 'big-shop');
    await frame.getByText(/of 5,000 variants have an answer/).waitFor({ timeout: 60_000 });
    const asked = standIn.calls
      .filter(({ shop }) => shop === 'big-shop.myshopify.com')
      .map(({ operation }) => operation);
    expect(asked).toContain('BulkStart');
    await inspected(frame, 'catalog-5000');
  });

  it('sees what is read and kept, and codes from a file', async () => {
    await inspected(await visit('/app/settings'), 'settings');
    await inspected(await visit('/app/catalog/import'), 'import');
  });

  it('follows the sidebar of the admin without loading the app anew', async () => {
    const frame = await visit();
    await frame.evaluate('globalThis.same = true');
    await page.getByRole('navigation', { name: 'App' }).getByText('History').click();
    await frame.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(await frame.evaluate('globalThis.same')).toBe(true);
  });

  it('reads the app in another language, and with longer text', async () => {
    for (const locale of ['de', 'ja', 'en-XA']) {
      const frame = await visit(`/app?locale=${locale}`);
      expect(await frame.evaluate('document.documentElement.lang')).toBe(locale);
      await inspected(frame, `home-${locale}`);
      for (const screen of ['findings', 'history', 'catalog', 'certificates', 'settings'])
        await inspected(await visit(`/app/${screen}?locale=${locale}`), `${screen}-${locale}`);
    }
  });

  it('leaves, comes back to what was there, and leaves for good', async () => {
    const merchant = merchantOf(standIn, DOMAIN, app.url);
    expect(await merchant.uninstall()).toBe(200);
    merchant.reinstall();
    // The history does not look again by itself.
    const installs = async () => await (await visit('/app/history')).getByText('The app was installed').count();
    await vi.waitFor(async () => expect(await installs()).toBe(2), { timeout: 40_000, interval: 1_000 });
    expect(await merchant.uninstall()).toBe(200);
    expect(await standIn.webhook(app.url, 'shop/redact', DOMAIN, { shop_domain: DOMAIN })).toBe(200);
    const store = await openStore({ dataDir, clock: Date.now });
    await vi.waitFor(async () => expect(await store.shop(DOMAIN).record()).toBeNull(), {
      timeout: 30_000,
      interval: 250,
    });
    const left: string[] = [];
    for await (const line of store.shop(DOMAIN).export()) left.push(line);
    expect(left).toEqual([]);
    await store.close();
  });

  it('asked no stranger for anything', () => {
    expect(refused).toEqual([]);
  });
});
