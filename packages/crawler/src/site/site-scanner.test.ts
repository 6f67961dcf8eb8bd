import type { RequestListener } from 'node:http';
import type { SiteScan } from '@compliance/core/pixel';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchOptions } from '../crawler.ts';
import { createPool, type Pool, PoolError } from '../pool/index.ts';
import { createNetwork, type Network } from '../testing/network.ts';
import { pages, type Reply, redirect } from '../testing/pages.ts';
import { createSiteScanner, type SiteScanRequest } from './site-scanner.ts';

const asOf = '2026-11-21';
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 100 });
let network: Network;
beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());
afterAll(() => pool.close());

const META = "<script>fbq('init','111000000000001');fbq('track','PageView')</script>";
const OLD = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';
const THEME = '<script src="/theme.js"></script>';
const script: Reply = { headers: { 'content-type': 'text/javascript' }, body: 'var theme = 1;' };
const robots = (text: string): Reply => ({ headers: { 'content-type': 'text/plain' }, body: text });
const html = (body: string) => `<html><head>${THEME}${META}</head><body>${body}</body></html>`;

const NAVIGATION =
  '<a href="/collections/mugs">Mugs</a><a href="/blogs/news/first">First</a><a href="/fr/collections/all">Français</a>';
const SHOP: Record<string, Reply> = {
  '/': html(NAVIGATION),
  '/theme.js': script,
  '/collections/mugs': html('<a href="/collections/mugs/products/blue-mug">Blue mug</a>'),
  '/products/blue-mug': html(OLD),
  '/cart': html(''),
  '/search?q=gift': html(''),
  '/blogs/news/first': html(OLD),
  '/fr': html(''),
};

/** Adds a site to the network, and returns the paths requested from the site. */
async function site(replies: Record<string, Reply>, name = 'shop.example', address?: string): Promise<string[]> {
  const requested: string[] = [];
  const reply: RequestListener = pages(replies);
  const listener: RequestListener = (request, response) => {
    requested.push(request.url ?? '');
    reply(request, response);
  };
  await network.site(name, listener, address);
  return requested;
}

const scanSite = (
  url = 'http://shop.example/',
  limits: FetchOptions['limits'] = {},
  request: Partial<SiteScanRequest> = {},
) =>
  createSiteScanner(network.transport, {
    ...{ contact: 'https://scanner.example/about', pool },
    limits: { refusalMs: 10, ...limits },
  })(url, { asOf, ...request });

/** Returns the URL of each page type, or the reason that the page wasn't scanned. */
const outcomes = ({ pages: all }: SiteScan) =>
  Object.fromEntries(all.map(page => [page.page_type, page.reason ?? page.url?.replace('http://shop.example', '')]));

describe('site scan', () => {
  it('scans one page of each type and combines the findings', async () => {
    await site(SHOP);
    const result = await scanSite('http://shop.example/products/blue-mug?variant=1');
    expect(outcomes(result)).toEqual({
      ...{ home: '/', collection: '/collections/mugs', product: '/products/blue-mug', cart: '/cart' },
      ...{ search: '/search?q=gift', blog: '/blogs/news/first', locale: '/fr' },
    });
    const legacy = result.findings.find(({ rule_id }) => rule_id === 'ga_analytics_js_legacy');
    expect(legacy?.seen_on).toEqual(['product', 'blog']);
    expect(result.score).toBeLessThanOrEqual(Math.min(...result.pages.map(({ score }) => score ?? 100)));
    expect(result.inventory.tags.find(({ id }) => id === '111000000000001')?.seen_on).toHaveLength(7);
  });

  it('requests each page, each script, and robots.txt only once', async () => {
    const requested = await site(SHOP);
    await scanSite();
    expect([...requested].sort()).toEqual([...Object.keys(SHOP), '/robots.txt'].sort());
  });

  it('returns byte-identical results for the same site', async () => {
    await site(SHOP);
    expect(JSON.stringify(await scanSite())).toBe(JSON.stringify(await scanSite()));
  });

  it('stays in the URL’s locale', async () => {
    await site({
      '/fr': html('<a href="/products/mug">Mug</a><a href="/fr/products/tasse">Tasse</a><a href="/es">Español</a>'),
      '/fr/products/tasse': html(''),
      '/es': html(''),
    });
    expect(outcomes(await scanSite('http://shop.example/fr/pages/about'))).toMatchObject({
      ...{ home: '/fr', product: '/fr/products/tasse', cart: 'http_error', locale: '/es' },
    });
  });
});

