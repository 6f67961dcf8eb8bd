import { describeWithBrowser, inspect, watch } from '@compliance/browser';
import { pages } from '@compliance/crawler/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { served } from '../testing/served.ts';
import { startService } from '../testing/service.ts';

const MARKUP = '"><img src=x onerror=alert(1)>';

await describeWithBrowser('the first page in a browser', browser => {
  let service: Awaited<ReturnType<typeof served>>;
  const contexts: Record<string, BrowserContext> = {};
  const strange: Record<string, string[]> = {};

  beforeAll(async () => {
    service = await served(await startService());
    for (const [name, javaScriptEnabled] of [
      ['with', true],
      ['without', false],
    ] as const) {
      contexts[name] = await browser.newContext({ javaScriptEnabled });
      strange[name] = watch(contexts[name], service.base);
    }
    const slow = pages({ '/': '<html><head></head><body>slow</body></html>' });
    await service.network.site(
      'slow.example',
      (request, response) => setTimeout(() => slow(request, response), 400),
      '93.184.216.42',
    );
  });
  afterAll(async () => {
    await Promise.all(Object.values(contexts).map(context => context.close()));
    await service.stop();
  });
  beforeEach(() => {
    service.time.now += 60_000;
    for (const seen of Object.values(strange)) seen.length = 0;
  });

  const open = async (script: 'with' | 'without', path = '/'): Promise<Page> => {
    const page = await contexts[script]!.newPage();
    page.setDefaultTimeout(8_000);
    await page.goto(service.base + path);
    return page;
  };
  const lookUp = async (page: Page, code: string) => {
    await page.getByLabel('HTS code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.locator('#code-check .answer > *, #code-check .fault').first().waitFor();
  };

  it.each([
    ['hit', '7318.15.2061', 'On a Section 232 derivative list'],
    ['in-scope', '7208.10.15', 'Section 232 reaches it'],
    ['adjacent', '7318.90.00', 'Not listed, but its neighbours are'],
    ['clear', '0101.21.00', 'Not listed, and nothing near it is'],
    ['invalid', 'bolts', 'This is not an HTS code'],
  ])('answers a code: %s, with and without a script', async (state, code, title) => {
    for (const script of ['without', 'with'] as const) {
      const page = await open(script);
      await lookUp(page, code);
      const heading = page.locator('#code-check .answer h3');
      expect(await heading.textContent()).toContain(title);
      expect(new URL(page.url()).searchParams.get('code')).toBe(code);
      if (script === 'with') {
        expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('H3');
        await inspect(page, `home-${state}`);
        await page.goBack();
        await page.locator('#code-check .answer h3').waitFor({ state: 'hidden' });
      }
      await page.close();
    }
    expect(strange).toEqual({ with: [], without: [] });
  });

  it('is without fault before anything is asked', async () => {
    const page = await open('with');
    await inspect(page, 'home');
    await page.close();
    expect(strange).toEqual({ with: [], without: [] });
  });

  it('scans a storefront, says that it is at work, and keeps the other answer', async () => {
    const page = await open('with');
    await lookUp(page, '7318.15.2061');
    await page.getByLabel('Address of the page').fill('http://slow.example/');
    await page.getByRole('button', { name: 'Scan' }).click();
    expect(await page.locator('#url-check .working').textContent()).toContain('Reading the page');
    await inspect(page, 'home-working');
    await page.locator('#url-check .answer h3').waitFor();
    expect(await page.locator('#code-check .answer h3').isVisible()).toBe(true);
    expect(await page.locator('#url-check .working').textContent()).toBe('');
    await page.close();
    for (const script of ['without', 'with'] as const) {
      const other = await open(script);
      await other.getByLabel('Address of the page').fill('https://shop.example/');
      await other.getByRole('button', { name: 'Scan' }).click();
      await other.locator('#url-check .answer h3').waitFor();
      expect(await other.locator('#url-check').textContent()).toContain('Tags of analytics.js, Universal Analytics');
      if (script === 'with') await inspect(other, 'home-scan');
      await other.locator('#url-check').getByRole('link', { name: 'ga_analytics_js_legacy' }).click();
      expect(await other.getByRole('heading', { level: 1 }).textContent()).toContain('analytics.js');
      await other.close();
    }
    expect(strange).toEqual({ with: [], without: [] });
  });

  it('tells of a page that cannot be scanned, of a fault in a field, and of the limit', async () => {
    const page = await open('with');
    await page.getByLabel('Address of the page').fill('http://127.0.0.1/');
    await page.getByRole('button', { name: 'Scan' }).click();
    await page.getByText('There is no page to scan at this address.').waitFor();
    await inspect(page, 'home-scan-failed');
    await page.goto(`${service.base}/?code=${'1'.repeat(60)}`);
    expect(await page.locator('.fault').textContent()).toBeTruthy();
    await inspect(page, 'home-fault');
    for (let i = 0; i < 30; i++) await page.request.get(`${service.base}/?code=7318`);
    await page.goto(`${service.base}/`);
    await lookUp(page, '7318.15.2061');
    expect(await page.locator('#code-check').textContent()).toContain('Try again in 60 seconds');
    await inspect(page, 'home-limited');
    await page.close();
    expect(strange.with!.filter(text => !/(422|429|400)/.test(text))).toEqual([]);
  });

  it('shows markup as text', async () => {
    for (const script of ['without', 'with'] as const) {
      const page = await open(script);
      await lookUp(page, MARKUP);
      expect(await page.locator('#code-check .asked').textContent()).toBe(MARKUP);
      expect(await page.getByLabel('HTS code', { exact: true }).inputValue()).toBe(MARKUP);
      expect(await page.locator('main img').count()).toBe(0);
      if (script === 'with') await inspect(page, 'home-markup');
      await page.close();
    }
    expect(strange).toEqual({ with: [], without: [] });
  });

  it('falls back to a plain load when the answer does not come', async () => {
    const page = await open('with');
    let first = true;
    await page.route(/\?code=/, async route => {
      if (!first) return await route.continue();
      first = false;
      await route.abort();
    });
    await lookUp(page, '7318.15.2061');
    expect(await page.locator('#code-check .answer h3').textContent()).toContain('derivative list');
    await page.close();
  });
});
