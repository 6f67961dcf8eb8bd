import { WARNING_CODES } from '@compliance/core/entry';
import { type FakeShop, gid, hostileShop, sampleShop } from '@compliance/fake-shopify';
import type { NewVariant } from '@compliance/store/shop';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import english from '../../app/i18n/locales/en/certificates.json' with { type: 'json' };
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { type IssuingContext, issuingContext, productGid } from './certificate-context.ts';
import { readFields } from './draft.ts';
import { loadProductCertificate, saveDraft, startDraft } from './drafts.ts';
import { exportCertificates } from './export.ts';
import { handleForm } from './form.ts';
import { certificatePdf, issueDraft, previewPdf, voidCertificate } from './issue.ts';
import { certificatesOf, parseCertificatesQuery } from './list.ts';
import { productOf } from './product.ts';
import { searchRules } from './rules.ts';
import { BOLT, FILLED, HELMET } from './testing/helmet.ts';

const SIGNED = { agreed: true, name: 'Robin Keeper', title: 'Director' };

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

/** Installs the app in a shop, stores the shop's catalog, and returns the issuing context. */
async function open(fakeShop: FakeShop): Promise<IssuingContext> {
  const shop = await harness.install(fakeShop);
  const rows = fakeShop.products.flatMap(product =>
    product.variants.map(
      (variant): NewVariant => ({
        ...{ variantId: variant.id, productId: product.id, productTitle: product.title, variantTitle: variant.title },
        ...{ sku: variant.sku, htsCode: variant.harmonizedSystemCode, origin: variant.origin, digits: 'full' },
        ...{ status: 'clear', answer: null, listVersion: '1' },
      }),
    ),
  );
  await shop.variants.upsert('run', rows);
  return {
    ...issuingContext({
      app: harness.app,
      merchant: { ...harness.app.offlineContext(fakeShop.domain), user: '42' },
    }),
    baseUrl: 'https://verify.example',
  };
}

const putting = () => ({ audit: harness.store.audit, signal: new AbortController().signal });

const draftOf = async (context: IssuingContext, product: string) =>
  (await loadProductCertificate(context, product)).draft as {
    id: string;
    fields: Record<string, Record<string, unknown>>;
  };

/** Drafts and issues a certificate for a product. */
async function issued(context: IssuingContext, product: string, fields: object = FILLED): Promise<string> {
  await startDraft(context, product);
  const { id } = await draftOf(context, product);
  await saveDraft(context, product, id, JSON.stringify(fields));
  expect(await issueDraft(context, product, id, SIGNED)).toEqual({ issued: id });
  return id;
}

describe('new certificate drafts', () => {
  it('prefills a draft with product data from Shopify and suggests the vendor as the manufacturer', async () => {
    const context = await open(sampleShop('begins'));
    expect(await startDraft(context, BOLT)).toBe(true);
    expect((await draftOf(context, BOLT)).fields).toMatchObject({
      product_info: { name: 'Hex bolt M8, box of 100', sku: 'SKU-1-1', place_of_manufacture: 'Taiwan' },
      manufacturer: { name: 'Ridgeline Tools', country: 'TW' },
    });
    expect((await draftOf(context, BOLT)).fields).not.toHaveProperty('certifier');
  });

  it('prefills a draft from the stored catalog when Shopify isn’t available', async () => {
    const context = await open(sampleShop('offline'));
    harness.fakeShopify.faults.plan({ kind: 'status', status: 403 }, { operation: 'ProductForCertificate', times: 9 });
    expect(await startDraft(context, BOLT)).toBe(true);
    expect((await draftOf(context, BOLT)).fields.product_info).toMatchObject({ name: 'Hex bolt M8, box of 100' });
    harness.fakeShopify.faults.take('ProductForCertificate', ['status']);
  });

  it('copies the certifier, records custodian, and laboratory from the last valid certificate, but not the test data', async () => {
    const context = await open(sampleShop('again'));
    await issued(context, HELMET);
    await startDraft(context, BOLT);
    const { fields } = await draftOf(context, BOLT);
    expect(fields.certifier).toMatchObject({ name: 'Cascade Imports LLC' });
    const { test_date: _date, report_ids: _reports, ...laboratory } = FILLED.testing_lab;
    expect(fields.testing_lab).toEqual(laboratory);
    expect(fields.product_info).toMatchObject({ name: 'Hex bolt M8, box of 100' });
    expect(JSON.stringify(fields)).not.toContain('Robin Keeper');
  });

  it('doesn’t start a draft for an unknown product', async () => {
    const context = await open(sampleShop('unknown'));
    expect(await startDraft(context, productGid('999'))).toBe(false);
    expect(await productOf(context, '999')).toBeNull();
    expect(await handleForm(context, productGid('999'), new FormData(), putting())).toBeNull();
  });
});

