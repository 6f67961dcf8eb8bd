import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FakeShop } from '@compliance/fake-shopify';
import { API_KEY, embeddedAppUrl, hostileShop, PASTED } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import { parse } from 'csv-parse/sync';
import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';
import { BROWSER } from './harness.ts';

/** Script that runs if the app treats text as markup. The test defines `hacked`. */
const SCRIPT = '"><img src=x onerror=hacked()><script>hacked()</script>';
const STRANGE = ['\u202Ednammoc', '\u0000nul', '\uD83D lone', '$t(app.name) {{id}}', '</textarea></script>-->'];
const EVIL = 'https://evil.example';

/** Returns the hostile sample shop, with hostile values added to its other text fields. */
function worstShop(): FakeShop {
  const shop = hostileShop('worst-shop');
  const [theme] = shop.themes;
  shop.name = `Worst ${SCRIPT}`;
  theme!.name = `Theme ${SCRIPT} ${STRANGE.join(' ')}`;
  shop.products.slice(0, 8).forEach(({ variants }, at) => {
    const [first] = variants;
    first!.title = `Variant ${at} ${SCRIPT}`;
    first!.sku = `=1+${at}${SCRIPT}`;
    first!.harmonizedSystemCode = at === 3 ? `@${SCRIPT}` : first!.harmonizedSystemCode;
  });
  for (const [at, words] of STRANGE.entries()) {
    shop.products[8 + at]!.title = `Strange ${words}`;
    shop.products[8 + at]!.variants[0]!.sku = `\t=${words}`;
  }
  // The scan quotes this text: markup, characters outside the BMP, and a very long line next to the tags.
  const around = `/* ${SCRIPT.replaceAll('</script>', '<\\/script>')} ${STRANGE.slice(0, 4).join(' ')} ${'👩‍🚀'.repeat(400)} */`;
  theme!.files.set(
    'snippets/tracking.liquid',
    `${SCRIPT}\n${PASTED.universalAnalytics.replace('<script>', `<script>${around}`).replace("'auto'", `'${'👩'.repeat(90)}'`)}\n` +
      `${PASTED.metaPixel.replace('<script>', `<script>${around}`)}\n${'x'.repeat(300_000)}\n`,
  );
  theme!.files.set(`sections/${SCRIPT.replaceAll('/', '\\')}.liquid`, PASTED.metaPixel);
  theme!.files.set('snippets/\u202Eliam.liquid', PASTED.universalAnalytics);
  theme!.files.set('layout/=cmd|.liquid', PASTED.universalAnalytics);
  shop.pixels = [
    { ...shop.pixels[0]!, configuration: { pixel_id: '731205580412977', note: SCRIPT } },
    { ...shop.pixels[0]!, id: SCRIPT, type: 'CUSTOM', configuration: { pixel_id: SCRIPT } },
  ];
  shop.scriptTags = [{ id: 'gid://shopify/ScriptTag/1', src: `https://apps.example/old.js?${encodeURI(SCRIPT)}` }];
  return shop;
}

const given = worstShop();
const titles = given.products.slice(0, 13).map(({ title }) => title);

/** Returns text as the database stores it: without NUL characters or lone surrogates. */
const kept = (text: string) => text.replaceAll('\0', '').toWellFormed();

