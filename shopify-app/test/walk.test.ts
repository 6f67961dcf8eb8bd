import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { merchantOf } from '../stand-in/acts.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { bigShop, sampleShop } from '../stand-in/shop/samples.ts';
import { beginWalk, type Walk } from './walk.ts';

const DOMAIN = 'sample-shop.myshopify.com';

// One merchant, from installing the app to leaving it: each step goes on where the one before ended.
await describeInBrowser('a merchant in Shopify’s admin', open => {
  let walk: Walk;
  const visit: Walk['visit'] = (path, shop) => walk.visit(path, shop);
  const inspected: Walk['inspected'] = (frame, name) => walk.inspected(frame, name);

  beforeAll(async () => {
    walk = await beginWalk(open, [sampleShop()]);
  });
  afterAll(() => walk?.close());

  it('installs the app, which scans the store by itself and says how it stands', async () => {
    const frame = await visit();
    await frame.getByText(/things? needs? you/).waitFor({ timeout: 40_000 });
    await frame.getByText('Do first').waitFor();
    expect(await frame.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
    await inspected(frame, 'home');
  });

  it('sees a finding with its file and line, and what to do', async () => {
    const frame = await visit('/app/findings');
    await inspected(frame, 'findings');
    await frame.getByRole('link', { name: /Universal Analytics/ }).click();
    await frame.getByRole('heading', { name: 'How to put it right' }).waitFor();
    expect(await frame.getByRole('link', { name: /snippets\/tracking\.liquid, line \d+/ }).count()).toBe(1);
    await inspected(frame, 'finding');
  });

  it('accepts a finding with the keyboard alone', async () => {
    let frame = await visit('/app/findings');
    const link = frame.getByRole('link', { name: 'A tag in the theme runs whatever the visitor chose' });
    await link.focus();
    await walk.page.keyboard.press('Enter');
    const reason = frame.getByLabel('Why it may stay');
    await reason.focus();
    await walk.page.keyboard.type('Our agency asked for it');
    await walk.page.keyboard.press('Tab');
    // A date field has three parts and a picker before the button.
    for (let i = 0; i < 6; i++) {
      const name = await frame.evaluate<string>('document.activeElement.textContent');
      if (name === 'Accept') break;
      await walk.page.keyboard.press('Tab');
    }
    await walk.page.keyboard.press('Enter');
    await frame.getByText('You accepted this finding').waitFor();
    frame = await visit('/app/findings?status=accepted');
    expect(await frame.getByRole('link', { name: /whatever the visitor chose/ }).count()).toBe(1);
  });

  it('mends the theme, scans again, and is told that it is fixed', async () => {
    const shop = merchantOf(walk.standIn, DOMAIN);
    shop.editThemeFile('snippets/tracking.liquid', text =>
      text.replace(/<script>[^<]*UA-48151623-1[^<]*<\/script>/, ''),
    );
    const frame = await visit();
    await frame.getByRole('button', { name: 'Scan now' }).click();
    await frame.getByText(/points since the scan before/).waitFor({ timeout: 40_000 });
    await visit('/app/findings?status=fixed');
    const fixed = walk.page.frame({ name: 'app' })!;
    expect(await fixed.getByRole('link', { name: /Universal Analytics/ }).count()).toBe(1);
  });

  it('finds both scans in the history, and compares them', async () => {
    const frame = await visit('/app/history');
    await inspected(frame, 'history');
    await frame.locator('li').first().getByRole('link').click();
    await frame.getByRole('heading', { name: 'Compared' }).waitFor();
    await frame.getByText(/Not seen in this scan \(1\)/).waitFor();
    await inspected(frame, 'scan');
  });

  it('sees its catalog with what the lists say, and what is not known', async () => {
    const frame = await visit('/app/catalog');
    await frame.getByText(/\d+ of \d+ variants have an answer/).waitFor({ timeout: 40_000 });
    await frame.getByText('What has no answer is unknown. It may be listed.').waitFor();
    await inspected(frame, 'catalog');
    await frame
      .getByRole('link', { name: /Aluminum camp chair/ })
      .first()
      .click();
    await frame.getByRole('heading', { name: 'Section 232' }).waitFor();
    await inspected(frame, 'variant');
  });

  it('issues a certificate from a product, and downloads the PDF', async () => {
    let frame = await visit('/app/certificates');
    await inspected(frame, 'certificates');
    await frame.getByLabel('Find a product').fill('Bicycle helmet');
    await frame.getByRole('button', { name: 'Find' }).click();
    await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).click();
    await frame.getByRole('button', { name: 'Write a certificate' }).click();
    await frame.getByRole('heading', { name: 'How it stands' }).waitFor();
    await inspected(frame, 'certificate-begun');
    const field = async (group: string, label: string, value: string) =>
      await frame.locator(`#${group}`).getByLabel(label, { exact: true }).first().fill(value);
    expect(await frame.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Bicycle helmet, adult');
    await field('product_info', 'Date of manufacture', '2026-09-14');
    await field('product_info', 'Place of manufacture', 'Shenzhen, China');
    await field('manufacturer', 'Address', '88 Keyuan Road, Shenzhen, China');
    await field('manufacturer', 'Email', 'desk@velo.example');
    await field('testing_lab', 'Name', 'Pacific Test Laboratories');
    await field('testing_lab', 'Date of the most recent test', '2026-08-30');
    await frame.getByLabel('Find a rule').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.getByText(/It can be issued|Everything that/).waitFor({ timeout: 20_000 });
    await frame.getByLabel('I make this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue the certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor({ timeout: 20_000 });
    await inspected(frame, 'certificate-issued');
    const pdf = await walk.downloaded(() => frame.getByRole('button', { name: 'Download PDF' }).click());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    frame = await visit('/app/certificates?state=issued');
    expect(await frame.getByRole('link', { name: /Bicycle helmet, adult/ }).count()).toBe(1);
  });

  it('puts the certificate into Files and with its product, once the merchant allows it', async () => {
    let frame = await visit('/app/certificates/8');
    const put = () => frame.getByRole('button', { name: /^Put the PDF into Shopify Files/ }).click();
    const answer = async (button: string) => {
      await walk.page.getByRole('dialog').getByRole('button', { name: button }).click();
    };
    const { files, metafields } = walk.standIn.shops.get(DOMAIN)!;
    await put();
    await answer('Decline');
    await frame.getByText(/Nothing was put into Shopify/).waitFor();
    await inspected(frame, 'certificate-declined');
    expect(files).toEqual([]);
    await put();
    await answer('Allow');
    await frame.getByText('The PDF is in Shopify Files, and the product links to it.').waitFor({ timeout: 20_000 });
    await inspected(frame, 'certificate-in-files');
    expect([...metafields.values()].map(({ value }) => value)).toEqual(files.map(({ id }) => id));
    // After a reload nobody remembers it but Shopify: it is not put there again.
    frame = await visit('/app/certificates/8');
    await put();
    await frame.getByText('The PDF is in Shopify Files, and the product links to it.').waitFor({ timeout: 20_000 });
    expect(files).toHaveLength(1);
  });

  it('with five thousand variants reads them by a bulk operation', async () => {
    await walk.standIn.add(bigShop(5_000));
    const frame = await visit('/app/catalog', 'big-shop.myshopify.com');
    await frame.getByText(/of 5,000 variants have an answer/).waitFor({ timeout: 60_000 });
    const asked = walk.standIn.calls
      .filter(({ shop }) => shop === 'big-shop.myshopify.com')
      .map(({ operation }) => operation);
    expect(asked).toContain('BulkStart');
    await inspected(frame, 'catalog-5000');
  });

  it('sees what is read and kept, and codes from a file', async () => {
    await inspected(await visit('/app/settings'), 'settings');
    await inspected(await visit('/app/catalog/import'), 'import');
  });

  it('follows the sidebar of the admin without loading the app anew', async () => {
    const frame = await visit();
    await frame.evaluate('globalThis.same = true');
    await walk.page.getByRole('navigation', { name: 'App' }).getByText('History').click();
    await frame.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    expect(await frame.evaluate('globalThis.same')).toBe(true);
  });

  it.each(['de', 'ja', 'en-XA'])('reads the app in another language, and with longer text: %s', async locale => {
    const frame = await visit(`/app?locale=${locale}`);
    expect(await frame.evaluate('document.documentElement.lang')).toBe(locale);
    await inspected(frame, `home-${locale}`);
    for (const screen of ['findings', 'history', 'catalog', 'certificates', 'settings'])
      await inspected(await visit(`/app/${screen}?locale=${locale}`), `${screen}-${locale}`);
  });

  it('leaves, comes back to what was there, and leaves for good', async () => {
    const merchant = merchantOf(walk.standIn, DOMAIN, walk.app.url);
    expect(await merchant.uninstall()).toBe(200);
    merchant.reinstall();
    // The history does not look again by itself.
    const installs = async () => await (await visit('/app/history')).getByText('The app was installed').count();
    await vi.waitFor(async () => expect(await installs()).toBe(2), { timeout: 40_000, interval: 1_000 });
    expect(await merchant.uninstall()).toBe(200);
    expect(await walk.standIn.webhook(walk.app.url, 'shop/redact', DOMAIN, { shop_domain: DOMAIN })).toBe(200);
    const { store } = walk;
    await vi.waitFor(async () => expect(await store.shop(DOMAIN).record()).toBeNull(), {
      timeout: 30_000,
      interval: 250,
    });
    const left: string[] = [];
    for await (const line of store.shop(DOMAIN).export()) left.push(line);
    expect(left).toEqual([]);
  });

  it('asked no stranger for anything', () => {
    expect(walk.refused).toEqual([]);
  });
});
