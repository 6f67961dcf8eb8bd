import { axe, describeWithBrowser, inspect, watch } from '@compliance/browser';
import { contextMetas } from '@compliance/core/pixel';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listen } from '../testing/listen.ts';
import { startService } from '../testing/service.ts';

await describeWithBrowser('the documentation in a browser', browser => {
  let service: Awaited<ReturnType<typeof listen>>;
  let context: BrowserContext;
  let page: Page;
  let unexpected: string[];

  beforeAll(async () => {
    service = await listen(await startService());
    context = await browser.newContext({ javaScriptEnabled: true });
    page = await context.newPage();
    page.setDefaultTimeout(5_000);
    unexpected = watch(context, service.base);
  });
  afterAll(async () => {
    await context.close();
    await service.stop();
  });
  beforeEach(() => {
    unexpected.length = 0;
  });

  it.each([
    ['docs', '/docs'],
    ['docs-error', '/docs/errors/invalid_request'],
    ['docs-rules', '/docs/rules'],
    ['docs-rule', '/docs/rules/ga_universal_id'],
    ['docs-rule-in-japanese', '/docs/rules/shopify_script_tag_injected?lang=ja'],
    ['docs-rule-with-a-date', '/docs/rules/shopify_script_tag_injected'],
    ['docs-context', `/docs/rules/${contextMetas[0]!.id}`],
    ['docs-lists', '/docs/lists'],
    ['docs-list', '/docs/lists/steel-16n'],
  ])('passes all page checks on the %s page and sends no requests to other sites', async (name, path) => {
    await page.goto(service.base + path);
    await inspect(page, name);
    expect(unexpected).toEqual([]);
  });

  it('links to the overview from the page for an unknown rule ID', async () => {
    await page.goto(`${service.base}/docs/rules/nothing`);
    await inspect(page, 'docs-missing');
    await page.getByRole('link', { name: 'Back to the overview' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs/rules');
  });

  it('works without JavaScript: shows snippets, and links operations to error pages and back', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const plainPage = await plain.newPage();
    plainPage.setDefaultTimeout(5_000);
    await plainPage.goto(`${service.base}/docs`);
    await plainPage.locator('.contents').getByRole('link', { name: 'tariff.hts.lookup' }).click();
    const operation = plainPage.locator('#v1-tariff-hts-lookup');
    await operation.getByText('Python', { exact: true }).click();
    expect(await operation.getByLabel('Python').isVisible()).toBe(true);
    expect(await operation.getByLabel('curl').isVisible()).toBe(false);
    expect(await operation.getByText('Try it').isVisible()).toBe(false);
    await operation.locator('summary', { hasText: 'in results' }).click();
    await operation.getByRole('link', { name: 'rate_limited' }).click();
    expect(await plainPage.getByRole('heading', { level: 1 }).textContent()).toBe('rate_limited');
    await plainPage.getByRole('link', { name: 'tariff.hts.lookup' }).click();
    expect(new URL(plainPage.url()).hash).toBe('#v1-tariff-hts-lookup');
    await plain.close();
  });

  it.each([1280, 390])('looks up a code with an API key on the reference page at a width of %s pixels', async width => {
    const key = await service.issue('tariff');
    await page.setViewportSize({ width, height: 800 });
    const response = await page.goto(`${service.base}/docs`);
    const policy = response!.headers()['content-security-policy']!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|nonce|https?:|\*/);
    const operation = page.locator('#v1-tariff-hts-lookup');
    await operation.getByText('Try it').click();
    const send = operation.getByRole('button', { name: 'Send request' });
    await operation.getByLabel('API key').fill('cmpl_live_all_wrong');
    await send.click();
    await operation.getByText('HTTP 401').waitFor();
    // The browser logs the rejected request in the console.
    expect(unexpected.splice(0)).toHaveLength(1);
    await operation.getByLabel('API key').fill(key);
    await operation.getByLabel('Request body').fill('{ "codes": ["8302.41.60"], "as_of": "2026-10-01" }');
    await send.click();
    await operation.getByText('HTTP 200').waitFor();
    const { results } = JSON.parse((await operation.getByLabel('Response').textContent())!);
    expect(results).toMatchObject([{ code: '8302.41.60', status: 'hit' }]);
    expect(await operation.getByRole('status').textContent()).toContain('"minute";r=99');
    expect(await page.locator('#v1-pixel-scan-key').inputValue()).toBe(key);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    if (process.env.SCREENSHOTS) await operation.screenshot({ path: `${process.env.SCREENSHOTS}/try-${width}.png` });
    // Show only the tested operation, because another test checks the rest of the page with axe.
    await page.getByLabel('Filter operations').fill('tariff.hts.lookup');
    expect(await axe(page.mainFrame())).toEqual([]);
    expect(unexpected).toEqual([]);
  });

  it.each([
    [1280, true],
    [390, false],
  ])('shows the heading near the top at %i × 860 pixels (contents visible: %s)', async (width, showsContents) => {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 860 });
    await page.goto(`${service.base}/docs`);
    expect(await page.locator('h1').isVisible()).toBe(true);
    expect(await page.evaluate<number>("document.querySelector('h1').getBoundingClientRect().top")).toBeLessThan(500);
    const link = page.getByRole('link', { name: 'tariff.hts.lookup', exact: true });
    expect(await link.isVisible()).toBe(showsContents);
    if (!showsContents) await page.getByText('On this page', { exact: true }).click();
    await link.click();
    expect(page.url()).toContain('#v1-tariff-hts-lookup');
    await page.close();
  });

  it('copies snippets, shows the selected language everywhere, and filters operations', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.base });
    await page.goto(`${service.base}/docs`);
    const operation = page.locator('#v1-tariff-hts-lookup');
    await operation.getByText('Python', { exact: true }).click();
    expect(await page.locator('#v1-pixel-scan').getByLabel('Python', { exact: true }).isVisible()).toBe(true);
    await operation.getByRole('button', { name: 'Copy Python' }).click();
    await operation.getByText('Copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('tariff.hts.lookup(');
    await page.getByLabel('Filter operations').fill('scan storefront');
    expect(await page.locator('#v1-pixel-scan').isVisible()).toBe(true);
    expect(await operation.isVisible()).toBe(false);
    await page.getByLabel('Filter operations').fill('zzz');
    await page.getByText('0 operations match.').waitFor();
    expect(unexpected).toEqual([]);
  });
});