// Checks that hostile text from a shop is never executed and is displayed unchanged.
await describeInBrowser('shop with hostile text', open => {
  let session: BrowserSession;
  const ran: string[] = [];

  beforeAll(async () => {
    session = await startBrowserSession(open, [given]);
    await session.page.context().exposeFunction('hacked', () => ran.push(session.page.url()));
  });
  afterAll(() => session?.close());
  afterEach(() => {
    const said = session.consoleErrors.splice(0);
    expect({ ran, said, asked: session.blockedUrls }).toEqual({ ran: [], said: [], asked: [] });
  });

  const textOf = (frame: Frame) => frame.evaluate<string>('document.body.textContent');
  const fieldsOf = (frame: Frame) =>
    frame.evaluate<string[]>("[...document.querySelectorAll('input, textarea')].map(({ value }) => value)");
  const cellsOf = (csv: Buffer) => (parse(csv, { bom: true, relax_column_count: true }) as string[][]).flat();
  const csvOf = async (frame: Frame, button: string) =>
    cellsOf(await session.download(() => frame.getByRole('button', { name: button }).click()));
  const isNoFormula = (cells: readonly string[]) => cells.filter(cell => /^[=+\-@\t\r]/.test(cell));

  it('scans a hostile store and shows the result on the Home page', async () => {
    const frame = await session.visit();
    await frame.getByText(/^Last scanned/).waitFor({ timeout: 40_000 });
    // A directional override in the theme name doesn't affect the surrounding text.
    expect(await textOf(frame)).toContain(`Published theme: \u2068${kept(given.themes[0]!.name)}\u2069.`);
    await session.checkScreen(frame, 'hostile-home');
  });

  it('shows quoted code as plain text on finding pages and in the CSV', async () => {
    const list = await session.visit('/app/findings');
    await session.checkScreen(list, 'hostile-findings');
    const cells = await csvOf(list, 'Download CSV');
    expect(cells.filter(cell => cell.includes('onerror')).length).toBeGreaterThan(0);
    expect(isNoFormula(cells)).toEqual([]);
    const paths = await list.evaluate<string[]>(
      "[...document.querySelectorAll('a[href^=\"/app/findings/\"]')].map(one => one.getAttribute('href'))",
    );
    expect(paths.length).toBeGreaterThan(3);
    const texts: string[] = [];
    for (const path of paths) {
      const frame = await session.visit(path);
      await frame.getByRole('heading', { name: 'How to fix it' }).waitFor();
      texts.push(await textOf(frame));
    }
    await session.checkScreen(session.page.frame({ name: 'app' })!, 'hostile-finding');
    expect(texts.some(text => text.includes('<img src=x onerror=hacked()>'))).toBe(true);
    expect(texts.some(text => text.includes('\u202Eliam.liquid'))).toBe(true);
  });

  it('shows a hostile store’s scan history and scan details', async () => {
    const list = await session.visit('/app/history');
    await session.checkScreen(list, 'hostile-history');
    await list.locator('li').first().getByRole('link').click();
    await list.getByRole('heading', { name: 'Scan coverage' }).waitFor();
    await session.checkScreen(list, 'hostile-scan');
    expect(isNoFormula(await csvOf(await session.visit('/app/history'), 'Download CSV'))).toEqual([]);
  });

  it('shows catalog titles as plain text on the page and in the CSV', async () => {
    const frame = await session.visit('/app/catalog');
    await frame.getByText(/\d+ of \d+ variants have a Section 232 result/).waitFor({ timeout: 40_000 });
    const shown: string[] = [];
    let path: string | null = '/app/catalog';
    while (path !== null) {
      const page = await session.visit(path);
      shown.push(await textOf(page));
      const next = page.getByRole('link', { name: 'Next page' });
      path = (await next.count()) === 0 ? null : await next.getAttribute('href');
    }
    for (const title of titles)
      expect(
        shown.some(text => text.includes(kept(title))),
        title,
      ).toBe(true);
    expect(shown.some(text => text.includes(`=1+0${SCRIPT}`))).toBe(true);
    await session.checkScreen(await session.visit('/app/catalog?text=onerror'), 'hostile-catalog');
    const cells = await csvOf(await session.visit('/app/catalog'), 'Download CSV');
    expect(isNoFormula(cells)).toEqual([]);
    expect(cells).toContain(`'${titles[2]}`);
    expect(cells).toContain(`'=1+0${SCRIPT}`);
    const variant = await session.visit('/app/catalog/400');
    expect(await textOf(variant)).toContain(`@${SCRIPT}`);
    await session.checkScreen(variant, 'hostile-variant');
  });

  it('previews an import of a CSV file with hostile cells', async () => {
    const file = join(tmpdir(), `${SCRIPT.replaceAll('/', '_')}.csv`);
    const rows = [
      ['Variant ID', 'SKU', 'HTS code', 'Country of origin', SCRIPT],
      ['', `=1+0${SCRIPT}`, '7318152061', 'US', ''],
      ['', SCRIPT, SCRIPT, SCRIPT, SCRIPT],
      ['gid://shopify/ProductVariant/400', '', `=${SCRIPT}`, '', ''],
      ['\u202E\uFFFF', '', '\u202E', '\u0007', ''],
    ];
    writeFileSync(file, rows.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n'));
    const frame = await session.visit('/app/catalog/import');
    await frame.locator('input[type=file]').setInputFiles(file);
    await frame.getByText('Line 3').waitFor();
    expect(await textOf(frame)).toContain(SCRIPT);
    await session.checkScreen(frame, 'hostile-import');
    rmSync(file);
  });

  it('shows hostile certificate text unchanged on the page, in the PDF, and in the CSV', async () => {
    const list = await session.visit('/app/certificates?q=window.hacked');
    expect(await textOf(list)).toContain(titles[0]);
    await session.checkScreen(list, 'hostile-certificates');
    const frame = await session.visit('/app/certificates/1');
    await frame.getByRole('button', { name: 'Create certificate' }).click();
    await frame.getByRole('heading', { name: 'Draft status' }).waitFor();
    expect(await fieldsOf(frame)).toEqual(expect.arrayContaining([titles[0]]));
    const field = async (group: string, label: string, value: string) =>
      await frame.locator(`#${group}`).getByLabel(label, { exact: true }).first().fill(value);
    await field('product_info', 'Date of manufacture', '2026-09-14');
    await field('product_info', 'Place of manufacture', `Shenzhen ${SCRIPT}`);
    await field('manufacturer', 'Name', `=cmd|' /C calc'!A0 ${SCRIPT}`);
    await field('manufacturer', 'Address', `$t(app.name) {{id}} ${SCRIPT}`);
    await field('manufacturer', 'Email', 'desk@velo.example');
    await field('testing_lab', 'Name', `\u05E9\u05DC\u05D5\u05DD ${SCRIPT}`);
    await field('testing_lab', 'Most recent test date', '2026-08-30');
    await frame.getByLabel('Search rules').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.getByText(/You can issue this certificate|Everything 16 CFR/).waitFor({ timeout: 20_000 });
    await session.checkScreen(frame, 'hostile-certificate-begun');
    await frame.getByLabel('I attest to this statement').check();
    await frame.getByLabel('Your name').fill(`Ada ${SCRIPT} $t(app.name) {{id}}`);
    await frame.getByRole('button', { name: 'Issue certificate' }).click();
    await frame.getByText(`Attested by Ada ${SCRIPT} $t(app.name) {{id}}`).waitFor({ timeout: 20_000 });
    await session.checkScreen(frame, 'hostile-certificate-issued');
    const pdf = await session.download(() => frame.getByRole('button', { name: 'Download PDF' }).click());
    expect(pdf.toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch)\b/);
    const read = textOfPdf(pdf);
    if (read !== null) for (const words of [titles[0]!, '=cmd|', 'hacked()']) expect(read).toContain(bare(words));
    const cells = await csvOf(await session.visit('/app/certificates?state=issued'), 'Download CSV');
    expect(cells).toContain(titles[0]);
    expect(isNoFormula(cells)).toEqual([]);
  });

  it('voids the certificate and shows a hostile reason unchanged', async () => {
    const again = await session.visit('/app/certificates/1');
    await again.getByText('Void this certificate').click();
    await again.getByLabel(/reason|Why/i).fill(`=${SCRIPT} $t(app.name)`);
    await again.getByRole('button', { name: /^Void/ }).click();
    await again.getByText(`=${SCRIPT} $t(app.name)`).first().waitFor();
    await session.checkScreen(again, 'hostile-certificate-void');
    expect(isNoFormula(await csvOf(await session.visit('/app/certificates?state=voided'), 'Download CSV'))).toEqual([]);
    expect(session.page.frames()).toHaveLength(2);
  });

  it('exports all hostile data as valid JSON Lines', async () => {
    const frame = await session.visit('/app/settings');
    await session.checkScreen(frame, 'hostile-settings');
    const file = await session.download(() => frame.getByRole('button', { name: /Download all data/ }).click());
    const lines = file.toString('utf8').trimEnd().split('\n');
    const rows = lines.map(line => JSON.parse(line) as { table: string; row: object });
    expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).toContain('DROP TABLE');
  });

  it('shows an app page for every malformed URL, without console errors', async () => {
    const word = encodeURIComponent(SCRIPT);
    for (const path of [
      `/app/findings?rule=${word}&place=${word}&status=${word}&severity=${word}&cursor=${word}`,
      `/app/findings/${word}`,
      `/app/history?cursor=${word}`,
      `/app/history/${word}?against=${word}`,
      `/app/catalog?text=${word}&status=${word}&digits=%00&changed=${word}&cursor=%00`,
      '/app/catalog?text=%F0%9F&cursor=W10',
      `/app/catalog/${word}`,
      `/app/certificates?q=${word}&state=${word}&cursor=${word}`,
      `/app/certificates/${word}`,
      '/app/certificates/%00',
      `/app/${word}`,
      `/app?return_to=${EVIL}&redirect_uri=${EVIL}&exitIframe=${EVIL}`,
      `/?return_to=${EVIL}`,
    ]) {
      const frame = await session.visit(path);
      expect(new URL(frame.url()).origin, path).toBe(session.app.url);
      // Ignore the message that browsers log for a page with a 404 status.
      const said = session.consoleErrors.splice(0).filter(line => !line.includes('status of 404'));
      expect({ path, said }).toEqual({ path, said: [] });
    }
  });

  it('never redirects to another site', async () => {
    const signed = await embeddedAppUrl(session.app.url, given.domain);
    const answers = [
      '/',
      '/auth/login',
      '/auth/session-token',
      '/auth/exit-iframe',
      '/app',
      '/app//evil.example',
      '//evil.example/app',
      '/app/..//evil.example',
    ].flatMap(path =>
      [signed, session.app.url].map(async from => {
        const address = new URL(from);
        const to = { exitIframe: EVIL, 'shopify-reload': EVIL, return_to: EVIL, redirect_uri: EVIL };
        const query = new URLSearchParams([...address.searchParams, ...Object.entries(to)]);
        const answer = await fetch(`${session.app.url}${path}?${query}`, { redirect: 'manual', headers: BROWSER });
        const location = answer.headers.get('Location') ?? '';
        const host = new URL(location, session.app.url).host;
        return [path, [new URL(session.app.url).host, 'admin.shopify.com'].includes(host), answer.status < 500];
      }),
    );
    expect((await Promise.all(answers)).filter(([, stays, answered]) => !stays || !answered)).toEqual([]);
    // The token page adds the session token to the URL in the `shopify-reload` parameter and redirects to that URL.
    // Without a check, another site would receive the token.
    for (const path of ['/auth/session-token', '/app'])
      await session.page.goto(
        `https://admin.shopify.com/store/worst-shop/apps/${API_KEY}${path}?shopify-reload=${EVIL}/steal`,
      );
    session.consoleErrors.splice(0);
  });
});

/** Command that extracts text from a PDF. The command is provided by a system package, not by an npm package. */
const READER = 'pdftotext';

/**
 * Returns a PDF's text without whitespace, because lines can break anywhere. Returns null if `pdftotext` isn't
 * installed.
 */
function textOfPdf(pdf: Buffer): string | null {
  try {
    return bare(execFileSync(READER, ['-raw', '-', '-'], { input: pdf, encoding: 'utf8', timeout: 30_000 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}