describe('site scan with pages that can’t be scanned', () => {
  it('lists page types that the shop doesn’t link to as not found', async () => {
    await site({ '/': html(''), '/cart': html('') });
    const result = await scanSite();
    expect(outcomes(result)).toEqual({
      ...{ home: '/', collection: 'http_error', product: 'not_found', cart: '/cart', search: 'http_error' },
      ...{ blog: 'not_found', locale: 'not_found' },
    });
    expect(result.score_covers).toEqual(['home', 'cart']);
    expect(result.pages.find(({ page_type }) => page_type === 'search')?.status).toBe(404);
  });

  it('never requests pages that robots.txt disallows', async () => {
    const requested = await site({
      ...SHOP,
      '/robots.txt': robots('User-agent: *\nDisallow: /cart\nDisallow: /search'),
    });
    const result = await scanSite();
    expect(outcomes(result)).toMatchObject({ cart: 'robots', search: 'robots', product: '/products/blue-mug' });
    expect(requested.filter(path => /cart|search/.test(path))).toEqual([]);
    expect(result.score).toBeLessThan(100);
  });

  it('scans the pages fetched before the request limit is reached, and lists the other pages with the reason', async () => {
    const requested = await site(SHOP);
    const result = await scanSite(undefined, { requests: 5 });
    expect(outcomes(result)).toEqual({
      ...{ home: '/', collection: '/collections/mugs', product: '/products/blue-mug', cart: '/cart' },
      ...{ search: 'over_limit', blog: 'over_limit', locale: 'over_limit' },
    });
    expect(requested).toHaveLength(5);
    expect(result.score_covers).toEqual(['home', 'collection', 'product', 'cart']);
  });

  it('reserves a request for each page type, so the home page’s scripts can’t use up the request limit', async () => {
    const scripts = Array.from({ length: 20 }, (_, i) => `/${i}.js`);
    const tags = scripts.map(path => `<script src="${path}"></script>`).join('');
    await site({ ...SHOP, ...Object.fromEntries(scripts.map(path => [path, script])), '/': html(NAVIGATION + tags) });
    const result = await scanSite(undefined, { requests: 20 });
    expect(Object.values(outcomes(result)).filter(outcome => outcome?.startsWith('/'))).toHaveLength(7);
    expect(result.pages[0]).toMatchObject({ complete: false });
    expect(result.pages[0]?.notes).toContainEqual(
      expect.objectContaining({ code: 'script_not_read', reason: 'over_limit' }),
    );
  });

  it('lists the pages that aren’t fetched within the time limit, with the reason', async () => {
    const reply = pages(SHOP);
    await network.site('shop.example', (request, response) => {
      if (request.url !== '/products/blue-mug') reply(request, response);
    });
    const result = await scanSite(undefined, { totalMs: 1_500 });
    expect(outcomes(result)).toMatchObject({
      collection: '/collections/mugs',
      product: 'timed_out',
      cart: 'over_limit',
    });
  });

  it('lists pages that redirect to another site or to the home page, and never requests the other site', async () => {
    const other = await site({ '/': html('') }, 'other.example', '93.184.216.35');
    const moved = {
      '/cart': redirect('http://other.example/'),
      '/fr': redirect('/'),
      '/search?q=gift': redirect('/cart'),
    };
    await site({ ...SHOP, ...moved });
    expect(outcomes(await scanSite())).toMatchObject({
      cart: 'redirected',
      search: 'redirected',
      locale: 'redirected',
    });
    expect(other).toEqual([]);
  });

  it('requests only the home page if the store is password-protected', async () => {
    const requested = await site({
      '/': redirect('/password'),
      '/password': '<form action="/password" method="post">',
    });
    const result = await scanSite();
    expect(new Set(Object.values(outcomes(result)))).toEqual(new Set(['password']));
    expect([result.score, result.findings, requested]).toEqual([null, [], ['/robots.txt', '/', '/password']]);
  });

  it('fails if the home page can’t be fetched', async () => {
    await site({ '/cart': html('') });
    await expect(scanSite()).rejects.toMatchObject({ reason: 'http_error', status: 404 });
    await expect(scanSite('http://127.0.0.1/')).rejects.toMatchObject({ reason: 'refused_address' });
  });
});

