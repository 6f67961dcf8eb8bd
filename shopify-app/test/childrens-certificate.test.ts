import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecord } from '@compliance/core/entry';
import { sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { FILLED } from '../src/certificates/testing/helmet.ts';
import { FILLED_PUZZLE, LABS, PUZZLE } from '../src/certificates/testing/puzzle.ts';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';

const PATH = '/app/certificates/40';
/** GTIN with a correct check digit. */
const GTIN = '4006381333931';
const EFILING = { certifier_id: 'CASCADE', version_id: '2026-1' };
/** Commodity in a FedEx reference message. */
interface Commodity {
  readonly regulatoryDetails: readonly [{ readonly productId: string }];
}
const PHONE = { width: 390, height: 860 };

await describeInBrowser('certificates for children’s products', open => {
  let session: BrowserSession;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'labs-'));
    const labFile = join(folder, 'labs.json');
    await writeFile(labFile, JSON.stringify(LABS));
    const shops = [sampleShop('desktop'), sampleShop('phone')] as const;
    for (const { products } of shops) {
      const { variants } = products[39]!;
      variants[0] = { ...variants[0]!, title: 'Red', barcode: GTIN };
      variants.push({ ...variants[0], id: 'gid://shopify/ProductVariant/4001', title: 'Blue', sku: 'SKU-40-2' });
    }
    session = await startBrowserSession(open, shops, { labFile });
    for (const shop of ['desktop', 'phone']) await untilRead(`${shop}.myshopify.com`);
  });
  afterAll(async () => {
    await session?.close();
    await rm(folder, { recursive: true });
  });

  it('issues a complete certificate at a viewport width of 1280 pixels and shows its status in green', async () => {
    const { frame, shop } = await begin('desktop', { cpsc_lab_id: '1234' });
    await frame.getByText('All details required by 16 CFR 1110.11, 15 U.S.C. 2063 are filled in').waitFor(WAIT);
    const report = { name: 'Prüfbericht.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 report') };
    const other = { name: 'old.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 old report') };
    const notes = { name: 'notes.docx', mimeType: 'application/msword', buffer: Buffer.from('notes') };
    await frame.locator('input[type="file"]').setInputFiles([report, other, notes]);
    await frame.getByText('1 file wasn’t attached:').waitFor(WAIT);
    await frame.getByRole('button', { name: /^Remove .*old\.pdf/ }).click();
    await frame.getByText(/old\.pdf/).waitFor({ ...WAIT, state: 'detached' });
    await session.checkScreen(frame, 'childrens-draft');
    const { id, record, status } = await issue(frame, shop);
    expect([status, record.format, record.childrens?.lab_list?.as_of]).toEqual(['complete', 'cpc-1', LABS.as_of]);
    expect(record.attachments).toMatchObject([{ filename: report.name, size: report.buffer.length }]);
    await frame.getByText(record.attachments![0]!.sha256).waitFor(WAIT);
    expect(record.request).toMatchObject({
      age_grading: FILLED_PUZZLE.age_grading,
      childrens_product: FILLED_PUZZLE.childrens_product,
      language: 'es',
      product_info: {
        variants: [
          { name: 'Red', sku: 'SKU-40-1', gtin: GTIN },
          { name: 'Blue', sku: 'SKU-40-2', gtin: GTIN },
        ],
      },
    });
    await frame.getByText('Children’s Product Certificate (CPC)', { exact: true }).waitFor();
    expect(await toneOf(frame, 'Complete')).toContain('Success');
    await session.checkScreen(frame, 'childrens-issued');
    const pdf = await session.download(() => frame.getByRole('button', { name: 'Download PDF' }).click());
    expect(pdf.equals(Buffer.from(await session.store.certificates.pdf(id)))).toBe(true);
    await frame.getByLabel('File type').selectOption('svg');
    const label = await session.download(() => frame.getByRole('button', { name: 'Download label' }).click());
    expect(label.toString()).toContain(id.slice(0, 19));
    const sheet = await session.download(() => frame.getByRole('button', { name: /tracking label sheet/ }).click());
    expect(sheet.subarray(0, 5).toString()).toBe('%PDF-');
    const codes = { as_of: '2026-11-20', source: 'made up', codes: { '16 CFR 1250': 'T1250' } };
    await frame
      .locator('input[type="file"]')
      .setInputFiles({ name: 'codes.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(codes)) });
    await frame.getByRole('button', { name: 'Prepare data' }).click();
    await frame.getByText('Citation codes: The code list doesn’t contain a code for 16 CFR 1501').waitFor(WAIT);
    await frame.getByText(/^No file was created because \d+ values are missing/).waitFor();
    await frame.getByLabel('Recipient').selectOption('fedex_reference');
    await frame.getByRole('button', { name: 'Prepare data' }).click();
    const message = await session.download(() =>
      frame.getByRole('button', { name: 'Download fedex-reference.json' }).click(WAIT),
    );
    const { commodities } = JSON.parse(message.toString()).requestedShipment.customsClearanceDetail;
    expect(commodities.map((each: Commodity) => each.regulatoryDetails[0].productId)).toEqual(['SKU-40-1', 'SKU-40-2']);
  });

  it('issues only a draft certificate at a viewport width of 390 pixels if the laboratory isn’t accepted, and never shows the certificate’s status in green', async () => {
    const { frame, shop } = await begin('phone', { cpsc_lab_id: '9999' });
    await frame.getByText('A test for 16 CFR 1250 by a CPSC-accepted laboratory').first().waitFor(WAIT);
    await frame.getByText('The certificate will remain a draft').waitFor();
    const { record, status } = await issue(frame, shop);
    expect([status, record.format]).toEqual(['draft', 'cpc-1']);
    expect(await toneOf(frame, 'Draft')).not.toContain('Success');
    expect(await frame.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await session.checkScreen(frame, 'childrens-not-accepted');
  });

  it('rejects a Children’s Product Certificate for a general-use product', async () => {
    const frame = await session.visit('/app/certificates/8');
    await frame.getByRole('button', { name: 'Create certificate' }).click();
    await frame.getByLabel('Certificate type').selectOption('CPC');
    await fillIn(frame, FILLED);
    await frame.getByLabel('Search rules').fill('1203');
    await frame.getByRole('button', { name: /^Cite 16 CFR 1203,/ }).click();
    await frame.getByRole('button', { name: /^Product type: This isn’t a children’s product/ }).waitFor(WAIT);
    expect(await frame.getByRole('button', { name: /^Download preview/ }).count()).toBe(0);
  });

  it('lets a merchant find a country by its German name, and stores the country’s code', async () => {
    const frame = await session.visit('/app/certificates/9?locale=de');
    await frame.getByRole('button', { name: 'Zertifikat erstellen' }).click();
    const certifier = frame.locator('[id="certifier.country"]');
    await certifier.fill('vereinigte staaten');
    await certifier.press('Tab');
    expect(await certifier.inputValue()).toBe('Vereinigte Staaten (US)');
    const manufacturer = frame.locator('[id="manufacturer.country"]');
    await manufacturer.fill('Viet');
    await frame.getByRole('option', { name: 'Vietnam (VN)' }).click();
    await session.checkScreen(frame, 'certificate-countries-de');
    const shop = session.store.shop('desktop.myshopify.com');
    const fields = { certifier: { country: 'US' }, manufacturer: { country: 'VN' } };
    await vi.waitFor(
      async () =>
        expect((await shop.productCertificates.get('gid://shopify/Product/9')).draft).toMatchObject({ fields }),
      WAIT,
    );
  });

  const WAIT = { timeout: 20_000 };

  /** Creates a draft certificate for the puzzle in a shop, and fills in the form as a merchant would. */
  async function begin(shop: string, lab: Record<string, string>) {
    if (shop === 'phone') await session.page.setViewportSize(PHONE);
    const frame = await session.visit(PATH, `${shop}.myshopify.com`);
    await frame.getByRole('button', { name: 'Create certificate' }).click();
    await frame.getByLabel('Certificate type').selectOption('CPC');
    await frame.getByLabel('Youngest age', { exact: true }).fill('2');
    await frame.getByLabel('Oldest age', { exact: true }).fill('5');
    await frame.getByLabel('Toy', { exact: true }).check();
    await frame.getByLabel('Paint or a similar surface coating').selectOption('No');
    const { toy_standard, testing_lab, product_info, manufacturer, certifier, records_contact } = FILLED_PUZZLE;
    await fillIn(frame, { toy_standard, product_info, manufacturer, certifier, records_contact });
    await fillIn(frame, { testing_lab: { ...testing_lab, ...lab }, efiling: EFILING });
    await frame.getByRole('button', { name: 'Choose variants' }).click();
    await frame.getByLabel(`Red · SKU SKU-40-1 · GTIN ${GTIN}`).check(WAIT);
    await frame.getByRole('button', { name: 'Select all variants' }).click();
    await frame.getByLabel('Second language on the PDF').selectOption('es');
    // The draft can be checked only after a rule is cited.
    await frame.getByLabel('Search rules').fill('1250');
    await frame.getByRole('button', { name: /^Cite 16 CFR 1250,/ }).click();
    await frame.getByRole('button', { name: 'Cite all 3 rules' }).click(WAIT);
    await frame.getByRole('button', { name: 'Add tests for 4 rules' }).click();
    return { frame, shop: session.store.shop(`${shop}.myshopify.com`) };
  }

  /** Fills in each field that the form shows. Expands collapsed sections first. */
  async function fillIn(frame: Frame, fields: object): Promise<void> {
    for (const [group, values] of Object.entries(fields)) {
      if (typeof values !== 'object' || Array.isArray(values)) continue;
      for (const summary of await frame.locator(`#${group} details:not([open]) > summary`).all()) await summary.click();
      for (const [name, value] of Object.entries(values as object)) {
        const field = frame.locator(`[id="${group}.${name}"]`);
        if (name === 'role') await field.selectOption(String(value));
        else await field.fill(Array.isArray(value) ? value.join('\n') : String(value));
      }
    }
  }

  async function issue(frame: Frame, shop: ReturnType<typeof session.store.shop>) {
    await frame.getByLabel('I attest to this statement').check();
    await frame.getByLabel('Your name').fill('Ada Importer');
    await frame.getByRole('button', { name: 'Issue certificate' }).click();
    await frame.getByText('Attested by Ada Importer').waitFor(WAIT);
    const { gccId } = await shop.productCertificates.get(PUZZLE);
    const { id, record, status } = (await session.store.certificates.get(gccId!))!;
    return { id, record: readRecord(record), status };
  }

  /** Returns the CSS classes of the certificate's status badge. */
  const toneOf = (frame: Frame, status: string) =>
    frame.locator('.Polaris-Badge', { hasText: status }).first().getAttribute('class');

  /** Opens the app in a shop, and waits until the app has read the catalog. */
  async function untilRead(domain: string): Promise<void> {
    await session.visit('/app', domain);
    const isRead = async () =>
      (await session.store.shop(domain).variants.list({ productId: PUZZLE, limit: 1 })).rows.length > 0;
    await vi.waitFor(async () => expect(await isRead()).toBe(true), { timeout: 60_000, interval: 250 });
  }
});
