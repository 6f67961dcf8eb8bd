import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { API_KEY } from '../stand-in/admin/tokens.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { addressOfApp } from '../stand-in/frame/frame.ts';
import { hostileShop } from '../stand-in/shop/samples.ts';
import type { StandInShop } from '../stand-in/shop/shop.ts';
import { PASTED } from '../stand-in/shop/theme.ts';
import { BROWSER } from './beside.ts';
import { beginWalk, type Walk } from './walk.ts';

/** Runs wherever text is taken for markup: `hacked` is a function of the test. */
const SCRIPT = '"><img src=x onerror=hacked()><script>hacked()</script>';
const STRANGE = ['\u202Ednammoc', '\u0000nul', '\uD83D lone', '$t(app.name) {{id}}', '</textarea></script>-->'];
const EVIL = 'https://evil.example';

/** The hostile sample with every other text of a shop turned against us too. */
function worstShop(): StandInShop {
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
  // What a scan quotes: markup, letters outside the plane, and one line that never ends, beside the tags.
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

/** As it is kept: databases know no NUL, UTF-8 no half letters. */
const kept = (text: string) => text.replaceAll('\0', '').toWellFormed();

// A merchant of a shop in which every text means harm. Nothing of it runs, and all of it is seen as it is.
await describeInBrowser('a shop whose every text means harm', open => {
  let walk: Walk;
  const ran: string[] = [];

  beforeAll(async () => {
    walk = await beginWalk(open, [given]);
    await walk.page.context().exposeFunction('hacked', () => ran.push(walk.page.url()));
  });
  afterAll(() => walk?.close());
  afterEach(() => {
    const said = walk.said.splice(0);
    expect({ ran, said, asked: walk.refused }).toEqual({ ran: [], said: [], asked: [] });
  });

  const textOf = (frame: Frame) => frame.evaluate<string>('document.body.textContent');
  const fieldsOf = (frame: Frame) =>
    frame.evaluate<string[]>("[...document.querySelectorAll('input, textarea')].map(({ value }) => value)");
  const cellsOf = (csv: Buffer) => (parse(csv, { bom: true, relax_column_count: true }) as string[][]).flat();
  const csvOf = async (frame: Frame, button: string) =>
    cellsOf(await walk.downloaded(() => frame.getByRole('button', { name: button }).click()));
  const isNoFormula = (cells: readonly string[]) => cells.filter(cell => /^[=+\-@\t\r]/.test(cell));

  it('is scanned, and Home says how it stands', async () => {
    const frame = await walk.visit();
    await frame.getByText(/things? needs? you/).waitFor({ timeout: 40_000 });
    // What turns the direction of writing turns itself and no more.
    expect(await textOf(frame)).toContain(`Published theme: \u2068${kept(given.themes[0]!.name)}\u2069.`);
    await walk.inspected(frame, 'hostile-home');
  });

  it('has findings that quote it, each on its page, and in a file for spreadsheets', async () => {
    const list = await walk.visit('/app/findings');
    await walk.inspected(list, 'hostile-findings');
    const cells = await csvOf(list, 'Download as CSV');
    expect(cells.filter(cell => cell.includes('onerror')).length).toBeGreaterThan(0);
    expect(isNoFormula(cells)).toEqual([]);
    const paths = await list.evaluate<string[]>(
      "[...document.querySelectorAll('a[href^=\"/app/findings/\"]')].map(one => one.getAttribute('href'))",
    );
    expect(paths.length).toBeGreaterThan(3);
    const texts: string[] = [];
    for (const path of paths) {
      const frame = await walk.visit(path);
      await frame.getByRole('heading', { name: 'How to put it right' }).waitFor();
      texts.push(await textOf(frame));
    }
    await walk.inspected(walk.page.frame({ name: 'app' })!, 'hostile-finding');
    expect(texts.some(text => text.includes('<img src=x onerror=hacked()>'))).toBe(true);
    expect(texts.some(text => text.includes('\u202Eliam.liquid'))).toBe(true);
  });

  it('has a history, and scans that are compared', async () => {
    const list = await walk.visit('/app/history');
    await walk.inspected(list, 'hostile-history');
    await list.locator('li').first().getByRole('link').click();
    await list.getByRole('heading', { name: 'What was read' }).waitFor();
    await walk.inspected(list, 'hostile-scan');
    expect(isNoFormula(await csvOf(await walk.visit('/app/history'), 'Download as CSV'))).toEqual([]);
  });

  it('has a catalog with each name as it is, and in a file for spreadsheets', async () => {
    const frame = await walk.visit('/app/catalog');
    await frame.getByText(/\d+ of \d+ variants have an answer/).waitFor({ timeout: 40_000 });
    const shown: string[] = [];
    let path: string | null = '/app/catalog';
    while (path !== null) {
      const page = await walk.visit(path);
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
    await walk.inspected(await walk.visit('/app/catalog?text=onerror'), 'hostile-catalog');
    const cells = await csvOf(await walk.visit('/app/catalog'), 'Download CSV');
    expect(isNoFormula(cells)).toEqual([]);
    expect(cells).toContain(`'${titles[2]}`);
    expect(cells).toContain(`'=1+0${SCRIPT}`);
    const variant = await walk.visit('/app/catalog/400');
    expect(await textOf(variant)).toContain(`@${SCRIPT}`);
    await walk.inspected(variant, 'hostile-variant');
  });

  it('has a file of codes that shows what it would do', async () => {
    const file = join(tmpdir(), `${SCRIPT.replaceAll('/', '_')}.csv`);
    const rows = [
      ['Variant ID', 'SKU', 'HTS code', 'Country of origin', SCRIPT],
      ['', `=1+0${SCRIPT}`, '7318152061', 'US', ''],
      ['', SCRIPT, SCRIPT, SCRIPT, SCRIPT],
      ['gid://shopify/ProductVariant/400', '', `=${SCRIPT}`, '', ''],
      ['\u202E\uFFFF', '', '\u202E', '\u0007', ''],
    ];
    writeFileSync(file, rows.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n'));
    const frame = await walk.visit('/app/catalog/import');
    await frame.locator('input[type=file]').setInputFiles(file);
    await frame.getByText('Line 3').waitFor();
    expect(await textOf(frame)).toContain(SCRIPT);
    await walk.inspected(frame, 'hostile-import');
    rmSync(file);
  });

  it('issues a certificate, whose page, PDF and list say it word for word', async () => {
    const list = await walk.visit('/app/certificates?q=window.hacked');
    expect(await textOf(list)).toContain(titles[0]);
    await walk.inspected(list, 'hostile-certificates');
    const frame = await walk.visit('/app/certificates/1');
    await frame.getByRole('button', { name: 'Write a certificate' }).click();
    await frame.getByRole('heading', { name: 'How it stands' }).waitFor();
    expect(await fieldsOf(frame)).toEqual(expect.arrayContaining([titles[0]]));
    const field = async (group: string, label: string, value: string) =>
      await frame.locator(`#${group}`).getByLabel(label, { exact: true }).first().fill(value);
    await field('product_info', 'Date of manufacture', '2026-09-14');
    await field('product_info', 'Place of manufacture', `Shenzhen ${SCRIPT}`);
    await field('manufacturer', 'Name', `=cmd|' /C calc'!A0 ${SCRIPT}`);
    await field('manufacturer', 'Address', `$t(app.name) {{id}} ${SCRIPT}`);
    await field('manufacturer', 'Email', 'desk@velo.example');
    await field('testing_lab', 'Name', `\u05E9\u05DC\u05D5\u05DD ${SCRIPT}`);
    await field('testing_lab', 'Date of the most recent test', '2026-08-30');
    await frame.getByLabel('Find a rule').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.getByText(/It can be issued|Everything that/).waitFor({ timeout: 20_000 });
    await walk.inspected(frame, 'hostile-certificate-begun');
    await frame.getByLabel('I make this statement').check();
    await frame.getByLabel('Your name').fill(`Ada ${SCRIPT} $t(app.name) {{id}}`);
    await frame.getByRole('button', { name: 'Issue the certificate' }).click();
    await frame.getByText(`Attested by Ada ${SCRIPT} $t(app.name) {{id}}`).waitFor({ timeout: 20_000 });
    await walk.inspected(frame, 'hostile-certificate-issued');
    const pdf = await walk.downloaded(() => frame.getByRole('button', { name: 'Download PDF' }).click());
    expect(pdf.toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch)\b/);
    const read = textOfPdf(pdf);
    if (read !== null) for (const words of [titles[0]!, '=cmd|', 'hacked()']) expect(read).toContain(bare(words));
    const cells = await csvOf(await walk.visit('/app/certificates?state=issued'), 'Download as CSV');
    expect(cells).toContain(titles[0]);
    expect(isNoFormula(cells)).toEqual([]);
  });

  it('voids it for a reason, which is said word for word too', async () => {
    const again = await walk.visit('/app/certificates/1');
    await again.getByText('Void this certificate').click();
    await again.getByLabel(/reason|Why/i).fill(`=${SCRIPT} $t(app.name)`);
    await again.getByRole('button', { name: /^Void/ }).click();
    await again.getByText(`=${SCRIPT} $t(app.name)`).first().waitFor();
    await walk.inspected(again, 'hostile-certificate-void');
    expect(isNoFormula(await csvOf(await walk.visit('/app/certificates?state=voided'), 'Download as CSV'))).toEqual([]);
    expect(walk.page.frames()).toHaveLength(2);
  });

  it('downloads all of itself as lines of JSON', async () => {
    const frame = await walk.visit('/app/settings');
    await walk.inspected(frame, 'hostile-settings');
    const file = await walk.downloaded(() => frame.getByRole('button', { name: /Download everything/ }).click());
    const lines = file.toString('utf8').trimEnd().split('\n');
    const rows = lines.map(line => JSON.parse(line) as { table: string; row: object });
    expect(new Set(rows.map(({ table }) => table)).size).toBeGreaterThan(5);
    expect(JSON.stringify(rows)).toContain('DROP TABLE');
  });

  it('has addresses of no sense, which show a page of the app and nothing else', async () => {
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
      const frame = await walk.visit(path);
      expect(new URL(frame.url()).origin, path).toBe(walk.app.url);
      // A page that is not there is answered as such, which a browser notes.
      const said = walk.said.splice(0).filter(line => !line.includes('status of 404'));
      expect({ path, said }).toEqual({ path, said: [] });
    }
  });

  it('leads nobody to another site', async () => {
    const signed = await addressOfApp(walk.app.url, given.domain);
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
      [signed, walk.app.url].map(async from => {
        const address = new URL(from);
        const to = { exitIframe: EVIL, 'shopify-reload': EVIL, return_to: EVIL, redirect_uri: EVIL };
        const query = new URLSearchParams([...address.searchParams, ...Object.entries(to)]);
        const answer = await fetch(`${walk.app.url}${path}?${query}`, { redirect: 'manual', headers: BROWSER });
        const location = answer.headers.get('Location') ?? '';
        const host = new URL(location, walk.app.url).host;
        return [path, [new URL(walk.app.url).host, 'admin.shopify.com'].includes(host), answer.status < 500];
      }),
    );
    expect((await Promise.all(answers)).filter(([, stays, answered]) => !stays || !answered)).toEqual([]);
    // The page that fetches a session token goes on to where its address says, with the token: strangers would be asked.
    for (const path of ['/auth/session-token', '/app'])
      await walk.page.goto(
        `https://admin.shopify.com/store/worst-shop/apps/${API_KEY}${path}?shopify-reload=${EVIL}/steal`,
      );
    walk.said.splice(0);
  });
});

/** Comes with an operating system, not from the npm registry. */
const READER = 'pdftotext';

/** The words of a PDF without what lies between them, since lines break anywhere; null where no program reads PDFs. */
function textOfPdf(pdf: Buffer): string | null {
  try {
    return bare(execFileSync(READER, ['-raw', '-', '-'], { input: pdf, encoding: 'utf8' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}
