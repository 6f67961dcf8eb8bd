import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { merchantOf } from '../stand-in/acts.ts';
import { describeInBrowser } from '../stand-in/frame/browser.ts';
import { sampleShop } from '../stand-in/shop/samples.ts';
import { beginWalk, type Walk } from './walk.ts';

const given = sampleShop();
const { domain } = given;
const [bolt, bracket] = given.products.map(({ variants }) => variants[0]!);
const DAY_MS = 86_400_000;

// What a merchant can decide, and take back: each step goes on where the one before ended.
await describeInBrowser('a merchant who decides', open => {
  let walk: Walk;

  beforeAll(async () => {
    // App and Shopify have the clock of this process, which can be put forward. Nothing else of it is another.
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() });
    walk = await beginWalk(open, [given]);
    const frame = await walk.visit();
    await frame.getByText(/things? needs? you/).waitFor({ timeout: 40_000 });
  });
  afterAll(async () => {
    await walk?.close();
    vi.useRealTimers();
  });

  const shop = () => walk.store.shop(domain);
  const answer = (button: string) => walk.page.getByRole('dialog').getByRole('button', { name: button }).click();
  const toast = async (text: string) => await walk.page.locator('#toast').getByText(text).waitFor();

  it('accepts a finding until a day, and has it back when the day is over', async () => {
    const list = await walk.visit('/app/findings');
    const name = 'A tag in the theme runs whatever the visitor chose';
    await list.getByRole('link', { name }).click();
    const day = new Date(Date.now() + DAY_MS).toLocaleDateString('en-CA', { timeZone: given.zone });
    await list.getByLabel('Why it may stay').fill('Our agency mends it tomorrow');
    await list.getByLabel('Until').fill(day);
    await list.getByRole('button', { name: 'Accept' }).click();
    const shown = new Date(`${day}T12:00Z`).toLocaleDateString('en', { dateStyle: 'medium' });
    await list.getByText(`You accepted this finding until ${shown}`).waitFor();
    await walk.inspected(list, 'choice-accepted');
    await (await walk.visit('/app/settings')).getByText(`until ${shown}`).waitFor();
    expect(await (await walk.visit('/app/findings')).getByRole('link', { name }).count()).toBe(0);
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    const back = await walk.visit('/app/findings');
    await back.getByRole('link', { name }).click();
    await back.getByLabel('Why it may stay').waitFor();
    expect(await back.getByText(/You accepted this finding/).count()).toBe(0);
    await walk.inspected(back, 'choice-expired');
  });

  it('declines to let the app write codes, is told what that means, and allows it later', async () => {
    const frame = await walk.visit('/app/catalog/100');
    const save = async (code: string) => {
      await frame.getByLabel('HTS code', { exact: true }).fill(code);
      await frame.getByRole('button', { name: 'Save to Shopify' }).click();
    };
    await save('4820102020');
    await answer('Decline');
    await frame.getByText(/^Nothing was saved: the app may not change inventory\. Click again/).waitFor();
    expect(bolt!.harmonizedSystemCode).toBe('7318152061');
    expect(await frame.getByLabel('HTS code', { exact: true }).inputValue()).toBe('4820102020');
    await walk.inspected(frame, 'choice-declined');
    await save('4820102020');
    await answer('Allow');
    await toast('Saved to Shopify');
    expect(bolt!.harmonizedSystemCode).toBe('4820102020');
    const settings = await walk.visit('/app/settings');
    await settings.getByRole('listitem').filter({ hasText: 'save HTS codes' }).getByText('Allowed').waitFor();
    // Taken back in Shopify's admin: the app asks again, and a file waits for the answer too.
    await merchantOf(walk.standIn, domain, walk.app.url).revokeScope('write_inventory');
    const file = join(walk.dataDir, 'codes.csv');
    await writeFile(file, 'SKU,HTS code\nSKU-2-1,7318152061\n');
    const upload = await walk.visit('/app/catalog/import');
    await upload.locator('input[type=file]').setInputFiles(file);
    await upload.getByText('1 variant would change').waitFor();
    await upload.getByRole('button', { name: 'Save to Shopify' }).click();
    await answer('Decline');
    await upload.getByText(/^Nothing was saved: the app may not change inventory\. Click again/).waitFor();
    await walk.inspected(upload, 'choice-declined-file');
    await upload.getByRole('button', { name: 'Save to Shopify' }).click();
    await answer('Allow');
    await upload.getByText('1 variant saved to Shopify').waitFor({ timeout: 20_000 });
    expect(bracket!.countryCodes[0]!.harmonizedSystemCode).toBe('7318152061');
  });

  it('issues a certificate, one in its place, and voids that', async () => {
    const frame = await walk.visit('/app/certificates/8');
    await frame.getByRole('button', { name: 'Write a certificate' }).click();
    await frame.getByLabel('Find a rule').fill('bicycle helmet');
    await frame.getByRole('button', { name: /^Cite 16 CFR (part )?1203/ }).click();
    await issue(frame, {
      '#product_info': { 'Date of manufacture': '2026-09-14', 'Place of manufacture': 'Shenzhen, China' },
      '#manufacturer': { Address: '88 Keyuan Road, Shenzhen, China', Email: 'desk@velo.example' },
      '#testing_lab': { Name: 'Pacific Test Laboratories', 'Date of the most recent test': '2026-08-30' },
    });
    const first = await certificateOf();
    await frame.getByRole('button', { name: 'Write one that replaces it' }).click();
    await issue(frame, { '#product_info': { 'Date of manufacture': '2026-10-01' } });
    const second = await certificateOf();
    expect(second.gccId).not.toBe(first.gccId);
    await frame.getByText(new RegExp(`issued ${second.gccId}, which replaced ${first.gccId}`)).waitFor();
    await walk.inspected(frame, 'choice-replaced');
    expect((await walk.store.certificates.get(first.gccId!))?.status).toBe('superseded');

    await frame.getByText('Void this certificate', { exact: true }).click();
    const submit = frame.getByRole('button', { name: 'Void it for good' });
    await submit.click();
    await frame.getByText(/Say why/).waitFor();
    await frame.getByLabel('Why it is void').fill('The laboratory withdrew its report');
    await submit.click();
    await frame.getByText('Voided: The laboratory withdrew its report').waitFor();
    await walk.inspected(frame, 'choice-voided');
    expect(await walk.store.certificates.get(second.gccId!)).toMatchObject({
      ...{ status: 'void', voidReason: 'The laboratory withdrew its report' },
    });
    expect(await frame.getByRole('button', { name: /^Put the PDF/ }).count()).toBe(0);
    await frame.getByRole('button', { name: 'Write a new one' }).waitFor();
    const list = await walk.visit('/app/certificates?state=voided');
    await list.getByRole('link', { name: 'Bicycle helmet, adult' }).waitFor();
  });

  it('is told what to do when a file does not come', async () => {
    const frame = await walk.visit('/app/catalog');
    await walk.page.route('**/app/catalog-csv*', route => route.fulfill({ status: 500 }));
    await frame.getByRole('button', { name: 'Download CSV' }).click();
    await toast('catalog.csv could not be downloaded. Try again in a moment; if it fails again, load the page anew.');
    if (process.env.SCREENSHOTS)
      await walk.page.screenshot({ path: join(process.env.SCREENSHOTS, 'app-choice-toast.png') });
    await walk.page.unroute('**/app/catalog-csv*');
    expect(walk.said.splice(0)).toEqual([expect.stringContaining('status of 500')]);
    const csv = await walk.downloaded(() => frame.getByRole('button', { name: 'Download CSV' }).click());
    expect(csv.toString('utf8')).toContain('Bicycle helmet, adult');
  });

  it('deletes everything, which is gone, and begins anew', async () => {
    const { gccId } = await certificateOf();
    const { family } = (await shop().record())!;
    const frame = await walk.visit('/app/settings');
    const erase = async (typed: string) => {
      await frame.getByLabel(`Type ${domain} to confirm`).fill(typed);
      await frame.getByRole('button', { name: 'Delete everything' }).click();
    };
    await erase('another-shop.myshopify.com');
    await frame.getByText('This is not the domain of your store.').waitFor();
    expect(await shop().record()).not.toBeNull();
    expect(walk.said.splice(0)).toEqual([expect.stringContaining('status of 422')]);
    await walk.inspected(frame, 'choice-not-erased');
    await erase(domain);
    await frame.getByRole('heading', { level: 1, name: 'Everything is deleted' }).waitFor();
    await walk.inspected(frame, 'choice-erased');
    expect(await shop().record()).toBeNull();
    const left: string[] = [];
    for await (const line of shop().export()) left.push(line);
    expect(left).toEqual([]);
    expect((await walk.store.certificates.get(gccId!))?.status).toBe('void');
    const again = await walk.visit('/app/certificates');
    expect(await again.getByRole('link', { name: 'Bicycle helmet, adult' }).count()).toBeLessThanOrEqual(1);
    expect((await shop().record())!.family).not.toBe(family);
    const isRead = async () =>
      (await shop().jobs.list({ limit: 50 })).some(({ kind, state }) => kind === 'catalog' && state === 'done');
    await expect.poll(isRead, { timeout: 40_000 }).toBe(true);
    const page = await walk.visit('/app/certificates/8');
    await page.getByText('This product has no certificate').waitFor();
    const home = await walk.visit();
    await home.getByText('This is the first score. The next scan will say what changed.').waitFor({ timeout: 40_000 });
    expect(walk.refused).toEqual([]);
  });

  const certificateOf = () => shop().productCertificates.get('gid://shopify/Product/8');

  /** Fills a draft in and issues it. */
  async function issue(frame: Frame, groups: Record<string, Record<string, string>>): Promise<void> {
    await frame.getByRole('heading', { name: 'How it stands' }).waitFor();
    for (const [group, fields] of Object.entries(groups))
      for (const [label, value] of Object.entries(fields))
        await frame.locator(group).getByLabel(label, { exact: true }).first().fill(value);
    await frame.getByText(/It can be issued|Everything that/).waitFor({ timeout: 20_000 });
    await frame.getByLabel('I make this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue the certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor({ timeout: 20_000 });
    await frame.getByRole('button', { name: 'Issue the certificate' }).waitFor({ state: 'detached' });
  }
});
