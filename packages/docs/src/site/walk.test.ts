import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describeWithBrowser, inspect } from '@compliance/browser';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSite } from './site.ts';

await describeWithBrowser('the documentation in a browser', browser => {
  const server = serve({ fetch: createSite().fetch, port: 0, hostname: '127.0.0.1' });
  let base: string;
  beforeAll(async () => {
    if (!server.listening) await once(server, 'listening');
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
  ])('%s is without fault, wide and small, light and dark, and asks nothing of other sites', async (name, path) => {
    const page = await browser.newPage();
    const strange: string[] = [];
    page.on('request', request => {
      if (!request.url().startsWith(base) && !request.url().startsWith('data:')) strange.push(request.url());
    });
    page.on('console', message => strange.push(message.text()));
    await page.goto(base + path);
    await inspect(page, name);
    expect(strange).toEqual([]);
    await page.close();
  });
});
