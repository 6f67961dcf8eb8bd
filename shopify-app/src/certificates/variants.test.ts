import { readRecord } from '@compliance/core/entry';
import { drawInProcess } from '@compliance/drawing';
import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type IssuingContext, issuingContext, productGid } from './certificate-context.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { issueDraft } from './issue.ts';
import { FILLED, HELMET } from './testing/helmet.ts';
import { variantChoices } from './variants.ts';

/** GTIN with a correct check digit. */
const GTIN = '4006381333931';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterEach(() => harness.fakeShopify.faults.clear());
afterAll(() => harness.close());

/** Installs the app in a shop whose helmet has four variants. */
async function open(name: string): Promise<IssuingContext> {
  const fakeShop = sampleShop(name);
  const helmet = fakeShop.products[7]!;
  const [first] = helmet.variants;
  helmet.variants = [
    { ...first!, title: 'M', sku: 'HELM-M', barcode: GTIN },
    { ...first!, id: 'gid://shopify/ProductVariant/8001', title: 'L \u202e', sku: 'HELM-L', barcode: 'SHELF-7' },
    { ...first!, id: 'gid://shopify/ProductVariant/8002', title: 'Custom', sku: null },
    { ...first!, id: 'gid://shopify/ProductVariant/8003', title: 'Default Title', sku: '' },
  ];
  const { domain } = await harness.install(fakeShop);
  return {
    ...issuingContext({ app: harness.app, merchant: { ...harness.app.offlineContext(domain), user: '42' } }),
    baseUrl: 'https://verify.example',
  };
}

const variants = [
  { name: 'M', sku: 'HELM-M', gtin: GTIN },
  { name: 'L', sku: 'HELM-L' },
];

/** Issues the helmet's certificate with the given product details and language, and returns its record. */
async function issued(context: IssuingContext, product_info: object, language: string) {
  await startDraft(context, HELMET);
  const { id } = (await loadProductCertificate(context, HELMET)).draft as { id: string };
  const fields = { ...FILLED, language, product_info: { ...FILLED.product_info, ...product_info } };
  expect(await saveDraft(context, HELMET, id, JSON.stringify(fields))).toMatchObject({ issues: [] });
  await issueDraft(context, HELMET, id, { agreed: true, name: 'R. Keeper', title: '' });
  return { id, record: readRecord((await harness.store.certificates.get(id))!.record) };
}

describe('product variants', () => {
  it('lists the variants in Shopify with their titles, SKUs, and GTINs, and omits invalid characters and barcodes', async () => {
    const { merchant } = await open('variants');
    expect(await variantChoices(merchant, HELMET)).toEqual({
      ...{ variants: [...variants, { name: 'Custom' }, {}], isCut: false, isFromCatalog: false },
    });
    expect(await variantChoices(merchant, productGid('999'))).toBeNull();
  });

  it('lists the variants in the catalog, without GTINs, if the request to Shopify fails', async () => {
    const { merchant } = await open('variants-offline');
    const row = { productId: HELMET, productTitle: 'Helmet', htsCode: null, origin: null, digits: 'missing' } as const;
    await merchant.shop.variants.upsert('run', [
      {
        ...{ ...row, variantId: 'gid://shopify/ProductVariant/800', variantTitle: 'M', sku: 'HELM-M' },
        ...{ status: 'missing', answer: {}, listVersion: 'v1' },
      },
    ]);
    harness.fakeShopify.faults.plan({ kind: 'status', status: 403 }, { operation: 'VariantsForCertificate', times: 9 });
    expect(await variantChoices(merchant, HELMET)).toEqual({
      ...{ variants: [{ name: 'M', sku: 'HELM-M' }], isCut: false, isFromCatalog: true },
    });
    expect(await variantChoices(merchant, productGid('9'))).toBeNull();
  });

  it('adds the chosen variants to the certificate, the search index, and the replacement draft', async () => {
    const context = await open('variants-issued');
    const { id, record } = await issued(context, { variants }, '');
    expect(record.request.product_info.variants).toEqual(variants);
    const { family } = (await context.merchant.shop.record())!;
    const found = await harness.store.certificates.search({ family, text: 'HELM-L', limit: 5 });
    expect(found.map(certificate => certificate.id)).toEqual([id]);
    await startDraft(context, HELMET);
    expect((await loadProductCertificate(context, HELMET)).draft).toMatchObject({
      fields: { product_info: { variants } },
    });
  });

  it('reports the position of a variant without an identifier or with a wrong check digit', async () => {
    const context = await open('variants-faults');
    await startDraft(context, HELMET);
    const { id } = (await loadProductCertificate(context, HELMET)).draft as { id: string };
    const check = (list: readonly object[]) => {
      const fields = { ...FILLED, product_info: { ...FILLED.product_info, variants: list } };
      return saveDraft(context, HELMET, id, JSON.stringify(fields));
    };
    expect(await check([variants[0]!, { name: 'Custom' }])).toMatchObject({
      issues: [{ path: 'product_info.variants.1.sku', code: 'REQUIRED' }],
    });
    expect(await check([{ gtin: '4006381333932' }])).toMatchObject({
      ...{ status: 'incomplete', contradictions: [{ path: 'product_info.variants.0.gtin' }] },
    });
    expect(await check(Array.from({ length: 201 }, (_, at) => ({ sku: `S-${at}` })))).toMatchObject({
      issues: [{ path: 'product_info.variants', code: 'TOO_MANY' }],
    });
  });
});

describe('second languages', () => {
  it('prints the second language next to the English text', async () => {
    const context = await open('language');
    const { id, record } = await issued(context, {}, 'es');
    expect(record.request.language).toBe('es');
    const pdf = Buffer.from(await harness.store.certificates.pdf(id));
    const english = { ...record, request: { ...record.request, language: undefined } };
    const caller = { lane: 'keyed', tenant: 'test' } as const;
    const [bilingual, plain] = await Promise.all(
      [record, english as typeof record].map(each => drawInProcess.render(each, caller)),
    );
    expect(pdf.equals(bilingual!)).toBe(true);
    expect(pdf.byteLength).toBeGreaterThan(plain!.byteLength);
  });

  it('rejects a language that certificates don’t support', async () => {
    const context = await open('language-unknown');
    await startDraft(context, HELMET);
    const { id } = (await loadProductCertificate(context, HELMET)).draft as { id: string };
    expect(await saveDraft(context, HELMET, id, JSON.stringify({ ...FILLED, language: 'tlh' }))).toMatchObject({
      ...{ status: null, issues: [{ path: 'language' }] },
    });
  });
});