describe('certificate drafts', () => {
  it('reports invalid fields in a saved draft, and lists missing elements only after the fields are valid', async () => {
    const context = await open(sampleShop('saves'));
    await startDraft(context, HELMET);
    const { id } = await draftOf(context, HELMET);
    const bad = { ...FILLED, testing_lab: { ...FILLED.testing_lab, test_date: '2026-02-30' } };
    expect(await saveDraft(context, HELMET, id, JSON.stringify(bad))).toMatchObject({
      issues: [{ path: 'testing_lab.test_date', code: 'INVALID_DATE' }],
      missing: null,
    });
    const { description: _description, ...product } = FILLED.product_info;
    const check = await saveDraft(context, HELMET, id, JSON.stringify({ ...FILLED, product_info: product }));
    expect(check).toMatchObject({ issues: [] });
    const paths = typeof check === 'object' ? check.missing!.map(({ path }) => path) : [];
    expect(paths).toContain('product_info.description');
    expect(paths).not.toContain('attestation');
  });

  it('ignores an attestation or a superseded certificate ID in submitted form fields', () => {
    const text = JSON.stringify({ ...FILLED, attestation: { attested_by: 'X' }, supersedes: 'x', efiling: { a: '' } });
    expect(readFields(text)).toEqual(FILLED);
  });

  it('keeps the position of each list entry when removing empty fields', () => {
    expect(readFields('{"tests":[{"rule":""},{"rule":"16 CFR 1203"}]}')).toEqual({
      tests: [{}, { rule: '16 CFR 1203' }],
    });
  });

  it('rejects form JSON that isn’t an object or is too long, without throwing an error', () => {
    for (const text of ['', '[]', '"x"', 'null', '{', `{"a":"${'x'.repeat(200_001)}"}`])
      expect(readFields(text)).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        readFields(text);
      }),
    );
  });

  it('doesn’t save or issue a draft that was discarded in another window', async () => {
    const context = await open(sampleShop('windows'));
    await startDraft(context, HELMET);
    const { id } = await draftOf(context, HELMET);
    const form = new FormData();
    for (const [name, value] of [
      ['intent', 'discard'],
      ['draft', id],
    ] as const)
      form.set(name, value);
    await handleForm(context, HELMET, form, putting());
    expect(await saveDraft(context, HELMET, id, JSON.stringify(FILLED))).toBe('gone');
    expect(await issueDraft(context, HELMET, id, SIGNED)).toEqual({ refused: 'gone' });
  });

  it('previews a draft as a PDF once the draft is complete enough to render', async () => {
    const context = await open(sampleShop('previews'));
    await startDraft(context, HELMET);
    expect(await previewPdf(context, HELMET)).toBeNull();
    const { id } = await draftOf(context, HELMET);
    await saveDraft(context, HELMET, id, JSON.stringify(FILLED));
    const preview = await previewPdf({ ...context, baseUrl: null }, HELMET);
    expect(preview?.headers.get('content-disposition')).toContain('DRAFT-');
    expect(
      Buffer.from(await preview!.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(await harness.store.certificates.get(id)).toBeNull();
  });
});

