import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createNetwork, type Network, pages, redirect } from '@compliance/crawler/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

/** The test network. The command uses this network instead of the public internet. */
const test = vi.hoisted((): { network: Network | null } => ({ network: null }));
vi.mock('@compliance/crawler', async original => ({
  ...(await original<typeof import('@compliance/crawler')>()),
  get publicTransport() {
    return test.network?.transport;
  },
}));

const META = "<script>fbq('init','111000000000001');fbq('track','PageView')</script>";
const OLD = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';
const PLATFORM = `<script>Shopify = {}; Shopify.shop = 'demo.myshopify.com'; boot({webPixelsConfigList: []})</script>`;
const html = (body: string) => `<html><head>${PLATFORM}${META}</head><body>${body}</body></html>`;
const SHOP = {
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /search' },
  '/': html(
    '<a href="/collections/mugs">Mugs</a><a href="/products/mug">Mug</a><a href="/fr/collections/all">Français</a>',
  ),
  '/collections/mugs': html(''),
  '/products/mug': html(OLD),
  '/cart': html(OLD),
  '/fr': html(''),
};

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  test.network = createNetwork();
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await test.network?.close();
});

/** Runs `compliance scan --site` in this process so that the command uses the test network. */
async function scanSite(...args: string[]) {
  const { default: command } = await import('./scan.ts');
  let stdout = '';
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    stdout += text;
    return true;
  });
  for (const option of command.options) command.setOptionValue(option.attributeName(), option.defaultValue);
  const options = ['--site', 'http://shop.example/', '--as-of', '2026-11-21', ...args];
  await command.exitOverride().parseAsync(options, { from: 'user' });
  vi.restoreAllMocks();
  return { stdout: stripVTControlCharacters(stdout), exitCode: process.exitCode };
}

describe('compliance scan --site', () => {
  it('prints the score, the pages, and the combined findings', async () => {
    await test.network!.site('shop.example', pages(SHOP));
    const { stdout, exitCode } = await scanSite();
    expect(exitCode).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "http://shop.example/, 2026-11-21: 77 of 100
      1 error, 1 warning, 0 notes; 5 of 7 page types scanned.

      Page          Score  Result
      Home          97     1 warning
                           http://shop.example/
      Collection    97     1 warning
                           http://shop.example/collections/mugs
      Product       77     1 error, 1 warning
                           http://shop.example/products/mug
      Cart          77     1 error, 1 warning
                           http://shop.example/cart
      Search        –      Not scanned: The site's robots.txt does not allow automated visits to this page, or could
                           not be read.
      Blog          –      Not scanned: No link to a page of this type was found.
      Other locale  97     1 warning
                           http://shop.example/fr

      Severity  Finding
      Error     The page uses analytics.js for UA-12345-1. Universal Analytics no longer processes data.
                Delete the tag and connect the Google & YouTube app.
                ga_analytics_js_legacy, inline#3:1:203 on http://shop.example/products/mug
                Seen on: Product, Cart
      Warning   Tags in the theme run when the page loads, and nothing on the page handles consent.
                Use the vendors' Shopify apps, or start the tag only if marketingAllowed() returns true. Call
                marketingAllowed() when the page loads and after each visitorConsentCollected event.
                shopify_consent_bypass, inline#2:1:120 on http://shop.example/
                Seen on: every scanned page

      Vendor      ID                        Tag
      google      UA-12345-1                universal_analytics, theme, runs when the page loads; Seen on: Product,
                                            Cart
      meta        111000000000001           meta_pixel, theme, runs when the page loads; Seen on: every scanned page

      The score covers only scanned pages. Custom pixels aren't analyzed. Not legal advice.
      "
    `);
  });

  it('prints JSON with --json, prints SARIF with --sarif, and writes a report with --html-report', async () => {
    await test.network!.site('shop.example', pages(SHOP));
    const result = JSON.parse((await scanSite('--json')).stdout);
    expect(result.score_covers).toEqual(['home', 'collection', 'product', 'cart', 'locale']);
    const report = join(folder, 'report.html');
    const log = JSON.parse((await scanSite('--sarif', '--html-report', report)).stdout);
    expect(log.runs[0].properties.score).toBe(result.score);
    expect(readFileSync(report, 'utf8')).toContain('Site scan of shop.example');
  });

  it('compares each page type with its baseline', async () => {
    const replies: Record<string, string | object> = { ...SHOP };
    await test.network!.site('shop.example', pages(replies));
    const baseline = join(folder, 'baseline.json');
    writeFileSync(baseline, (await scanSite('--json')).stdout);
    expect((await scanSite('--baseline', baseline)).stdout).toContain('No changes since the baseline.');
    replies['/cart'] = html('').replace(META, '');
    delete replies['/fr'];
    const { stdout } = await scanSite('--baseline', baseline);
    expect(stdout).toMatch(/Broken since the baseline\.[\s\S]+Meta 111000000000001[\s\S]+Seen on: Cart/);
    expect(stdout).toContain('Not compared with the baseline: Other locale (not scanned).');
  });

  it('exits with code 2 if no page can be scanned', async () => {
    const password = '<form action="/password" method="post"></form>';
    await test.network!.site('shop.example', pages({ '/': redirect('/password'), '/password': password }));
    const { stdout, exitCode } = await scanSite();
    expect([exitCode, stdout]).toEqual([2, expect.stringContaining('not scored')]);
    expect(stdout).toContain('Not scanned: The store is password-protected.');
  });

  it('rejects a single-page baseline', async () => {
    const file = join(folder, 'page.json');
    writeFileSync(file, JSON.stringify({ version: 1, tags: [], containers: [] }));
    const { exitCode, stderr } = await runCli(['scan', '--site', 'shop.example', '--baseline', file]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("isn't a site baseline")]);
    writeFileSync(file, '[]');
    expect((await runCli(['scan', 'shop.example', '--baseline', file])).stderr).toContain("isn't a baseline");
  });

  it.each([
    ['a page URL too', ['scan', 'shop.example', '--site', 'shop.example'], 'not both'],
    ['a saved page', ['scan', '--site', 'shop.example', '--html', 'x.html'], 'cannot be used with'],
    ['a private address', ['scan', '--site', 'http://127.0.0.1/'], 'refused_address'],
  ])('exits with code 2 and a helpful message for %s', async (_, args, message) => {
    expect(await runCli(args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