describe('site scan with a locale on another host', () => {
  const alternate = (href: string) => `<link rel="alternate" hreflang="x" href="${href}">`;
  const toGerman = html(alternate('http://shop-germany.example/'));

  it('scans the locale if each site names the other as an alternate', async () => {
    await site({ '/': toGerman });
    await site({ '/': html(alternate('http://shop.example/')) }, 'shop-germany.example', '93.184.216.35');
    expect(outcomes(await scanSite())).toMatchObject({ locale: 'http://shop-germany.example/' });
  });

  it('doesn’t scan the locale unless its site names the scanned site as an alternate', async () => {
    await site({ '/': toGerman });
    await site({ '/': html(alternate('http://other.example/')) }, 'shop-germany.example', '93.184.216.35');
    expect(outcomes(await scanSite())).toMatchObject({ locale: 'not_confirmed' });
  });

  it('doesn’t request a locale’s home page if robots.txt disallows it or the locale’s host has a private address', async () => {
    await site({ '/': toGerman });
    const requested = await site(
      { '/robots.txt': robots('User-agent: *\nDisallow: /') },
      'shop-germany.example',
      '93.184.216.35',
    );
    expect(outcomes(await scanSite())).toMatchObject({ locale: 'robots' });
    expect(requested).toEqual(['/robots.txt']);
    network.names.set('shop-germany.example', ['10.0.0.1']);
    expect(outcomes(await scanSite())).toMatchObject({ locale: 'unreachable' });
  });
});

describe('site scan with a baseline', () => {
  it('reports which page types changed, and chooses the same pages as the baseline', async () => {
    const replies = { ...SHOP };
    await site(replies);
    const { inventories: baseline } = await scanSite();
    replies['/'] = html(`<a href="/collections/cups">Cups</a>${NAVIGATION}`);
    replies['/products/blue-mug'] = '<html><head></head><body></body></html>';
    const result = await scanSite(undefined, {}, { baseline });
    expect(outcomes(result)).toMatchObject({ collection: '/collections/mugs' });
    expect(result.drift).toMatchObject({ drift_status: 'broken' });
    expect(new Set(result.drift?.findings.flatMap(({ seen_on }) => seen_on))).toEqual(new Set(['product']));
    expect(result.drift?.pages.map(({ drift_status }) => drift_status).sort()).toEqual([
      ...['broken', 'none', 'none', 'none', 'none', 'none', 'none'],
    ]);
  });
});

describe('site scan of a hostile site', () => {
  it('requests at most one page of each type, even if a hostile site has 100,000 links', async () => {
    const links = Array.from({ length: 100_000 }, (_, i) => `<a href="/products/${i}"></a>`).join('');
    const requested = await site({ '/': `<html>${links}</html>` });
    await scanSite();
    expect(requested).toEqual(['/robots.txt', '/', '/collections/all', '/products/0', '/cart', '/search?q=gift']);
  });

  it('returns a partial result if parsing the links takes too long', async () => {
    await site(SHOP);
    const run: Pool['run'] = (module, name, input) =>
      name === 'pageLinks' && (input as { html: string }).html !== ''
        ? Promise.reject(new PoolError('timed_out', 'too slow'))
        : pool.run(module, name, input);
    const admit: Pool['admit'] = (_, work) => work({ run });
    const options = { contact: 'https://scanner.example/about', pool: { ...pool, admit }, limits: { refusalMs: 10 } };
    const result = await createSiteScanner(network.transport, options)('http://shop.example/', { asOf });
    expect(outcomes(result)).toEqual({
      ...{ home: '/', collection: 'http_error', product: 'too_complex', cart: '/cart', search: '/search?q=gift' },
      ...{ blog: 'too_complex', locale: 'too_complex' },
    });
  });
});
