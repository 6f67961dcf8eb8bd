import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StorefrontCapture } from './capture.ts';
import { createCrawler, type FetchOptions } from './crawler.ts';
import { createPool } from './pool/index.ts';
import { ScanFailed } from './scan-failed.ts';
import { certificateFor } from './testing/certificate.ts';
import { createNetwork, type Network } from './testing/network.ts';
import { pages, redirect } from './testing/pages.ts';

const contact = 'https://scanner.example/about';
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 128, queue: 100 });
let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());
afterAll(() => pool.close());

const fetchFrom = (url: string, options: Partial<FetchOptions> = {}): Promise<StorefrontCapture> =>
  createCrawler(network.transport)(url, { contact, pool, ...options });

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

describe('storefront captures', () => {
  it('captures a storefront’s page and headers, and the shop’s own scripts in page order', async () => {
    await network.site(
      'shop.example',
      pages({
        '/': {
          headers: { 'content-type': 'text/html; charset=utf-8', 'powered-by': 'Shopify' },
          body: '<script src="/cdn/shop/t/1/assets/theme.js"></script><script src="//shop.example/b.js"></script><p>Caffè',
        },
        '/cdn/shop/t/1/assets/theme.js': script('theme()'),
        '/b.js': script('b()'),
      }),
    );
    const capture = await fetchFrom('http://shop.example/#top');
    expect(capture).toMatchObject({ url: 'http://shop.example/', finalUrl: 'http://shop.example/', status: 200 });
    expect(capture.headers['powered-by']).toBe('Shopify');
    expect(capture.html).toContain('Caffè');
    expect(capture.scripts).toEqual([
      { url: 'http://shop.example/cdn/shop/t/1/assets/theme.js', status: 200, body: 'theme()' },
      { url: 'http://shop.example/b.js', status: 200, body: 'b()' },
    ]);
    expect(capture.notes).toEqual([]);
    expect(capture.truncated).toBe(false);
  });

  it('skips third-party scripts, platform scripts, and, if `googleTags` is false, Google tags, and lists them in the notes', async () => {
    await network.site(
      'shop.example',
      pages({
        '/': `<script src="https://connect.facebook.net/en_US/fbevents.js"></script>
          <script src="https://cdn.shopify.com/shopifycloud/web-pixels-manager/0.0.1/sandbox.js"></script>
          <script src="/cdn/shopifycloud/perf-kit/perf-kit.js"></script>
          <script src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script>
          <script src="data:text/javascript,1"></script>`,
      }),
    );
    const { scripts, notes } = await fetchFrom('http://shop.example/', { googleTags: false });
    expect(scripts).toEqual([]);
    expect(notes).toEqual([
      {
        code: 'scripts_left_out',
        reason: 'tag',
        count: 1,
        urls: ['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234'],
      },
      {
        code: 'scripts_left_out',
        reason: 'third_party',
        count: 1,
        urls: ['https://connect.facebook.net/en_US/fbevents.js'],
      },
      {
        code: 'scripts_left_out',
        reason: 'platform',
        count: 2,
        urls: [
          'https://cdn.shopify.com/shopifycloud/web-pixels-manager/0.0.1/sandbox.js',
          'http://shop.example/cdn/shopifycloud/perf-kit/perf-kit.js',
        ],
      },
    ]);
    expect(new Set(network.dialed)).toEqual(new Set(['93.184.216.34:80']));
  });

  it('captures Google tags unless the caller turns them off, and ignores tag IDs in page text', async () => {
    await network.site(
      'shop.example',
      pages({
        '/': `<script src="http://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script><p>GTM-NOTTHIS</p>`,
      }),
    );
    await network.site(
      'www.googletagmanager.com',
      pages({ '/gtag/js?id=G-ABCDEF1234': script('gtag()') }),
      '142.250.1.1',
    );
    const { scripts, notes } = await fetchFrom('http://shop.example/');
    expect(scripts.map(({ body }) => body)).toEqual(['gtag()']);
    expect(notes).toEqual([]);
    const without = await fetchFrom('http://shop.example/', { googleTags: false });
    expect(without.scripts).toEqual([]);
    expect(without.notes).toMatchObject([{ code: 'scripts_left_out', reason: 'tag', count: 1 }]);
  });

  it('follows redirects from a myshopify.com domain to the shop’s own domain and to its password page', async () => {
    await network.site('x.myshopify.com', pages({ '/': redirect('http://shop.example/') }), '23.227.38.65');
    await network.site(
      'shop.example',
      pages({ '/': redirect('/password'), '/password': '<body class="template-password">Soon' }),
    );
    const capture = await fetchFrom('http://x.myshopify.com');
    expect(capture.finalUrl).toBe('http://shop.example/password');
    expect(capture.html).toContain('Soon');
  });

  it('reports a storefront with bot protection as blocked and doesn’t retry the request', async () => {
    const asked: string[] = [];
    await network.site('shop.example', (request, response) => {
      asked.push(request.url ?? '');
      const status = request.url === '/robots.txt' ? 404 : 403;
      response.writeHead(status, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' });
      response.end('<title>Just a moment');
    });
    await expect(fetchFrom('http://shop.example/')).rejects.toMatchObject({ reason: 'blocked', status: 403 });
    expect(asked).toEqual(['/robots.txt', '/']);
  });

  it('reports a storefront as blocked if its bot protection responds with status 200', async () => {
    await network.site('shop.example', pages({ '/': { headers: { 'cf-mitigated': 'challenge' }, body: '<p>' } }));
    await expect(fetchFrom('http://shop.example/')).rejects.toMatchObject({ reason: 'blocked', status: 200 });
  });

  it('fails with `http_error` and the status if the storefront responds with 404 or 500', async () => {
    await network.site('shop.example', pages({ '/down': { status: 500, body: '<p>oops' } }));
    await expect(fetchFrom('http://shop.example/')).rejects.toMatchObject({ reason: 'http_error', status: 404 });
    await expect(fetchFrom('http://shop.example/down')).rejects.toMatchObject({ reason: 'http_error', status: 500 });
  });
});

describe('script captures', () => {
  const shop = (html: string, more = {}) => network.site('shop.example', pages({ '/': html, ...more }));

  it('adds a note for each script that can’t be fetched, and still captures the page', async () => {
    await shop(
      '<script src="/gone.js"></script><script src="/page.js"></script><script src="http://dead.shop.example/x.js"></script>',
      { '/page.js': '<p>soft 404' },
    );
    const { scripts, notes } = await fetchFrom('http://shop.example/', { limits: { refusalMs: 10 } });
    expect(scripts).toEqual([]);
    expect(notes).toEqual([
      { code: 'script_not_read', reason: 'http_error', url: 'http://shop.example/gone.js' },
      { code: 'script_not_read', reason: 'not_script', url: 'http://shop.example/page.js' },
      { code: 'script_not_read', reason: 'unreachable', url: 'http://dead.shop.example/x.js' },
    ]);
  });

  it('counts the scripts over the limit, and fetches repeated scripts only once', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `<script src="/${index}.js"></script>`.repeat(2)).join('');
    await shop(many, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/${index}.js`, script('1')])));
    const { scripts, notes } = await fetchFrom('http://shop.example/', { limits: { scripts: 3 } });
    expect(scripts.map(({ url }) => url)).toEqual([0, 1, 2].map(index => `http://shop.example/${index}.js`));
    expect(notes).toMatchObject([{ code: 'scripts_left_out', reason: 'over_limit', count: 27 }]);
  });

  it('skips the remaining scripts when the capture’s request limit is reached', async () => {
    await shop('<script src="/1.js"></script><script src="/2.js"></script>', {
      '/1.js': script('1'),
      '/2.js': script('2'),
    });
    const { scripts, notes } = await fetchFrom('http://shop.example/', { limits: { requests: 3 } });
    expect(scripts).toHaveLength(1);
    expect(notes).toMatchObject([{ code: 'script_not_read', reason: 'over_limit' }]);
  });

  it('decodes a script with the page’s charset if the script doesn’t declare a charset', async () => {
    await network.site(
      'shop.example',
      pages({
        '/': {
          headers: { 'content-type': 'text/html; charset=windows-1252' },
          body: Buffer.from('<script src=a.js></script>é', 'latin1'),
        },
        '/a.js': { headers: { 'content-type': 'text/javascript' }, body: Buffer.from('"é"', 'latin1') },
      }),
    );
    const { html, scripts } = await fetchFrom('http://shop.example/');
    expect(html).toContain('é');
    expect(scripts[0]?.body).toBe('"é"');
  });

  it('returns the page and skips the remaining scripts when the capture’s time limit expires', async () => {
    await network.site('shop.example', (request, response) => {
      if (request.url === '/slow.js') return;
      response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
      response.end('<script src="/slow.js"></script>');
    });
    const { html, notes } = await fetchFrom('http://shop.example/', { limits: { totalMs: 1_000 } });
    expect(html).toContain('slow.js');
    expect(notes).toEqual([{ code: 'script_not_read', reason: 'timed_out', url: 'http://shop.example/slow.js' }]);
  });
});

