import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { merchantActions, sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';

const given = sampleShop();
const { domain } = given;
const [bolt, bracket] = given.products.map(({ variants }) => variants[0]!);
const DAY_MS = 86_400_000;

// Tests the merchant's decisions and the ways to undo them. Each test continues from the state of the previous
// test.
await describeInBrowser('merchant decisions', open => {
  let session: BrowserSession;

  beforeAll(async () => {
    // The test mocks only the clock and moves it forward. The app and the fake Shopify run in this process and use the
    // same clock.
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() });
    session = await startBrowserSession(open, [given]);
    const frame = await session.visit();
    await frame.getByText(/^Last scanned/).waitFor({ timeout: 40_000 });
  });
  afterAll(async () => {
    await session?.close();
    vi.useRealTimers();
  });

  const shop = () => session.store.shop(domain);
  const answer = (button: string) => session.page.getByRole('dialog').getByRole('button', { name: button }).click();
  const toast = async (text: string) => await session.page.locator('#toast').getByText(text).waitFor();

  it('hides an accepted finding until the selected date and shows it again afterward', async () => {
    const list = await session.visit('/app/findings');
    const name = 'Theme tag runs regardless of consent';
    await list.getByRole('link', { name }).click();
    const day = new Date(Date.now() + DAY_MS).toLocaleDateString('en-CA', { timeZone: given.zone });
    await list.getByLabel('Reason', { exact: true }).fill('Our agency is fixing it tomorrow');
    await list.getByLabel('Accept until').fill(day);
    await list.getByRole('button', { name: 'Accept' }).click();
    const shown = new Date(`${day}T12:00Z`).toLocaleDateString('en', { dateStyle: 'medium' });
    await list.getByText(`This finding is accepted until ${shown}`).waitFor();
    await session.checkScreen(list, 'choice-accepted');
    await (await session.visit('/app/settings')).getByText(`until ${shown}`).waitFor();
    expect(await (await session.visit('/app/findings')).getByRole('link', { name }).count()).toBe(0);
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    const back = await session.visit('/app/findings');
    await back.getByRole('link', { name }).click();
    await back.getByLabel('Reason', { exact: true }).waitFor();
    expect(await back.getByText(/This finding is accepted/).count()).toBe(0);
    await session.checkScreen(back, 'choice-expired');
  });

  it('explains that saving a code requires write permission, and saves the code after the merchant grants it', async () => {
    const frame = await session.visit('/app/catalog/100');
    const save = async (code: string) => {
      await frame.getByLabel('HTS code', { exact: true }).fill(code);
      await frame.getByRole('button', { name: 'Save to Shopify' }).click();
    };
    await save('4820102020');
    await answer('Decline');
    await frame
      .getByText(/^Nothing was saved because the app doesn’t have permission to change inventory\. Save again/)
      .waitFor();
    expect(bolt!.harmonizedSystemCode).toBe('7318152061');
    expect(await frame.getByLabel('HTS code', { exact: true }).inputValue()).toBe('4820102020');
    await session.checkScreen(frame, 'choice-declined');
    await save('4820102020');
    await answer('Allow');
    await toast('Saved to Shopify');
    expect(bolt!.harmonizedSystemCode).toBe('4820102020');
    const settings = await session.visit('/app/settings');
    await settings.getByRole('listitem').filter({ hasText: 'save HTS codes' }).getByText('Granted').waitFor();
    // After the merchant revokes the scope in the Shopify admin, the app requests it again, and the import waits for the
    // merchant's decision.
    await merchantActions(session.fakeShopify, domain, session.app.url).revokeScope('write_inventory');
    const file = join(session.dataDir, 'codes.csv');
    await writeFile(file, 'SKU,HTS code\nSKU-2-1,7318152061\n');
    const upload = await session.visit('/app/catalog/import');
    await upload.locator('input[type=file]').setInputFiles(file);
    await upload.getByText('1 variant will change').waitFor();
    await upload.getByRole('button', { name: 'Save to Shopify' }).click();
    await answer('Decline');
    await upload
      .getByText(/^Nothing was saved because the app doesn’t have permission to change inventory\. Save again/)
      .waitFor();
    await session.checkScreen(upload, 'choice-declined-file');
    await upload.getByRole('button', { name: 'Save to Shopify' }).click();
    await answer('Allow');
    await upload.getByText('1 variant saved to Shopify').waitFor({ timeout: 20_000 });
    expect(bracket!.countryCodes[0]!.harmonizedSystemCode).toBe('7318152061');
  });

  it('issues a certificate, supersedes it, and voids the replacement', async () => {
    const frame = await session.visit('/app/certificates/8');
    await frame.getByRole('button', { name: 'Create certificate' }).click();
    await frame.getByLabel('Search rules').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await frame.locator('#certifier').getByLabel('Role', { exact: true }).selectOption('importer');
    const office = { Address: '410 Alder Street, Portland, OR 97205', Country: 'US' };
    await issue(frame, {
      '#product_info': {
        'Description that uniquely identifies this product': 'In-mold road helmet, size M',
        Model: 'Ridge 2',
        'Date of manufacture': '2026-09-14',
        'Place of manufacture': 'Shenzhen, China',
      },
      '#manufacturer': {
        Address: '88 Keyuan Road, Shenzhen, Guangdong 518057, China',
        Country: 'CN',
        Phone: '+86 755 8321 1234',
        Email: 'desk@velo.example',
      },
      '#certifier': { Name: 'Cascade Imports LLC', ...office, Phone: '+1 503 555 0142', Email: 'c@cascade.example' },
      '#records_contact': { Name: 'Robin Keeper', ...office, Phone: '+1 503 555 0143', Email: 'r@cascade.example' },
      '#testing_lab': {
        Name: 'Pacific Test Laboratories',
        Address: '1200 Harbor Way, Long Beach, CA 90802',
        Country: 'US',
        Phone: '+1 562 555 0199',
        Email: 'lab@pacific.example',
        'Most recent test date': '2026-08-30',
      },
    });
    const first = await certificateOf();
    await frame.getByRole('button', { name: 'Create replacement' }).click();
    await issue(frame, { '#product_info': { 'Date of manufacture': '2026-10-01' } });
    const second = await certificateOf();
    expect(second.gccId).not.toBe(first.gccId);
    await frame.getByText(new RegExp(`issued ${second.gccId}, which superseded ${first.gccId}`)).waitFor();
    await session.checkScreen(frame, 'choice-replaced');
    expect((await session.store.certificates.get(first.gccId!))?.status).toBe('superseded');

    await frame.getByText('Void this certificate', { exact: true }).click();
    const submit = frame.getByRole('button', { name: 'Void certificate' });
    await submit.click();
    await frame.getByText(/^Enter a reason/).waitFor();
    await frame.getByLabel('Reason for voiding').fill('The laboratory withdrew its report');
    await submit.click();
    await frame.getByText('Voided: The laboratory withdrew its report').waitFor();
    await session.checkScreen(frame, 'choice-voided');
    expect(await session.store.certificates.get(second.gccId!)).toMatchObject({
      ...{ status: 'voided', voidReason: 'The laboratory withdrew its report' },
    });
    expect(await frame.getByRole('button', { name: /^Add PDF/ }).count()).toBe(0);
    await frame.getByRole('button', { name: 'Create new certificate' }).waitFor();
    const list = await session.visit('/app/certificates?state=voided');
    await list.getByRole('link', { name: 'Bicycle helmet, adult' }).waitFor();
  });

  it('explains what to do after a download fails', async () => {
    const frame = await session.visit('/app/catalog');
    await session.page.route('**/app/catalog-csv*', route => route.fulfill({ status: 500 }));
    await frame.getByRole('button', { name: 'Download CSV' }).click();
    await toast(
      'We couldn’t download catalog.csv. Wait a moment and try again. If the download fails again, reload the page.',
    );
    if (process.env.SCREENSHOTS)
      await session.page.screenshot({ path: join(process.env.SCREENSHOTS, 'app-choice-toast.png') });
    await session.page.unroute('**/app/catalog-csv*');
    expect(session.consoleErrors.splice(0)).toEqual([expect.stringContaining('status of 500')]);
    const csv = await session.download(() => frame.getByRole('button', { name: 'Download CSV' }).click());
    expect(csv.toString('utf8')).toContain('Bicycle helmet, adult');
  });

  it('deletes all shop data, and then starts over as if the app were newly installed', async () => {
    const { gccId } = await certificateOf();
    const { family } = (await shop().record())!;
    const frame = await session.visit('/app/settings');
    const erase = async (typed: string) => {
      await frame.getByLabel(`Type ${domain} to confirm`).fill(typed);
      await frame.getByRole('button', { name: 'Delete all data' }).click();
    };
    await erase('another-shop.myshopify.com');
    await frame.getByText('This doesn’t match your store’s domain.').waitFor();
    expect(await shop().record()).not.toBeNull();
    expect(session.consoleErrors.splice(0)).toEqual([expect.stringContaining('status of 422')]);
    await session.checkScreen(frame, 'choice-not-erased');
    await erase(domain);
    await frame.getByRole('heading', { level: 1, name: 'All data deleted' }).waitFor();
    await session.checkScreen(frame, 'choice-erased');
    expect(await shop().record()).toBeNull();
    const left: string[] = [];
    for await (const line of shop().export()) left.push(line);
    expect(left).toEqual([]);
    expect((await session.store.certificates.get(gccId!))?.status).toBe('voided');
    const again = await session.visit('/app/certificates');
    expect(await again.getByRole('link', { name: 'Bicycle helmet, adult' }).count()).toBeLessThanOrEqual(1);
    expect((await shop().record())!.family).not.toBe(family);
    const isRead = async () =>
      (await shop().jobs.list({ limit: 50 })).some(({ kind, state }) => kind === 'catalog' && state === 'done');
    await expect.poll(isRead, { timeout: 40_000 }).toBe(true);
    const page = await session.visit('/app/certificates/8');
    await page.getByText('This product doesn’t have a certificate').waitFor();
    const home = await session.visit();
    await home.getByText('We can’t compare this score with an earlier score yet.').waitFor({ timeout: 40_000 });
    expect(session.blockedUrls).toEqual([]);
  });

  const certificateOf = () => shop().productCertificates.get('gid://shopify/Product/8');

  /** Fills in a draft and issues the certificate. */
  async function issue(frame: Frame, groups: Record<string, Record<string, string>>): Promise<void> {
    await frame.getByRole('heading', { name: 'Draft status' }).waitFor();
    for (const [group, fields] of Object.entries(groups))
      for (const [label, value] of Object.entries(fields))
        await frame.locator(group).getByLabel(label, { exact: true }).first().fill(value);
    await frame.getByText('All details required by 16 CFR 1110.11 are filled in').waitFor({ timeout: 20_000 });
    await frame.getByLabel('I attest to this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor({ timeout: 20_000 });
    await frame.getByRole('button', { name: 'Issue certificate' }).waitFor({ state: 'detached' });
  }
});
