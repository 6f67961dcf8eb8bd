import { scan } from '@compliance/core/pixel';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCrawler } from '../crawler.ts';
import { createPool } from '../pool/index.ts';
import { createNetwork, type Network } from '../testing/network.ts';
import { pages, redirect } from '../testing/pages.ts';
import { createScanner } from './scanner.ts';

const asOf = '2026-11-21';
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 100 });
let network: Network;
beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());
afterAll(() => pool.close());

const scanner = () =>
  createScanner(createCrawler(network.transport), { contact: 'https://scanner.example/about', pool });

const OLD = `<html><head><script src="/theme.js"></script></head><body></body></html>`;
const THEME = {
  headers: { 'content-type': 'text/javascript' },
  body: 'ga("create", "UA-12345-1", "auto"); ga("send", "pageview")',
};

describe('storefront scan', () => {
  it('scans the fetched page and scripts and returns the same result as the core library', async () => {
    await network.site('shop.example', pages({ '/': OLD, '/theme.js': THEME }));
    const { drift, notes, ...result } = await scanner()('http://shop.example/', { asOf });
    expect(result.findings.map(finding => finding.rule_id)).toContain('ga_analytics_js_legacy');
    expect(result.findings[0]!.where.url).toBe('http://shop.example/theme.js');
    expect([drift, notes]).toEqual([null, []]);
    const capture = await createCrawler(network.transport)('http://shop.example/', {
      contact: 'https://scanner.example/about',
      pool,
    });
    expect(result).toEqual(JSON.parse(JSON.stringify(scan(capture, { asOf }))));
  });

  it('compares the scan with a baseline', async () => {
    await network.site('shop.example', pages({ '/': OLD, '/theme.js': THEME }));
    const before = await scanner()('http://shop.example/', { asOf });
    expect((await scanner()('http://shop.example/', { asOf, baseline: before.inventory })).drift?.drift_status).toBe(
      'none',
    );
    await network.close();
    network = createNetwork();
    await network.site('shop.example', pages({ '/': '<html><head></head><body></body></html>' }));
    const after = await scanner()('http://shop.example/', { asOf, baseline: before.inventory });
    expect(after.drift?.findings.map(finding => finding.rule_id)).toContain('drift_tag_removed');
  });

  it('fails with `blocked` for a bot challenge and with `not_html` for an empty page', async () => {
    const reason = async (url: string) =>
      await scanner()(url, { asOf }).then(
        () => 'none',
        error => error.reason,
      );
    await network.site('shop.example', pages({ '/': redirect('http://challenges.cloudflare.com/') }));
    await network.site(
      'challenges.cloudflare.com',
      pages({ '/': '<html><body>One moment</body></html>' }),
      '93.184.216.35',
    );
    await network.site('empty.example', pages({ '/': ' ' }), '93.184.216.36');
    expect([await reason('http://shop.example/'), await reason('http://empty.example/')]).toEqual([
      'blocked',
      'not_html',
    ]);
  });

  it('fails with `too_complex` for a page that exceeds the pool’s limits, without affecting other scans', async () => {
    const small = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
    await network.site('shop.example', pages({ '/': OLD, '/theme.js': THEME, '/large': '<b></b>'.repeat(600_000) }));
    const fetchCapture = createCrawler(network.transport);
    const contact = 'https://scanner.example/about';
    const limited = createScanner((url, options) => fetchCapture(url, { ...options, pool }), { contact, pool: small });
    await expect(limited('http://shop.example/large', { asOf })).rejects.toMatchObject({ reason: 'too_complex' });
    expect((await limited('http://shop.example/', { asOf })).score).toBeGreaterThan(0);
    await small.close();
  });
});