describe('certificate issuing', () => {
  it('requires an attestation and a verification URL to issue a certificate', async () => {
    const context = await open(sampleShop('signs'));
    await startDraft(context, HELMET);
    const { id } = await draftOf(context, HELMET);
    await saveDraft(context, HELMET, id, JSON.stringify(FILLED));
    expect(await issueDraft(context, HELMET, id, { agreed: false, name: ' ', title: '' })).toEqual({
      faults: { agreed: 'not_agreed', name: 'name_missing' },
    });
    expect(await issueDraft({ ...context, baseUrl: null }, HELMET, id, SIGNED)).toEqual({ refused: 'not_set_up' });
    expect((await loadProductCertificate(context, HELMET)).state).toBe('draft');
  });

  it('issues only one certificate for repeated or concurrent clicks', async () => {
    const context = await open(sampleShop('twice'));
    await startDraft(context, HELMET);
    const { id } = await draftOf(context, HELMET);
    await saveDraft(context, HELMET, id, JSON.stringify(FILLED));
    const click = () => issueDraft(context, HELMET, id, SIGNED);
    expect(await Promise.all([click(), click(), click()])).toEqual([{ issued: id }, { issued: id }, { issued: id }]);
    expect(await click()).toEqual({ issued: id });
    const record = (await context.merchant.shop.record())!;
    expect(await harness.store.certificates.list({ family: record.family, limit: 10 })).toHaveLength(1);
    expect(await context.merchant.shop.productCertificates.history(HELMET)).toHaveLength(1);
    const view = (await productOf(context, '8'))!;
    expect(view).toMatchObject({
      draft: null,
      current: { id, status: 'complete', certifier: 'Cascade Imports LLC', attestedBy: 'Robin Keeper' },
    });
    expect(view.current!.verificationUrl).toBe(`https://verify.example/gcc/${id}`);
  });

  it('doesn’t identify a person or a shop in the permanent audit log', async () => {
    const context = await open(sampleShop('logged'));
    const id = await issued(context, HELMET);
    await voidCertificate(context, HELMET, 'Wrong laboratory');
    const { family } = (await context.merchant.shop.record())!;
    const log = (await harness.store.audit.list({ limit: 50 })).filter(({ subject }) => subject === id);
    expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set([family]));
    expect(log).toHaveLength(2);
  });

  it('recovers an issued certificate if the process died before recording it', async () => {
    const context = await open(sampleShop('dies'));
    await startDraft(context, HELMET);
    const { id } = await draftOf(context, HELMET);
    await saveDraft(context, HELMET, id, JSON.stringify(FILLED));
    const dying = {
      ...context.merchant.shop,
      productCertificates: {
        ...context.merchant.shop.productCertificates,
        issued: async () => {
          throw new Error('the process died');
        },
      },
    };
    await expect(
      issueDraft({ ...context, merchant: { ...context.merchant, shop: dying } }, HELMET, id, SIGNED),
    ).rejects.toThrow('died');
    expect((await productOf(context, '8'))?.current?.id).toBe(id);
    expect(await issueDraft(context, HELMET, id, SIGNED)).toEqual({ issued: id });
  });

  it('doesn’t list a foreign manufacturer as the certifier', async () => {
    const context = await open(sampleShop('abroad'));
    const { certifier: _, ...without } = FILLED;
    await issued(context, HELMET, without);
    const { current } = (await productOf(context, '8'))!;
    expect(current?.certifier).toBeNull();
    expect(current?.missing.map(({ path }) => path)).toContain('certifier');
  });
});

describe('issued certificates', () => {
  it('copies a certificate’s fields to the product’s next certificate, which then supersedes the first certificate', async () => {
    const context = await open(sampleShop('replaces'));
    const old = await issued(context, HELMET);
    await startDraft(context, HELMET);
    expect((await draftOf(context, HELMET)).fields).toEqual(FILLED);
    const id = await issued(context, HELMET);
    expect(await harness.store.certificates.get(old)).toMatchObject({ status: 'superseded', supersededBy: id });
    expect((await productOf(context, '8'))!.history).toMatchObject([
      { event: 'issued', gccId: id, supersedes: old },
      { event: 'issued', gccId: old },
    ]);
  });

  it('voids a certificate only once, requires a reason, and doesn’t supersede the voided certificate', async () => {
    const context = await open(sampleShop('voids'));
    const old = await issued(context, HELMET);
    expect(await voidCertificate(context, HELMET, ' \n')).toEqual({ faults: { reason: 'reason_missing' } });
    expect(await voidCertificate(context, HELMET, 'x'.repeat(501))).toEqual({ faults: { reason: 'reason_too_long' } });
    await Promise.all([voidCertificate(context, HELMET, 'Wrong lab'), voidCertificate(context, HELMET, 'Wrong lab')]);
    expect((await productOf(context, '8'))!).toMatchObject({ current: { status: 'voided', voidReason: 'Wrong lab' } });
    expect((await loadProductCertificate(context, HELMET)).state).toBe('voided');
    const id = await issued(context, HELMET);
    expect(await harness.store.certificates.get(id)).toMatchObject({ status: 'complete', supersedes: null });
    expect((await productOf(context, '8'))!.history.map(({ event }) => event)).toEqual(['issued', 'voided', 'issued']);
    expect((await certificatePdf(context, old))?.status).toBe(200);
  });

  it('shows a certificate as voided after the operator voids it', async () => {
    const context = await open(sampleShop('outside'));
    const id = await issued(context, HELMET);
    await harness.store.certificates.void(id, { reason: 'Recalled', actor: 'operator' });
    expect((await productOf(context, '8'))!.current).toMatchObject({ status: 'voided', voidReason: 'Recalled' });
    expect((await loadProductCertificate(context, HELMET)).state).toBe('voided');
  });

  it('allows access to a certificate only from the shop that issued it', async () => {
    const context = await open(sampleShop('mine'));
    const other = await open(sampleShop('theirs'));
    const id = await issued(context, HELMET);
    expect((await certificatePdf(context, id))?.headers.get('content-type')).toBe('application/pdf');
    expect(await certificatePdf(other, id)).toBeNull();
    expect(await certificatePdf(context, 'no-such')).toBeNull();
    expect(await voidCertificate(other, HELMET, 'Mine now')).toEqual({ faults: { reason: 'nothing_to_void' } });
    expect(await issueDraft(other, HELMET, id, SIGNED)).toEqual({ refused: 'gone' });
    // A draft with the ID of another shop's certificate can't overwrite that certificate.
    await other.merchant.shop.productCertificates.saveDraft(HELMET, { id, fields: FILLED, fromEarlier: false });
    await expect(issueDraft(other, HELMET, id, SIGNED)).rejects.toMatchObject({ code: 'certificate_exists' });
    expect((await productOf(other, '8'))!.current).toBeNull();
  });
});

