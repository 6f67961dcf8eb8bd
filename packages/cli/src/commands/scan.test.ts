import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sarif, scan } from '@compliance/core/pixel';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryFolder } from '../testing/run-cli.ts';

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
  it('prints the library’s result as JSON with --json, and exits with code 1 if a finding is an error', async () => {
    const { exitCode, stdout } = await runCli(['scan', ...saved(OLD).page, ...DAY, '--json']);
    const result = scan(capture(OLD), { asOf: '2026-11-21' });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify({ ...result, drift: null, notes: [] })));
    expect([result.severity_counts.error > 0, exitCode]).toEqual([true, 1]);
  });

  it('exits with code 0 if no finding is an error', async () => {
    expect((await runCli(['scan', ...saved(CLEAN).page, ...DAY])).exitCode).toBe(0);
  });

  it('prints the score, findings, and tags by default', async () => {
    const { stdout } = await runCli(['scan', ...saved(OLD).page, ...DAY]);
    expect(stdout).toMatchInlineSnapshot(`
      "https://shop.example/, 2026-11-21: 79 of 100
      1 error, 0 warnings, 1 note; 1 script analyzed.

      Severity  Finding
      Error     The page uses analytics.js for UA-12345-1. Universal Analytics no longer processes data.
                Delete the tag and connect the Google & YouTube app.
                ga_analytics_js_legacy, inline#1:1:21
      Note      This page doesn't look like a Shopify storefront. Rules for Shopify storefronts might not apply.
                Check the URL.
                shopify_not_detected, page:1:1

      Vendor      ID                        Tag
      google      UA-12345-1                universal_analytics, theme, runs when the page loads

      Custom pixels aren't analyzed, and neither are Tag Manager containers that weren't fetched. Not legal advice.
      "
    `);
  });

  it('prints the findings as SARIF with --sarif', async () => {
    const { stdout } = await runCli(['scan', ...saved(OLD).page, ...DAY, '--sarif']);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    const expected = sarif(scan(capture(OLD), { asOf: '2026-11-21' }), version);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('prints and writes every output in the --lang language without translating IDs, scores, or code', async () => {
    const { folder, page } = saved(OLD);
    const inGerman = ['scan', ...page, ...DAY, '--lang', 'de'];
    const { stdout } = await runCli([...inGerman, '--html-report', join(folder, 'de.html')]);
    expect(stdout).toMatchInlineSnapshot(`
      "https://shop.example/, 2026-11-21: 79 von 100
      1 Fehler, 0 Warnungen, 1 Hinweis; 1 Skript analysiert.

      Schweregrad  Befund
      Fehler       Die Seite verwendet analytics.js für UA-12345-1. Universal Analytics verarbeitet keine Daten
                   mehr.
                   Löschen Sie das Tag und verbinden Sie die Google & YouTube-App.
                   ga_analytics_js_legacy, inline#1:1:21
      Hinweis      Diese Seite sieht nicht wie ein Shopify-Onlineshop aus. Regeln für Shopify-Onlineshops treffen
                   möglicherweise nicht zu.
                   Prüfen Sie die URL.
                   shopify_not_detected, page:1:1

      Anbieter    ID                        Tag
      google      UA-12345-1                universal_analytics, Theme, wird beim Laden der Seite ausgeführt

      Benutzerdefinierte Pixel und nicht abgerufene Tag-Manager-Container werden nicht analysiert. Keine Rechtsberatung.
      "
    `);
    expect(readFileSync(join(folder, 'de.html'), 'utf8')).toMatch(
      /<html lang="de">[\s\S]+Pixel-Scan von shop\.example/,
    );
    const { findings, score } = JSON.parse((await runCli([...inGerman, '--json'])).stdout);
    expect([score, findings[0]]).toEqual([
      79,
      expect.objectContaining({ rule_id: 'ga_analytics_js_legacy', message_language: 'de' }),
    ]);
    const [run] = JSON.parse((await runCli([...inGerman, '--sarif'])).stdout).runs;
    expect([run.tool.driver.language, run.results[0].message.text]).toEqual([
      'de',
      `${findings[0].message} ${findings[0].fix}`,
    ]);
  });

  it('writes the report as a single HTML page with --html-report', async () => {
    const { folder, page } = saved(OLD);
    await runCli(['scan', ...page, ...DAY, '--html-report', join(folder, 'report.html')]);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(
      /^<!doctype html>[\s\S]+Pixel scan of shop\.example/,
    );
    const refused = await runCli(['scan', ...page, '--html-report', join(folder, 'no', 'folder.html')]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Can't write") });
  });

  it('scans scripts that were saved with the page', async () => {
    const { folder, page } = saved('<html><head><script src="./shop_files/theme.js?v=1"></script></head></html>');
    mkdirSync(join(folder, 'shop_files'));
    writeFileSync(join(folder, 'shop_files', 'theme.js'), 'ga("create", "UA-12345-1", "auto")');
    const { stdout } = await runCli(['scan', ...page, ...DAY, '--json', '--scripts', join(folder, 'shop_files')]);
    const [finding] = JSON.parse(stdout).findings;
    expect(finding.where.url).toBe('https://shop.example/shop_files/theme.js?v=1');
  });

  it('scans a container that was saved with the page under any filename that browsers use', async () => {
    const loader = `(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':1});var j=d.createElement(s);j.src='https://www.googletagmanager.com/gtm.js?id='+i;d.head.appendChild(j)})(window,document,'script','dataLayer','GTM-ABC1234')`;
    const { folder, page } = saved(`<html><head><script>${loader}</script></head></html>`);
    const config = `{"resource":{"version":"4","tags":[{"function":"__ua","vtp_trackingId":"UA-12345-1"}]}}`;
    mkdirSync(join(folder, 'shop_files'));
    writeFileSync(join(folder, 'shop_files', 'gtm.js.download'), `var data = ${config};var o={ctid:"GTM-ABC1234"}`);
    writeFileSync(join(folder, 'shop_files', 'js'), `var data = ${config};var o={ctid:"G-OTHER12345"}`);
    const { stdout } = await runCli(['scan', ...page, ...DAY, '--json', '--scripts', join(folder, 'shop_files')]);
    const { findings, inventory } = JSON.parse(stdout);
    expect(inventory.containers_read).toEqual(['GTM-ABC1234']);
    expect(findings[0]).toMatchObject({ rule_id: 'gtm_universal_analytics_tag', ids: ['UA-12345-1'] });
  });

  it('reports changes since the baseline scan', async () => {
    const { folder, page } = saved(OLD);
    const { stdout } = await runCli(['scan', ...page, ...DAY, '--json']);
    writeFileSync(join(folder, 'baseline.json'), stdout);
    writeFileSync(join(folder, 'page.html'), CLEAN);
    const after = await runCli(['scan', ...page, ...DAY, '--baseline', join(folder, 'baseline.json')]);
    expect(after.stdout).toContain('Changed since the baseline.');
    writeFileSync(join(folder, 'baseline.json'), '{}');
    const refused = await runCli(['scan', ...page, '--baseline', join(folder, 'baseline.json')]);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("isn't a baseline") });
  });

  it('replaces control characters in page text', async () => {
    const { stdout } = await runCli(['scan', ...saved(`<script>fbq("init", "\u001b[2J\u0007x")</script>`).page]);
    expect(stdout).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  it.each([
    ['a missing URL', ['scan'], 'Specify the URL of a storefront'],
    ['a saved page without its URL', ['scan', '--html', 'x.html'], '--html requires --url'],
    ['scripts without a saved page', ['scan', 'shop.example', '--scripts', 'x'], '--scripts requires --html'],
    ['a date that does not exist', ['scan', 'shop.example', '--as-of', '2026-02-30'], '--as-of must be'],
    ['two output formats', ['scan', 'shop.example', '--json', '--sarif'], 'cannot be used with'],
    ['a private address', ['scan', 'http://127.0.0.1/'], 'refused_address'],
  ])('exits with code 2 and a helpful message for %s', async (_, args, message) => {
    expect(await runCli(args)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('exits with code 1 if the saved page cannot be read', async () => {
    const { exitCode, stderr } = await runCli(['scan', '--html', '/no/such.html', '--url', URL_OF_PAGE]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Can't read")]);
  });

  it.runIf(process.platform === 'linux')(
    'shows which events a browser sends and whether they confirm the findings if --render is set',
    async () => {
      const pixel = 'https://www.facebook.com/tr/?id=918273645546372&ev=PageView\u001b[31m';
      const { folder, page } = saved(
        `<html><head><script>new Image().src = ${JSON.stringify(pixel)}</script></head></html>`,
      );
      const files = ['--har', join(folder, 'shop.har'), '--screenshot', join(folder, 'shop.png')];
      files.push('--html-report', join(folder, 'shop.html'), '--sarif-report', join(folder, 'shop.sarif'));
      const journey = ['--journey', 'search,product'];
      const { exitCode, stdout } = await runCli(['scan', ...page, ...DAY, '--render', ...journey, ...files]);
      expect(stdout).toMatch(/Before consent.*\n\d+ ms +meta +918273645546372 +PageView/);
      expect(stdout).toContain('The browser sent the PageView');
      expect(stdout).toMatch(
        /Note: The browser sent .+\n +If your visitors’ region .+\n +sent_before_choice, page:1:\d+/,
      );
      const [run] = JSON.parse(readFileSync(join(folder, 'shop.sarif'), 'utf8')).runs;
      expect(run.results).toContainEqual(
        expect.objectContaining({
          ruleId: 'sent_before_choice',
          properties: expect.objectContaining({ verdict: 'traffic' }),
        }),
      );
      expect(stdout).not.toContain('\u001b[31mPageView');
      expect(stdout).toContain('After accepting, product page (skipped: not found)');
      expect(stdout).toContain('After accepting, search (skipped: not part of the saved page)');
      expect(exitCode).toBe(0);
      const { log } = JSON.parse(readFileSync(join(folder, 'shop.har'), 'utf8'));
      expect(log.pages.map(({ id }: { id: string }) => id)).toEqual(['load', 'deny', 'accept']);
      const sent = log.entries.filter(({ request }: { request: { url: string } }) => request.url.includes('/tr/'));
      expect(sent).toHaveLength(3);
      expect(sent[0]).toMatchObject({ pageref: 'load', request: { method: 'GET' }, response: { status: 200 } });
      const report = readFileSync(join(folder, 'shop.html'), 'utf8');
      expect(report.match(/<img alt="The page: [^"]+" src="data:image\/png;base64,iVBOR/g)).toHaveLength(3);
      for (const picture of ['shop.png', 'shop-deny.png', 'shop-accept.png'])
        expect(readFileSync(join(folder, picture)).subarray(1, 4).toString()).toBe('PNG');
    },
  );

  it('explains how to use --journey, and requires --render for --har', async () => {
    const { page } = saved('<p>');
    const unknown = await runCli(['scan', ...page, '--render', '--journey', 'checkout']);
    expect(unknown.stderr).toContain('use "all", or a comma-separated list of product, add_to_cart, cart, search');
    const alone = await runCli(['scan', ...page, '--har', 'shop.har']);
    expect([unknown.exitCode, alone.exitCode, alone.stderr]).toEqual([
      2,
      2,
      expect.stringContaining('requires --render'),
    ]);
  });
});
