import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describeWithBrowser, inspect, watch } from '@compliance/browser';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSite } from './site.ts';

await describeWithBrowser('the documentation site in a browser', browser => {
  const server = serve({ fetch: createSite().fetch, port: 0, hostname: '127.0.0.1' });
  let base: string;
  beforeAll(async () => {
    if (!server.listening) await once(server, 'listening', { signal: AbortSignal.timeout(10_000) });
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it.each([
    ['readme', '/'],
    ['index', '/docs/'],
    ['guide', '/docs/guides/embed.md'],
    ['tables', '/docs/threat-model.md'],
    ['list', '/docs/lists/steel-16n.md'],
    ['source', '/packages/core/src/pixel/rules/google_placeholder_id/rule.ts'],
    ['search', '/search?q=consent'],
  ])('shows the %s page without accessibility violations or requests to other sites', async (name, path) => {
    const context = await browser.newContext();
    const unexpected = watch(context, base);
    const page = await context.newPage();
    await page.goto(base + path);
    await inspect(page, name);
    expect(unexpected).toEqual([]);
    await context.close();
  });

  it('finds pages that contain the search term', async () => {
    const page = await browser.newPage();
    await page.goto(`${base}/docs/README.md`);
    await page.getByRole('searchbox').fill('seaweedfs');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('found').waitFor();
    expect(await page.locator('#results a').allTextContents()).toContain('Host the service yourself');
    await page.close();
  });

  it('shows a message if no page matches the query', async () => {
    const page = await browser.newPage();
    await page.goto(`${base}/search?q=qqqqzzzz`);
    await page.getByText('No pages match “qqqqzzzz”').waitFor();
    await page.close();
  });
});
