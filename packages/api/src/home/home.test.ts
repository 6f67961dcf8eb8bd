import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { skeleton, words } from '../testing/markup.ts';
import { startService } from '../testing/service.ts';

const service = await startService();
afterAll(() => service.stop());
beforeEach(() => {
  service.time.now += 86_400_000;
  service.failures.length = 0;
});

const ask = async (query: Record<string, string>) => await service.get(`/?${new URLSearchParams(query)}`);
const seen = async (query: Record<string, string>) => words(await (await ask(query)).text());

describe('the first page', () => {
  it('is HTML for a browser, and JSON for a program that asks for it', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined]) {
      const response = await service.get('/', accept === undefined ? {} : { headers: { Accept: accept } });
      expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
      expect(response.headers.get('Vary')).toContain('Accept');
    }
    const response = await service.get('/', { headers: { Accept: 'application/json' } });
    expect(response.headers.get('Vary')).toContain('Accept');
    const { links, lists } = (await response.json()) as { links: Record<string, string>; lists: object };
    expect(lists).toEqual({ version: '2026-10-09', known_through: '2026-10-09' });
    for (const link of Object.values(links)) {
      const path = link.replace('{code}', '7318.15.2061').replace('{url}', encodeURIComponent('https://shop.example/'));
      expect([link, (await service.get(path)).status]).toEqual([link, 200]);
    }
  });

  it('says how fresh the lists are, and once that it is no advice', async () => {
    const text = await seen({});
    expect(text).toContain('2026-10-09');
    expect(text).toContain('a change after that day would not be in this answer');
    expect(text.match(/legal, customs or tax advice/g)).toHaveLength(1);
  });

  it.each([
    ['7318.15.2061', 'Hit', 'Proclamation 11021'],
    ['7208.10.15', 'In scope', '9903.'],
    ['7318.90.00', 'Adjacent', '7318.'],
    ['0101.21.00', 'Clear', 'Not on the steel, aluminum or copper lists.'],
    ['bolts', 'Invalid', 'only digits, dots and spaces are read'],
  ])('answers %s: %s, with the citation and the date', async (code, word, told) => {
    const response = await ask({ code });
    const text = words(await response.text());
    expect(response.status).toBe(200);
    expect(text).toContain(word);
    if (word !== 'In scope') expect(text).toContain(told);
    expect(text).toContain('2026-1');
  });

  it('scans a storefront and shows what v0 answers', async () => {
    const text = await seen({ url: 'https://shop.example/' });
    const response = await service.get(`/api/v0/scan?url=${encodeURIComponent('https://shop.example/')}`);
    const { findings, score } = (await response.json()) as { findings: { message: string }[]; score: number };
    for (const { message } of findings) expect(text).toContain(message);
    expect(text).toContain(`${score}`);
  });

  it.each([
    [{ code: '' }, 200, 'not an HTS code'],
    [{ code: '1'.repeat(41) }, 400, 'at most 40 characters'],
    [{ url: '' }, 400, 'Give the address of the storefront.'],
    [{ url: 'http://127.0.0.1/' }, 422, 'There is no page to scan at this address.'],
    [{ url: 'http://nowhere.example/' }, 422, 'No web server could be reached'],
  ])('tells of a fault: %j', async (query, status, told) => {
    const response = await ask(query as Record<string, string>);
    expect(response.status).toBe(status);
    expect(words(await response.text()).toLowerCase()).toContain(told.toLowerCase());
  });

  it('has the limit of v0, and counts with it', async () => {
    for (let i = 0; i < 15; i++) await ask({ code: '7318' });
    for (let i = 0; i < 15; i++) await service.get('/api/v0/hts/7318');
    const before = service.network.dialled.length;
    for (const query of [{ code: '7318' }, { url: 'https://shop.example/' }]) {
      const response = await ask(query);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(words(await response.text())).toContain('Too many checks from your network.');
    }
    expect(service.network.dialled).toHaveLength(before);
    expect((await service.get('/')).status).toBe(200);
  });

  it('lets one script of its own in, which asks this service alone, and no other site', async () => {
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

  it('shows every text that is asked as text', async () => {
    const plain = skeleton(await (await ask({ code: 'x' })).text());
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
        const page = await (await ask({ code: `x${code}` })).text();
        expect(skeleton(page)).toBe(plain);
      }),
      { numRuns: 100 },
    );
    const hostile = 'http://127.0.0.1/"><script>alert(1)</script>';
    const page = await (await ask({ url: hostile })).text();
    expect(page).not.toContain('<script>alert');
    expect(words(page)).toContain(hostile);
    expect(service.failures).toEqual([]);
  });

  it('keeps a failure of the service to itself, and gives the request id', async () => {
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

  it('writes nothing that was asked into the log', async () => {
    await ask({ code: '7318.15.2061', url: 'https://shop.example/secret' });
    expect(service.lines.join()).not.toMatch(/7318|shop\.example/);
  });
});
