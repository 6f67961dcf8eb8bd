import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sarif, scan } from '@compliance/core/pixel';
import { describe, expect, it } from 'vitest';
import { compliance, temporaryFolder } from '../testing/compliance.ts';

const DAY = ['--as-of', '2026-11-21'];
const URL_OF_PAGE = 'https://shop.example/';
const OLD =
  '<html><head><script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script></head><body></body></html>';
const CLEAN = '<html><head><title>Shop</title></head><body></body></html>';
const capture = (html: string) => ({
  ...{ url: URL_OF_PAGE, finalUrl: URL_OF_PAGE, status: 200, headers: { 'content-type': 'text/html' } },
  ...{ html, scripts: [], truncated: false, notes: [] },
});

function saved(html: string): { folder: string; page: string[] } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'page.html'), html);
  return { folder, page: ['--html', join(folder, 'page.html'), '--url', URL_OF_PAGE] };
}

describe('compliance scan of a saved page', () => {
  it('prints with --json what the library says, and exits with 1 when there is an error', async () => {
    const { exitCode, stdout } = await compliance(['scan', ...saved(OLD).page, ...DAY, '--json']);
    const result = scan(capture(OLD), { asOf: '2026-11-21' });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify({ ...result, drift: null, notes: [] })));
    expect([result.severity_counts.error > 0, exitCode]).toEqual([true, 1]);
  });

  it('exits with 0 when there is none', async () => {
    expect((await compliance(['scan', ...saved(CLEAN).page, ...DAY])).exitCode).toBe(0);
  });

  it('prints a report for people', async () => {
    const { stdout } = await compliance(['scan', ...saved(OLD).page, ...DAY]);
    expect(stdout).toMatchInlineSnapshot(`
      "https://shop.example/, 2026-11-21: 79 of 100
      1 error, 0 warnings, 1 note; 1 script read.

      Severity  Finding
      error     analytics.js is used for UA-12345-1; Universal Analytics no longer processes data.
                Delete the tags and connect the Google & YouTube app.
                ga_analytics_js_legacy, inline#1:1:21
      note      This does not look like a Shopify storefront; rules about Shopify may not apply.
                Check the address.
                shopify_not_detected, page:1:1

      Vendor      Id                        Tag
      google      UA-12345-1                universal_analytics, theme, run

      What a Tag Manager container or a custom pixel does inside is not seen. No legal advice.
      "
    `);
  });

  it('prints SARIF', async () => {
    const { stdout } = await compliance(['scan', ...saved(OLD).page, ...DAY, '--sarif']);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const expected = sarif(scan(capture(OLD), { asOf: '2026-11-21' }), version);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('writes the report as one HTML page', async () => {
    const { folder, page } = saved(OLD);
    await compliance(['scan', ...page, ...DAY, '--html-report', join(folder, 'report.html')]);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(
      /^<!doctype html>[\s\S]+Pixel scan of shop\.example/,
    );
    const refused = await compliance(['scan', ...page, '--html-report', join(folder, 'no', 'folder.html')]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('cannot be written') });
  });

  it('reads the scripts that were saved beside the page', async () => {
    const { folder, page } = saved('<html><head><script src="./shop_files/theme.js?v=1"></script></head></html>');
    mkdirSync(join(folder, 'shop_files'));
    writeFileSync(join(folder, 'shop_files', 'theme.js'), 'ga("create", "UA-12345-1", "auto")');
    const { stdout } = await compliance(['scan', ...page, ...DAY, '--json', '--scripts', join(folder, 'shop_files')]);
    const [finding] = JSON.parse(stdout).findings;
    expect(finding.where.url).toBe('https://shop.example/shop_files/theme.js?v=1');
  });

  it('says what changed since a baseline', async () => {
    const { folder, page } = saved(OLD);
    const { stdout } = await compliance(['scan', ...page, ...DAY, '--json']);
    writeFileSync(join(folder, 'before.json'), stdout);
    writeFileSync(join(folder, 'page.html'), CLEAN);
    const after = await compliance(['scan', ...page, ...DAY, '--baseline', join(folder, 'before.json')]);
    expect(after.stdout).toContain('Since the baseline: changed.');
    writeFileSync(join(folder, 'before.json'), '{}');
    const refused = await compliance(['scan', ...page, '--baseline', join(folder, 'before.json')]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is no baseline') });
  });

  it('shows nothing of the page that would steer the terminal', async () => {
    const { stdout } = await compliance(['scan', ...saved(`<script>fbq("init", "\u001b[2J\u0007x")</script>`).page]);
    expect(stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  it.each([
    ['no page', ['scan'], 'Give the address of a storefront'],
    ['a saved page without its address', ['scan', '--html', 'x.html'], '--html needs --url'],
    ['scripts without a saved page', ['scan', 'shop.example', '--scripts', 'x'], '--scripts goes with --html'],
    ['a date that does not exist', ['scan', 'shop.example', '--as-of', '2026-02-30'], '--as-of must be'],
    ['two formats at once', ['scan', 'shop.example', '--json', '--sarif'], 'cannot be used with'],
    ['a private address', ['scan', 'http://127.0.0.1/'], 'refused_address'],
  ])('exits with 2 and says what to do on %s', async (_, args, message) => {
    expect(await compliance(args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('exits with 1 on a page that cannot be read', async () => {
    const { exitCode, stderr } = await compliance(['scan', '--html', '/no/such.html', '--url', URL_OF_PAGE]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
  });
});