describe('script requests', () => {
  it.each([
    ['a script on a private address', '<script src="http://169.254.169.254/latest/x.js"></script>'],
    ['a script on an internal name', '<script src="//inside.shop.example/x.js"></script>'],
    ['a base URL on a private address', '<base href="http://10.0.0.1/"><script src="x.js"></script>'],
    ['a script that redirects to a private address', '<script src="/redirect.js"></script>'],
  ])('applies the same SSRF checks to script URLs as to the page URL: %s', async (_, html) => {
    const listener = pages({ '/': html, '/redirect.js': redirect('http://10.0.0.1/x.js') });
    await network.site('shop.example', listener);
    network.names.set('inside.shop.example', ['10.0.0.1']);
    const { scripts, notes } = await fetchFrom('http://shop.example/', { limits: { refusalMs: 10 } });
    expect(scripts).toEqual([]);
    expect(notes).toHaveLength(1);
    expect(notes[0]?.reason).toMatch(/^(?:refused_address|unreachable|third_party)$/);
    expect(new Set(network.dialed)).toEqual(new Set(['93.184.216.34:80']));
  });

  it('checks each script against its own origin’s robots.txt', async () => {
    const html = '<script src="http://cdn.shop.example/x.js"></script><script src="/y.js"></script>';
    await network.site('shop.example', pages({ '/': html, '/y.js': script('y') }));
    const keepOut = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' };
    await network.site('cdn.shop.example', pages({ '/robots.txt': keepOut, '/x.js': script('x') }), '93.184.216.35');
    const { scripts, notes } = await fetchFrom('http://shop.example/');
    expect(scripts.map(({ body }) => body)).toEqual(['y']);
    expect(notes).toEqual([{ code: 'script_not_read', reason: 'robots', url: 'http://cdn.shop.example/x.js' }]);
  });

  it('truncates the page and its scripts at their size limits and adds a note for each', async () => {
    const html = `<script src="/big.js"></script>${'a'.repeat(500)}`;
    await network.site('shop.example', pages({ '/': html, '/big.js': script('b'.repeat(500)) }));
    const capture = await fetchFrom('http://shop.example/', { limits: { pageBytes: 300, scriptBytes: 200 } });
    expect(capture.truncated).toBe(true);
    expect([capture.html.length, capture.scripts[0]?.body.length]).toEqual([300, 200]);
    expect(capture.notes).toEqual([
      { code: 'page_truncated', reason: 'size' },
      { code: 'script_truncated', reason: 'size', url: 'http://shop.example/big.js' },
    ]);
  });

  it('counts the page and its scripts toward one shared size limit', async () => {
    const html = '<script src="/1.js"></script><script src="/2.js"></script>';
    const bodies = { '/1.js': script('b'.repeat(500)), '/2.js': script('b'.repeat(500)) };
    await network.site('shop.example', pages({ '/': html, ...bodies }));
    const { scripts, notes } = await fetchFrom('http://shop.example/', { limits: { totalBytes: 600 } });
    expect(scripts.reduce((sum, { body }) => sum + body.length, html.length)).toBe(600);
    expect(notes.map(({ reason }) => reason)).toContain('total_size');
  });

  it('never includes control characters, angle brackets, or double quotes in the script URLs in notes', async () => {
    const html = '<script src="https://evil.example/&#10;&#27;[31m<img src=x onerror=1>\'&quot;?<b>"></script>';
    await network.site('shop.example', pages({ '/': `${html}<script src="https://evil.example/<b>&quot;"></script>` }));
    const { notes } = await fetchFrom('http://shop.example/');
    expect(notes).toEqual([
      { code: 'scripts_left_out', reason: 'third_party', count: 1, urls: ['https://evil.example/%3Cb%3E%22'] },
      { code: 'scripts_left_out', reason: 'invalid_url', count: 1, urls: [] },
    ]);
  });

  it('skips all scripts and adds a note if parsing the page crashes the worker', async () => {
    const tight = createPool({ workers: 1, timeoutMs: 2_000, memoryMb: 64, queue: 10 });
    await network.site('shop.example', pages({ '/': '<svg><math>'.repeat(200_000) }));
    const { notes, html } = await fetchFrom('http://shop.example/', { pool: tight });
    await tight.close();
    expect(html).toHaveLength(2_200_000);
    expect(notes).toEqual([{ code: 'scripts_unlisted', reason: 'too_hard_to_parse' }]);
  });
});

