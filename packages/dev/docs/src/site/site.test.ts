import { describe, expect, it } from 'vitest';
import { pagePaths } from '../pages/pages.ts';
import { createSite } from './site.ts';

const site = createSite();
const get = async (path: string) => {
  const response = await site.request(path);
  return { response, body: await response.text() };
};

describe('the documentation site', () => {
  it('serves every page at its own path, without scripts and without resources from other sites', async () => {
    for (const path of pagePaths()) {
      const { response, body } = await get(`/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(body).not.toMatch(
        /<script|style=|<[^>]*\son\w+=|src="(?!\/|[\w.])|src="https?:|<link [^>]*href="https?:/i,
      );
      expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    }
  });

  it('never serves a page with a broken link', async () => {
    const seen = new Map<string, string>();
    const open = ['/'];
    const missing: string[] = [];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      const response = await site.request(path);
      const body = response.headers.get('Content-Type')?.startsWith('text/html') ? await response.text() : '';
      seen.set(path, body);
      if (response.status === 302) open.push(new URL(response.headers.get('Location')!, 'http://docs').pathname);
      else if (response.status !== 200) missing.push(path);
      for (const [, address] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname } = new URL(address!.replaceAll('&#x26;', '&'), `http://docs${path}`);
        if (origin === 'http://docs') open.push(pathname);
      }
    }
    expect(missing).toEqual([]);
    expect(seen.size).toBeGreaterThan(pagePaths().length);
  });

  it('shows linked files as text and hides every other file in the repository', async () => {
    expect((await get('/packages/api/openapi.gen.yaml')).body).toContain('openapi: 3.1');
    for (const path of [
      '/.env',
      '/package.json',
      '/.git/config',
      '/..%2f..%2fetc/passwd',
      '/packages/cli/src/main.ts',
    ]) {
      expect([path, (await get(path)).response.status]).toEqual([path, 404]);
    }
  });

  it('shows links to all pages on every page', async () => {
    const { body } = await get('/docs/guides/embed.md');
    expect(body).toContain('<a href="/docs/guides/embed.md" aria-current="page">Use the library</a>');
    expect(body).toContain('<a href="/docs/lists/README.md">Tariff lists</a>');
  });

  it('lists every page in llms.txt and in the sitemap', async () => {
    const [llms, map] = [(await get('/llms.txt')).body, (await get('/sitemap.xml')).body];
    expect(
      llms.startsWith(
        '# Portfolio Compliance\n\n> Portfolio Compliance provides U.S. compliance checks for e-commerce',
      ),
    ).toBe(true);
    for (const path of pagePaths()) {
      expect(llms).toContain(`](http://localhost/${path})`);
      expect(map).toContain(`<loc>http://localhost/${path}</loc>`);
    }
  });

  it('escapes the search query on the search page', async () => {
    const { body } = await get(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(body).not.toContain('<script>alert');
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;');
  });
});
