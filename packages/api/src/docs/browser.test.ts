import { describeWithBrowser, inspect, watch } from '@compliance/browser';
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
    ['docs-rule-with-a-date', '/docs/rules/shopify_script_tag_injected'],
    ['docs-context', `/docs/rules/${contextMetas[0]!.id}`],
    ['docs-lists', '/docs/lists'],
    ['docs-list', '/docs/lists/steel-16n'],
  ])(
    'passes all page checks on the %s page at each viewport size and in each color scheme, without requests to other sites',
    async (name, path) => {
      await page.goto(service.base + path);
      await inspect(page, name);
      expect(unexpected).toEqual([]);
    },
  );

  it('links to the overview from the page for an unknown rule ID', async () => {
    await page.goto(`${service.base}/docs/rules/nothing`);
    await inspect(page, 'docs-missing');
    await page.getByRole('link', { name: 'Back to the overview' }).click();
    expect(new URL(page.url()).pathname).toBe('/docs/rules');
  });

  it('shows each operation’s snippets, and links to its error pages and back, without JavaScript', async () => {
    await page.goto(`${service.base}/docs`);
    await page.locator('.contents').getByRole('link', { name: 'tariff.hts.lookup' }).click();
    const operation = page.locator('#v1-tariff-hts-lookup');
    await operation.getByText('Python', { exact: true }).click();
    expect(await operation.getByLabel('Python').isVisible()).toBe(true);
    expect(await operation.getByLabel('curl').isVisible()).toBe(false);
    await operation.locator('summary', { hasText: 'in results' }).click();
    await inspect(page, 'docs-open');
    await operation.getByRole('link', { name: 'rate_limited' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('rate_limited');
    await page.getByRole('link', { name: 'tariff.hts.lookup' }).click();
    expect(new URL(page.url()).hash).toBe('#v1-tariff-hts-lookup');
    expect(unexpected).toEqual([]);
  });
});