describe('untrusted product titles', () => {
  it('renders untrusted product titles as plain text in the PDF and CSV', async () => {
    const context = await open(hostileShop('harm'));
    for (const product of ['1', '2', '3', '4', '6', '8']) {
      const gid = productGid(product);
      await startDraft(context, gid);
      const { fields } = await draftOf(context, gid);
      const info = { ...FILLED.product_info, name: fields.product_info!.name };
      const id = await issued(context, gid, { ...FILLED, product_info: info });
      const pdf = Buffer.from(await (await certificatePdf(context, id))!.arrayBuffer()).toString('latin1');
      expect(pdf).not.toMatch(/\/(JavaScript|JS|Launch|URI \(http:\/\/evil)/);
    }
    const csv = await exportCertificates(context).text();
    const rows: string[][] = parse(csv, { bom: true });
    expect(rows).toHaveLength(7);
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(csv).toContain("'=HYPERLINK");
  });
});

describe('certificates list', () => {
  it('filters products by certificate state, but searches products in every state', async () => {
    const context = await open(sampleShop('lists'));
    const { shop } = context.merchant;
    await issued(context, HELMET);
    await startDraft(context, BOLT);
    const view = (query: string) => certificatesOf(context, parseCertificatesQuery(new URLSearchParams(query)));
    expect((await view('')).counts).toEqual({ none: 38, draft: 1, issued: 1, voided: 0 });
    const { rows, next } = await view('');
    const { rows: more, next: end } = await view(`cursor=${next}`);
    expect([rows.length, more.length, end]).toEqual([25, 13, null]);
    expect(new Set([...rows, ...more].map(({ product }) => product)).size).toBe(38);
    expect((await view('state=issued')).rows).toMatchObject([{ product: '8', title: 'Bicycle helmet, adult' }]);
    expect((await view('q=BICYCLE%20HELM')).rows.map(({ status }) => status)).toContain('complete');
    expect((await view('state=draft&cursor=nonsense')).rows).toMatchObject([{ product: '1', status: 'draft' }]);
    await shop.variants.remove({ productId: HELMET });
    expect((await view('state=issued')).rows).toMatchObject([{ product: '8', title: null }]);
  });
});

describe('product search', () => {
  it('lists each product once, even if its variants span two pages', async () => {
    const fakeShop = sampleShop('searched');
    const [variant] = fakeShop.products[20]!.variants;
    fakeShop.products[20]!.variants = Array.from({ length: 10 }, (_, at) => ({
      ...{ ...variant!, id: gid('ProductVariant', 9_000 + at), title: `No. ${at}` },
    }));
    const context = await open(fakeShop);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = new URLSearchParams({ q: 'SKU-', ...(cursor && { cursor }) });
      const { rows, next } = await certificatesOf(context, parseCertificatesQuery(query));
      found.push(...rows.map(({ product }) => product));
      cursor = next;
    }
    expect(found.length).toBe(40);
    expect(new Set(found).size).toBe(40);
  });
});

describe('rule search', () => {
  it('finds rules by number or text, and lists rules for the certificate’s kind first', () => {
    expect(searchRules('1203', 'GCC')[0]?.citation).toBe('16 CFR 1203');
    expect(searchRules('bicycle HELM', 'GCC')[0]?.citation).toBe('16 CFR 1203');
    expect(searchRules('zzz', 'GCC')).toEqual([]);
    for (const kind of ['GCC', 'CPC'] as const) {
      const suit = searchRules('16 CFR 15', kind).map(({ certificates }) => certificates.includes(kind));
      expect(suit).toEqual(suit.toSorted((a, b) => Number(b) - Number(a)));
      expect(suit[0]).toBe(true);
    }
  });
});

describe('locale messages', () => {
  it('has an English message for every certificate warning code', () => {
    expect(Object.keys(english.warning).sort()).toEqual([...WARNING_CODES].sort());
  });
});
