import { describeWithBrowser, inspect, watch } from '@compliance/browser';
import { pages } from '@compliance/crawler/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listen } from '../testing/listen.ts';
import { startService } from '../testing/service.ts';

const MARKUP = '"><img src=x onerror=alert(1)>';

await describeWithBrowser('the home page in a browser', browser => {
  let service: Awaited<ReturnType<typeof listen>>;
  const contexts: Record<string, BrowserContext> = {};
  const unexpected: Record<string, string[]> = {};

  beforeAll(async () => {
    service = await listen(await startService());
    for (const [name, javaScriptEnabled] of [
      ['with', true],
      ['without', false],
    ] as const) {
      contexts[name] = await browser.newContext({ javaScriptEnabled });
      unexpected[name] = watch(contexts[name], service.base);
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
    for (const events of Object.values(unexpected)) events.length = 0;
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
    await page.locator('#code-check .result > *, #code-check .error').first().waitFor();
  };

  it.each([
    ['hit', '7318.15.2061', 'On a Section 232 derivative list'],
    ['in-scope', '7208.10.15', 'Covered by Section 232'],
    ['adjacent', '7318.90.00', 'Not covered by Section 232, but has related listings'],
    ['clear', '0101.21.00', 'Not covered by Section 232, with no related listings'],
    ['invalid', 'bolts', 'Not an HTS code'],
  ])('shows the %s result for a code, with and without JavaScript', async (state, code, title) => {
    for (const script of ['without', 'with'] as const) {
      const page = await open(script);
      await lookUp(page, code);
      const heading = page.locator('#code-check .result h3');
      expect(await heading.textContent()).toContain(title);
      expect(new URL(page.url()).searchParams.get('code')).toBe(code);
      if (script === 'with') {
        expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('H3');
        await inspect(page, `home-${state}`);
        await page.goBack();
        await page.locator('#code-check .result h3').waitFor({ state: 'hidden' });
      }
      await page.close();
    }
    expect(unexpected).toEqual({ with: [], without: [] });
  });

  it('passes all page checks before a form is submitted', async () => {
    const page = await open('with');
    await inspect(page, 'home');
    await page.close();
    expect(unexpected).toEqual({ with: [], without: [] });
  });

  it('shows progress while scanning a storefront and keeps the lookup result', async () => {
    const page = await open('with');
    await lookUp(page, '7318.15.2061');
    await page.getByLabel('Page URL').fill('http://slow.example/');
    await page.getByRole('button', { name: 'Scan' }).click();
    expect(await page.locator('#url-check .working').textContent()).toContain('Scanning the page');
    await inspect(page, 'home-working');
    await page.locator('#url-check .result h3').waitFor();
    expect(await page.locator('#code-check .result h3').isVisible()).toBe(true);
    expect(await page.locator('#url-check .working').textContent()).toBe('');
    await page.close();
    for (const script of ['without', 'with'] as const) {
      const other = await open(script);
      await other.getByLabel('Page URL').fill('https://shop.example/');
      await other.getByRole('button', { name: 'Scan' }).click();
      await other.locator('#url-check .result h3').waitFor();
      expect(await other.locator('#url-check').textContent()).toContain('Universal Analytics tag (analytics.js)');
      if (script === 'with') await inspect(other, 'home-scan');
      await other.locator('#url-check').getByRole('link', { name: 'ga_analytics_js_legacy' }).click();
      expect(await other.getByRole('heading', { level: 1 }).textContent()).toContain('analytics.js');
      await other.close();
    }
    expect(unexpected).toEqual({ with: [], without: [] });
  });

  it('shows an error for an invalid field, an exceeded rate limit, or a page that can’t be scanned', async () => {
    const page = await open('with');
    await page.getByLabel('Page URL').fill('http://127.0.0.1/');
    await page.getByRole('button', { name: 'Scan' }).click();
    await page.getByText("This page can't be scanned").waitFor();
    await inspect(page, 'home-scan-failed');
    await page.goto(`${service.base}/?code=${'1'.repeat(60)}`);
    expect(await page.locator('.error').textContent()).toBeTruthy();
    await inspect(page, 'home-invalid-field');
    for (let i = 0; i < 30; i++) await page.request.get(`${service.base}/?code=7318`);
    await page.goto(`${service.base}/`);
    await lookUp(page, '7318.15.2061');
    expect(await page.locator('#code-check').textContent()).toContain('Try again in 60 seconds');
    await inspect(page, 'home-limited');
    await page.close();
    expect(unexpected.with!.filter(text => !/(422|429|400)/.test(text))).toEqual([]);
  });

  it('escapes markup in submitted values', async () => {
    for (const script of ['without', 'with'] as const) {
      const page = await open(script);
      await lookUp(page, MARKUP);
      expect(await page.locator('#code-check .queried').textContent()).toBe(MARKUP);
      expect(await page.getByLabel('HTS code', { exact: true }).inputValue()).toBe(MARKUP);
      expect(await page.locator('main img').count()).toBe(0);
      if (script === 'with') await inspect(page, 'home-markup');
      await page.close();
    }
    expect(unexpected).toEqual({ with: [], without: [] });
  });

  it('falls back to a full page load if the script’s request fails', async () => {
    const page = await open('with');
    let first = true;
    await page.route(/\?code=/, async route => {
      if (!first) return await route.continue();
      first = false;
      await route.abort();
    });
    await lookUp(page, '7318.15.2061');
    expect(await page.locator('#code-check .result h3').textContent()).toContain('derivative list');
    await page.close();
  });
});
