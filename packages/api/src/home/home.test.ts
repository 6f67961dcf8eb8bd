import { listsInForce } from '@compliance/core/tariff';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { skeleton, visibleText } from '../testing/markup.ts';
import { startService } from '../testing/service.ts';

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

const submit = async (query: Record<string, string>) => await service.get(`/?${new URLSearchParams(query)}`);
const textOf = async (query: Record<string, string>) => visibleText(await (await submit(query)).text());

describe('the home page', () => {
  it('returns HTML to browsers and JSON to clients that request it', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined]) {
      const response = await service.get('/', accept === undefined ? {} : { headers: { Accept: accept } });
      expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
      expect(response.headers.get('Vary')).toContain('Accept');
    }
    const response = await service.get('/', { headers: { Accept: 'application/json' } });
    expect(response.headers.get('Vary')).toContain('Accept');
    const { links, lists } = (await response.json()) as { links: Record<string, string>; lists: object };
    const { version, known_through } = listsInForce('2026-10-01');
    expect(lists).toEqual({ version, known_through });
    for (const link of Object.values(links)) {
      const path = link.replace('{code}', '7318.15.2061').replace('{url}', encodeURIComponent('https://shop.example/'));
      expect([link, (await service.get(path)).status]).toEqual([link, 200]);
    }
  });

  it('shows the list date and exactly one disclaimer', async () => {
    const { known_through } = listsInForce('2026-10-01');
    const today = service.time.now;
    service.time.now = Math.max(today, Date.parse(known_through) + 2 * 86_400_000);
    const text = await textOf({});
    service.time.now = today;
    expect(text).toContain(known_through);
    expect(text).toContain("Later changes aren't included");
    expect(text.match(/legal, customs, or tax advice/g)).toHaveLength(1);
  });

  it.each([
    ['7318.15.2061', 'Hit', 'Proclamation 11021'],
    ['7208.10.15', 'In scope', '9903.'],
    ['7318.90.00', 'Adjacent', '7318.'],
    ['0101.21.00', 'Clear', 'Not on any Section 232 list.'],
    ['bolts', 'Invalid', 'use only digits and separators'],
  ])('shows the result for %s (%s) with the citation and date', async (code, label, detail) => {
    const response = await submit({ code });
    const text = visibleText(await response.text());
    expect(response.status).toBe(200);
    expect(text).toContain(label);
    if (label !== 'In scope') expect(text).toContain(detail);
    expect(text).toContain('2026-1');
  });

  it('scans a storefront and shows the v0 scan result', async () => {
    const text = await textOf({ url: 'https://shop.example/' });
    const response = await service.get(`/api/v0/scan?url=${encodeURIComponent('https://shop.example/')}`);
    const { findings, score } = (await response.json()) as { findings: { message: string }[]; score: number };
    for (const { message } of findings) expect(text).toContain(message);
    expect(text).toContain(`${score}`);
  });

  it.each([
    [{ code: '' }, 200, 'not an HTS code'],
    [{ code: '1'.repeat(41) }, 400, 'at most 40 characters'],
    [{ url: '' }, 400, 'Enter the storefront URL.'],
    [{ url: 'http://127.0.0.1/' }, 422, "This page can't be scanned"],
    [{ url: 'http://nowhere.example/' }, 422, 'The web server could not be reached'],
  ])('shows an error for the query %j', async (query, status, message) => {
    const response = await submit(query as Record<string, string>);
    expect(response.status).toBe(status);
    expect(visibleText(await response.text()).toLowerCase()).toContain(message.toLowerCase());
  });

  it('counts home page checks toward the v0 rate limit', async () => {
    for (let i = 0; i < 15; i++) await submit({ code: '7318' });
    for (let i = 0; i < 15; i++) await service.get('/api/v0/hts/7318');
    const before = service.network.dialed.length;
    for (const query of [{ code: '7318' }, { url: 'https://shop.example/' }]) {
      const response = await submit(query);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(visibleText(await response.text())).toContain('Too many checks from your network');
    }
    expect(service.network.dialed).toHaveLength(before);
    expect((await service.get('/')).status).toBe(200);
  });

  it('runs only the service’s own script, which sends requests only to the service', async () => {
    const response = await service.get('/');
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const page = await response.text();
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/assets/check.js" defer>']);
    expect(page).not.toMatch(/style=|\son\w+=|https?:\/\/(?!www\.w3\.org)/i);
    const script = await service.get('/assets/check.js');
    expect(script.headers.get('Content-Type')).toMatch(/^text\/javascript/);
    expect(await script.text()).not.toMatch(/https?:|innerHTML|eval|document\.write/);
  });

  it('escapes every submitted value', async () => {
    const expected = skeleton(await (await submit({ code: 'x' })).text());
    const text = fc.oneof(
      fc.string({ maxLength: 38 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=y>',
        "' autofocus='",
        '&lt;b&gt;',
        '</title><b>',
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, async code => {
        service.time.now += 60_000;
        const page = await (await submit({ code: `x${code}` })).text();
        expect(skeleton(page)).toBe(expected);
      }),
      { numRuns: 100 },
    );
    const hostile = 'http://127.0.0.1/"><script>alert(1)</script>';
    const page = await (await submit({ url: hostile })).text();
    expect(page).not.toContain('<script>alert');
    expect(visibleText(page)).toContain(hostile);
    expect(service.failures).toEqual([]);
  });

  it('reveals only the request ID when an internal error occurs', async () => {
    const broken = await startService();
    await broken.store.close();
    const response = await broken.get('/?code=7318.15.2061');
    expect(response.status).toBe(500);
    const page = await response.text();
    expect(page).toContain(response.headers.get('X-Request-Id'));
    expect(page).not.toMatch(/sqlite|node:| {4}at /i);
    expect(broken.failures).toHaveLength(1);
    await broken.stop();
  });

  it('never logs submitted values', async () => {
    await submit({ code: '7318.15.2061', url: 'https://shop.example/secret' });
    expect(service.lines.join()).not.toMatch(/7318\.15|shop\.example/);
  });
});
