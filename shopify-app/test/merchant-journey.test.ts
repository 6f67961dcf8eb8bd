import { join } from 'node:path';
import { bigShop, merchantActions, renderThemeBlock, sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { saveProfile } from '../src/certificates/profiles.ts';
import { FILLED } from '../src/certificates/testing/helmet.ts';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';
import { englishTexts } from './english-text.ts';

const DOMAIN = 'sample-shop.myshopify.com';

// Follows one merchant from installing the app to removing it. Each test continues from the state of the previous test.
await describeInBrowser('merchant journey in the Shopify admin', open => {
  let session: BrowserSession;
  const visit: BrowserSession['visit'] = (path, shop) => session.visit(path, shop);
  const checkScreen: BrowserSession['checkScreen'] = (frame, name) => session.checkScreen(frame, name);

  beforeAll(async () => {
    session = await startBrowserSession(open, [sampleShop()]);
  });
  afterAll(() => session?.close());

  it('scans the store automatically after installation and shows the result', async () => {
    const frame = await visit();
    await frame.getByText(/^Last scanned/).waitFor({ timeout: 40_000 });
    await frame.getByText('Needs attention', { exact: true }).waitFor();
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await checkScreen(frame, 'home');
  });

  it('shows a finding with its file, line, and fix', async () => {
    const frame = await visit('/app/findings');
    await checkScreen(frame, 'findings');
    await frame.getByRole('link', { name: /Universal Analytics/ }).click();
    await frame.getByRole('heading', { name: 'How to fix it' }).waitFor();
    expect(await frame.getByRole('link', { name: /snippets\/tracking\.liquid, line \d+/ }).count()).toBe(1);
    await checkScreen(frame, 'finding');
  });

  it('accepts a finding using only the keyboard', async () => {
    let frame = await visit('/app/findings');
    const link = frame.getByRole('link', { name: 'Theme tag runs regardless of consent' });
    await link.focus();
    await session.page.keyboard.press('Enter');
    const reason = frame.getByLabel('Reason', { exact: true });
    await reason.focus();
    await session.page.keyboard.type('Our agency asked for it');
    await session.page.keyboard.press('Tab');
    // The date field's three parts and its picker come before the button in the tab order.
    for (let i = 0; i < 6; i++) {
      const name = await frame.evaluate<string>('document.activeElement.textContent');
      if (name === 'Accept') break;
      await session.page.keyboard.press('Tab');
    }
    await session.page.keyboard.press('Enter');
    await frame.getByText('This finding is accepted').waitFor();
    frame = await visit('/app/findings?status=accepted');
    expect(await frame.getByRole('link', { name: /regardless of consent/ }).count()).toBe(1);
  });

  it('shows a finding as fixed after the merchant fixes the theme and scans again', async () => {
    const shop = merchantActions(session.fakeShopify, DOMAIN);
    shop.editThemeFile('snippets/tracking.liquid', text =>
      text.replace(/<script>[^<]*UA-48151623-1[^<]*<\/script>/, ''),
    );
    const frame = await visit();
    await frame.getByRole('button', { name: 'Scan now' }).click();
    await frame.getByText(/(?:points|No change) since the previous scan/).waitFor({ timeout: 40_000 });
    await visit('/app/findings?status=fixed');
    const fixed = session.page.frame({ name: 'app' })!;
    expect(await fixed.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
  });

  it('lists both scans in the history and compares them', async () => {
    const frame = await visit('/app/history');
    await checkScreen(frame, 'history');
    await frame.locator('li').first().getByRole('link').click();
    await frame.getByRole('heading', { name: 'Compare scans' }).waitFor();
    await frame.getByText(/Not seen in this scan \(1\)/).waitFor();
    await checkScreen(frame, 'scan');
  });

  it('shows which catalog variants are covered and which are unknown', async () => {
    const frame = await visit('/app/catalog');
    await frame.getByText(/\d+ of \d+ variants have a Section 232 result/).waitFor({ timeout: 40_000 });
    await frame.getByText('Variants without a result might still be covered.').waitFor();
    await checkScreen(frame, 'catalog');
    await frame.getByLabel('Sort by').selectOption('title');
    await frame
      .getByRole('link', { name: /Aluminum camp chair/ })
      .first()
      .click();
    await frame.getByRole('heading', { name: 'Section 232', exact: true }).waitFor();
    await checkScreen(frame, 'variant');
  });

  it('issues a certificate for a product and downloads the PDF', async () => {
    let frame = await visit('/app/certificates');
    await checkScreen(frame, 'certificates');
    await frame.getByLabel('Search products').fill('Bicycle helmet');
    await frame.getByRole('button', { name: 'Search' }).click();
    await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).click();
    await frame.getByRole('button', { name: 'Create certificate' }).click();
    await frame.getByRole('heading', { name: 'Draft status' }).waitFor();
    await checkScreen(frame, 'certificate-begun');
    const field = async (group: string, label: string, value: string) =>
      await frame.locator(`#${group}`).getByLabel(label, { exact: true }).first().fill(value);
    expect(await frame.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Bicycle helmet, adult');
    await field('product_info', 'Date of manufacture', '2026-09-14');
    await field('product_info', 'Place of manufacture', 'Shenzhen, China');
    await field('manufacturer', 'Address', '88 Keyuan Road, Shenzhen, China');
    await field('manufacturer', 'Email', 'desk@velo.example');
    await field('testing_lab', 'Name', 'Pacific Test Laboratories');
    await field('testing_lab', 'Most recent test date', '2026-08-30');
    await frame.getByLabel('Search rules').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.getByText(/You can issue this certificate|Everything 16 CFR/).waitFor({ timeout: 20_000 });
    await frame.getByLabel('I attest to this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor({ timeout: 20_000 });
    await checkScreen(frame, 'certificate-issued');
    const pdf = await session.download(() => frame.getByRole('button', { name: 'Download PDF' }).click());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    frame = await visit('/app/certificates?state=issued');
    expect(await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).count()).toBe(1);
  });

  it('uploads the certificate to Files and links it to the product after the merchant grants access', async () => {
    let frame = await visit('/app/certificates/8');
    const put = () => frame.getByRole('button', { name: /^Add PDF to Shopify Files/ }).click();
    const answer = async (button: string) => {
      await session.page.getByRole('dialog').getByRole('button', { name: button }).click();
    };
    const { files, metafields } = session.fakeShopify.shops.get(DOMAIN)!;
    await put();
    await answer('Decline');
    await frame.getByText(/Nothing was added to Shopify/).waitFor();
    await checkScreen(frame, 'certificate-declined');
    expect(files).toEqual([]);
    await put();
    await answer('Allow');
    await frame.getByText('The PDF is in Shopify Files and linked to the product.').waitFor({ timeout: 20_000 });
    await checkScreen(frame, 'certificate-in-files');
    expect([...metafields.values()].map(({ value }) => value)).toEqual([
      files[0]!.id,
      expect.stringMatching(/^https:\/\/verify\.example\//),
    ]);
    // After a reload, the app finds the existing PDF in Shopify and doesn't upload it again.
    frame = await visit('/app/certificates/8');
    await put();
    await frame.getByText('The PDF is in Shopify Files and linked to the product.').waitFor({ timeout: 20_000 });
    expect(files).toHaveLength(1);
  });

  it('shows the certificate on the storefront, in the theme’s language', async () => {
    const shop = session.fakeShopify.shops.get(DOMAIN)!;
    const helmet = shop.products.find(({ title }) => title === 'Bicycle helmet, adult')!;
    const extension = join(import.meta.dirname, '../extensions/compliance-documents');
    for (const [language, link] of [
      ['en.default', 'Certificate of conformity (PDF)'],
      ['de', 'Konformitätszertifikat (PDF)'],
    ] as const) {
      const html = await renderThemeBlock(extension, 'compliance-documents', shop, helmet, { language });
      expect(html).toContain(link);
      expect(html).toContain(`href="${shop.files[0]!.url}"`);
      expect(html).toContain('href="https://verify.example/');
    }
  });

  // Follows another merchant through the admin in German. Screens must not contain English messages.
  describe('in German', { timeout: 180_000 }, () => {
    const given = bigShop(3_000);
    const { domain } = given;
    const titles = given.products.map(({ title }) => title);
    const visitGerman = (path = '/app') => session.visit(`${path}${path.includes('?') ? '&' : '?'}locale=de`, domain);
    async function checkGermanScreen(frame: Frame, name: string): Promise<void> {
      await session.checkScreen(frame, `${name}-de`, [1280, 390]);
      expect(await englishTexts(frame, titles)).toEqual([]);
    }

    it('scans the store and synchronizes 3,000 variants with a bulk operation after installation', async () => {
      await session.fakeShopify.add(given);
      const frame = await visitGerman();
      expect(await frame.evaluate('document.documentElement.lang')).toBe('de');
      await frame.getByText(/^Letzter Scan:/).waitFor({ timeout: 40_000 });
      await checkGermanScreen(frame, 'home');
      const catalog = await visitGerman('/app/catalog?text=camp+chair');
      await catalog.getByText(/von 3\.000 Varianten haben ein Section-232-Ergebnis/).waitFor({ timeout: 60_000 });
      const asked = session.fakeShopify.calls.filter(({ shop }) => shop === domain).map(({ operation }) => operation);
      expect(asked).toContain('BulkStart');
      await checkGermanScreen(catalog, 'catalog');
      await catalog
        .getByRole('link', { name: /^Aluminum camp chair/ })
        .first()
        .click();
      await catalog.getByRole('heading', { name: 'Section 232', exact: true }).waitFor();
      await checkGermanScreen(catalog, 'variant');
    });

    it('shows a finding, copies its fix, and shows the finding as fixed after the next scan', async () => {
      await session.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      let frame = await visitGerman('/app/findings');
      await checkGermanScreen(frame, 'findings');
      const name = 'Universal Analytics-Tag (analytics.js)';
      await frame.getByRole('link', { name }).click();
      await frame.getByRole('heading', { name: 'So beheben Sie es' }).waitFor();
      await checkGermanScreen(frame, 'finding');
      await frame.getByRole('button', { name: 'Korrigierte Datei kopieren' }).click();
      await frame.getByText(/^Wir beobachten Ihr veröffentlichtes Theme/).waitFor();
      const copied = await session.page.evaluate<string>('navigator.clipboard.readText()');
      merchantActions(session.fakeShopify, domain).editThemeFile('snippets/tracking.liquid', copied);
      frame = await visitGerman();
      await frame.getByRole('button', { name: 'Jetzt scannen' }).click();
      await frame.getByText(/(?:Punkte?|Unverändert) seit dem vorherigen Scan/).waitFor({ timeout: 40_000 });
      expect(await englishTexts(frame, titles)).toEqual([]);
      frame = await visitGerman('/app/findings?status=fixed');
      expect(await frame.getByRole('link', { name }).count()).toBe(1);
      frame = await visitGerman('/app/history');
      await checkGermanScreen(frame, 'history');
      await frame.locator('li').first().getByRole('link').click();
      await frame.getByRole('heading', { name: 'Scans vergleichen' }).waitFor();
      await checkGermanScreen(frame, 'scan');
    });

    it('extends the catalog’s 376 short codes to ten digits in bulk', async () => {
      const frame = await visitGerman('/app/catalog/bulk?digits=short');
      await checkGermanScreen(frame, 'bulk-codes');
      for (const group of await frame
        .locator('li')
        .filter({ has: frame.getByRole('textbox') })
        .all()) {
        const code = await group.getByRole('heading').textContent();
        await group.getByLabel('Neuer 10-stelliger Code').fill(code!.replaceAll('.', '').padEnd(10, '0'));
      }
      await frame.getByRole('button', { name: '376 Varianten in Shopify speichern' }).click();
      await session.page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
      const bucket = session.fakeShopify.api.bucket(domain);
      const saved = async () => {
        // At the Shopify Basic plan's rate limit, saving would take half a minute, so the test refills the bucket.
        bucket.giveBack(2_000);
        return await frame.getByText('376 Varianten in Shopify gespeichert').count();
      };
      await expect.poll(saved, { timeout: 120_000, interval: 100 }).toBe(1);
      expect(await englishTexts(frame, titles)).toEqual([]);
      const codes = given.products.flatMap(({ variants }) => variants.map(one => one.harmonizedSystemCode));
      expect(codes.filter(code => code !== null && [6, 8].includes(code.length))).toEqual([]);
    });

    it('drafts 200 certificates from two profiles, and shows an issued certificate on the product’s page', async () => {
      const shop = session.store.shop(domain);
      const { product_info, ...fields } = FILLED;
      for (const name of ['Asien', 'Europa']) await saveProfile(shop, { id: '', name, fields: JSON.stringify(fields) });
      let frame = await visitGerman('/app/certificates/bulk');
      await frame.getByRole('button', { name: 'Europa bearbeiten' }).click();
      await frame.getByLabel('Profilname').waitFor();
      await checkGermanScreen(frame, 'certificate-profile');
      const { description, date_of_manufacture: date, place_of_manufacture: place } = product_info;
      for (const [index, profile] of ['Asien', 'Europa'].entries()) {
        const skus = Array.from({ length: 100 }, (_, at) => `SKU-${index * 100 + at + 1}-1`);
        const rows = skus.map(sku => `${sku},AR-7,"${description}",${date},"${place}"`);
        const csv = ['SKU,Model,Description,Date of manufacture,Place of manufacture', ...rows].join('\n');
        frame = await visitGerman('/app/certificates/bulk');
        await frame.getByLabel('Profil', { exact: true }).selectOption(profile);
        const file = { name: `${profile}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) };
        await frame.locator('input[type=file]').setInputFiles(file);
        await frame.getByRole('button', { name: 'Entwürfe aus Datei erstellen' }).click();
        await frame.getByText('100 Entwürfe erstellt').waitFor({ timeout: 60_000 });
      }
      await checkGermanScreen(frame, 'bulk-drafts');
      expect((await shop.productCertificates.counts()).draft).toBe(200);
      await checkGermanScreen(await visitGerman('/app/certificates?state=draft'), 'certificates');
      frame = await visitGerman('/app/certificates/8');
      await frame.getByText(/erforderlichen Angaben sind ausgefüllt/).waitFor();
      await checkGermanScreen(frame, 'certificate-draft');
      await frame.getByLabel('Ich gebe diese Erklärung ab').check();
      await frame.getByLabel('Ihr Name').fill('R. Keeper');
      await frame.getByRole('button', { name: 'Zertifikat ausstellen' }).click();
      await frame.getByText('Bestätigt von R. Keeper').waitFor({ timeout: 20_000 });
      await checkGermanScreen(frame, 'certificate-issued');
      await session.page.goto('https://admin.shopify.com/store/big-shop/products/8?locale=de');
      const block = await vi.waitFor(() => session.page.frame({ name: 'compliance-block' }) ?? expect.fail());
      await block.locator('s-badge').getByText('Vollständig', { exact: true }).waitFor();
      await session.checkScreen(session.page.mainFrame(), 'product-block-de', [1280, 390]);
      expect(await englishTexts(block, titles)).toEqual([]);
    });

    it('shows the settings, the import page, and the browser checks', async () => {
      for (const path of ['settings', 'catalog/import', 'browser-check'])
        await checkGermanScreen(await visitGerman(`/app/${path}`), path.replace('/', '-'));
    });
  });

  it('shows the settings page and the import page', async () => {
    await checkScreen(await visit('/app/settings'), 'settings');
    await checkScreen(await visit('/app/catalog/import'), 'import');
  });

  it('navigates from the admin sidebar without reloading the app', async () => {
    const frame = await visit();
    await frame.evaluate('globalThis.same = true');
    await session.page.getByRole('navigation', { name: 'App' }).getByText('History').click();
    await frame.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(await frame.evaluate('globalThis.same')).toBe(true);
  });

  it.each(['ja', 'en-XA'])('shows the main screens in the %s locale', async locale => {
    const frame = await visit(`/app?locale=${locale}`);
    expect(await frame.evaluate('document.documentElement.lang')).toBe(locale);
    await checkScreen(frame, `home-${locale}`);
    for (const screen of ['findings', 'history', 'catalog', 'certificates', 'settings'])
      await checkScreen(await visit(`/app/${screen}?locale=${locale}`), `${screen}-${locale}`);
  });

  it('keeps all data through a reinstallation, and deletes it at Shopify’s request', async () => {
    const merchant = merchantActions(session.fakeShopify, DOMAIN, session.app.url);
    expect(await merchant.uninstall()).toBe(200);
    merchant.reinstall();
    // The history page doesn't refresh automatically, so the test reloads it.
    const installs = async () => await (await visit('/app/history')).getByText('App installed').count();
    await vi.waitFor(async () => expect(await installs()).toBe(2), { timeout: 40_000, interval: 1_000 });
    expect(await merchant.uninstall()).toBe(200);
    expect(await session.fakeShopify.webhook(session.app.url, 'shop/redact', DOMAIN, { shop_domain: DOMAIN })).toBe(
      200,
    );
    const { store } = session;
    await vi.waitFor(async () => expect(await store.shop(DOMAIN).record()).toBeNull(), {
      timeout: 30_000,
      interval: 250,
    });
    const left: string[] = [];
    for await (const line of store.shop(DOMAIN).export()) left.push(line);
    expect(left).toEqual([]);
  });

  it('never sends a request to another host', () => {
    expect(session.blockedUrls).toEqual([]);
  });
});