it('adds https:// to a bare host', async () => {
  const certificate = await certificateFor('shop.example', { trusted: true });
  await network.secureSite('shop.example', certificate, pages({ '/': '<p>secure' }));
  expect(await fetchFrom('shop.example')).toMatchObject({ url: 'https://shop.example/', html: '<p>secure' });
});

it.each([
  ['a picture', { headers: { 'content-type': 'image/png' }, body: '<p>' }],
  ['a PDF without a type', { headers: { 'content-type': '' }, body: '%PDF-1.7' }],
])('fails with `not_html` for %s', async (_, reply) => {
  await network.site('shop.example', pages({ '/': reply }));
  await expect(fetchFrom('http://shop.example/')).rejects.toMatchObject({ reason: 'not_html' });
});

describe('crawler identification', () => {
  it('sends a user agent with a contact, and doesn’t send cookies, a referrer, or credentials', async () => {
    const seen: Record<string, unknown>[] = [];
    await network.site('shop.example', (request, response) => {
      seen.push(request.headers);
      const type = request.url === '/' ? 'text/html' : 'text/javascript';
      response.writeHead(request.url === '/robots.txt' ? 404 : 200, { 'content-type': type, 'set-cookie': 'id=1' });
      response.end('<script src="/a.js"></script>');
    });
    const capture = await fetchFrom('http://shop.example/');
    expect(seen).toHaveLength(3);
    for (const headers of seen) {
      expect(headers['user-agent']).toBe(`PortfolioCompliance/0.1 (storefront tag scan; +${contact})`);
      expect(Object.keys(headers).sort()).toEqual([
        'accept',
        'accept-encoding',
        'accept-language',
        'connection',
        'host',
        'user-agent',
      ]);
    }
    expect(capture.headers).not.toHaveProperty('set-cookie');
  });

  it('rejects an invalid contact option', async () => {
    await expect(fetchFrom('http://shop.example/', { contact: 'x) \r\nEvil: 1' })).rejects.toThrow(TypeError);
    await expect(fetchFrom('http://shop.example/', { contact: 'javascript:1' })).rejects.toThrow(TypeError);
  });
});

it('throws the caller’s reason when the caller aborts a capture', async () => {
  await network.site('shop.example', () => {});
  const stop = new AbortController();
  const capture = fetchFrom('http://shop.example/', { signal: stop.signal });
  stop.abort(new Error('the client left'));
  await expect(capture).rejects.toThrow('the client left');
});

it('throws a ScanFailed error that contains a reason but no internal data', async () => {
  network.names.set('shop.example', ['10.1.2.3']);
  const error = await fetchFrom('http://shop.example/secret', { limits: { refusalMs: 10 } }).catch(failed => failed);
  expect(error).toBeInstanceOf(ScanFailed);
  const everything = `${JSON.stringify(error)} ${error.stack} ${error.message} ${error.cause}`;
  expect(everything).not.toMatch(/10\.1|secret|\.ts|node:|undici/);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    error: 'scan_failed',
    reason: 'unreachable',
    message: error.message,
  });
});
