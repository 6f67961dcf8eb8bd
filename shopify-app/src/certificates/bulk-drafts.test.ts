import { sampleShop } from '@compliance/fake-shopify';
import type { NewVariant } from '@compliance/store/shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { bulkDraftsOf, createDrafts } from './bulk-drafts.ts';
import { checkDraft, readDraft } from './draft.ts';
import { deleteProfile, profilesOf, saveProfile } from './profiles.ts';
import { FILLED } from './testing/helmet.ts';

const { product_info, ...shared } = FILLED;

/** Report on a file without problems: every list is empty. */
const nothing = { unknown: [], repeated: [], invalid: [], dropped: [], assumed: [] };

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

const variantOf = (number: number): NewVariant => ({
  ...{ variantId: `gid://shopify/ProductVariant/${number}`, productId: `gid://shopify/Product/${number}` },
  ...{ productTitle: `Helmet ${number}`, variantTitle: 'Default Title', sku: `HELMET-${number}`, origin: 'CN' },
  ...{ htsCode: null, digits: 'missing', status: 'missing', answer: {}, listVersion: 'v1' },
});

async function open(name: string, products: number) {
  const shop = await harness.install(sampleShop(name));
  await shop.variants.upsert(
    'run',
    Array.from({ length: products }, (_, index) => variantOf(index + 1)),
  );
  const profile = async (title: string, fields: object) => {
    const saved = await saveProfile(shop, { id: '', name: title, fields: JSON.stringify(fields) });
    return 'id' in saved ? saved.id : '';
  };
  const create = (id: string, csv: string | null, codes: string | null = null) =>
    createDrafts(harness.app.offlineContext(shop.domain), id, {
      products: csv === null ? null : new TextEncoder().encode(csv),
      codes: codes === null ? null : new Blob([codes]),
    });
  const draft = async (product: number) =>
    readDraft((await shop.productCertificates.get(`gid://shopify/Product/${product}`)).draft);
  return { shop, profile, create, draft };
}

describe('drafts for many products', () => {
  it('uses two profiles to create 200 drafts that lack only the attestation', async () => {
    const { shop, profile, create, draft } = await open('drafts', 200);
    const profiles = [
      await profile('Asia', shared),
      await profile('Europe', { ...shared, testing_lab: { ...shared.testing_lab, name: 'Lyon Lab' } }),
    ];
    const { description, date_of_manufacture, place_of_manufacture } = product_info;
    const rows = (from: number) =>
      Array.from(
        { length: 100 },
        (_, index) => `HELMET-${from + index},"${description}",${date_of_manufacture},"${place_of_manufacture}"`,
      );
    const head = 'SKU,Description,Date of manufacture,Place of manufacture';
    for (const [index, id] of profiles.entries())
      expect(await create(id, [head, ...rows(index * 100 + 1)].join('\n'))).toEqual({
        ...{ created: 100, skipped: 0, ...nothing },
      });
    expect(await shop.productCertificates.counts()).toMatchObject({ draft: 200, none: 0 });
    const [first, last] = [(await draft(1))!, (await draft(200))!];
    expect(first.fields).toMatchObject({ product_info: { name: 'Helmet 1', sku: 'HELMET-1', description } });
    expect(last.fields).toMatchObject({ testing_lab: { name: 'Lyon Lab' } });
    for (const each of [first, last])
      expect(checkDraft(each, { clock: () => Date.parse('2026-11-01'), acceptedLabs: null })).toMatchObject({
        issues: [],
        missing: [],
      });
  });

  it('creates drafts for all products without a certificate, and never changes an existing draft', async () => {
    const { shop, profile, create, draft } = await open('drafts-all', 3);
    const id = await profile('All', shared);
    await shop.productCertificates.saveDraft('gid://shopify/Product/2', { mine: true });
    expect(await create(id, null)).toEqual({ created: 2, skipped: 0, ...nothing });
    expect(await create(id, 'Product ID\n1\n2\n3')).toEqual({ created: 0, skipped: 3, ...nothing });
    expect((await shop.productCertificates.get('gid://shopify/Product/2')).draft).toEqual({ mine: true });
    expect((await draft(1))!.fields).toMatchObject({ certifier: shared.certifier });
    expect((await bulkDraftsOf(shop)).without).toBe(0);
  });

  it('prefers the values in a product’s row to the values in the profile', async () => {
    const { profile, create, draft } = await open('drafts-row', 1);
    const id = await profile('Row', shared);
    await create(id, 'SKU;Test date;Rules\nHELMET-1;2026-10-02;"16 CFR 1203; 16 CFR 1303"');
    expect((await draft(1))!.fields).toMatchObject({
      testing_lab: { name: shared.testing_lab.name, test_date: '2026-10-02' },
      cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1303'],
    });
  });

  it('reports rows whose product is unknown or ambiguous, and files that can’t be read', async () => {
    const { shop, profile, create } = await open('drafts-faults', 2);
    const id = await profile('Faults', shared);
    await shop.variants.upsert('run', [
      { ...variantOf(2), sku: 'SHARED' },
      { ...variantOf(1), sku: 'SHARED' },
    ]);
    expect(await create(id, 'SKU\nHELMET-9\nSHARED')).toEqual({
      ...{ created: 0, skipped: 0, ...nothing },
      unknown: [
        { line: 2, product: 'HELMET-9' },
        { line: 3, product: 'SHARED' },
      ],
    });
    expect(await create(id, 'Title\nx')).toEqual({ fault: 'no_key' });
    expect(await create(id, '')).toEqual({ fault: 'empty' });
    expect(await create('unknown', null)).toEqual({ fault: 'no_profile' });
  });

  it('reports rows that repeat a product, and rows with more cells than the header', async () => {
    const { profile, create, draft } = await open('drafts-repeated', 2);
    const id = await profile('Repeated', shared);
    expect(await create(id, 'SKU,Model\nHELMET-1,A\n\nHELMET-1,B\nHELMET-2,A,B')).toEqual({
      ...{ created: 1, skipped: 0, ...nothing },
      repeated: [{ line: 4, product: 'HELMET-1' }],
      invalid: [{ line: 5, column: 'Model' }],
    });
    expect((await draft(1))!.fields).toMatchObject({ product_info: { model: 'A' } });
    expect(await draft(2)).toBeNull();
  });
});

describe('certificate profiles', () => {
  it('saves only fields that products can share, and sorts profiles by name in natural order', async () => {
    const { shop, profile } = await open('profiles', 0);
    for (const name of ['Lab 10', 'Lab 2']) await profile(name, FILLED);
    const profiles = profilesOf(await shop.record());
    expect(profiles.map(({ name }) => name)).toEqual(['Lab 2', 'Lab 10']);
    expect(Object.keys(profiles[0]!.fields)).not.toContain('product_info');
    const { id } = profiles[0]!;
    await saveProfile(shop, { id, name: 'Lab 3', fields: '{}' });
    await deleteProfile(shop, profiles[1]!.id);
    expect(profilesOf(await shop.record())).toEqual([{ id, name: 'Lab 3', fields: {} }]);
  });

  it('rejects a profile without a name or with invalid fields', async () => {
    const { shop } = await open('profiles-faults', 0);
    expect(await saveProfile(shop, { id: '', name: ' ', fields: '{}' })).toEqual({ fault: 'name' });
    expect(await saveProfile(shop, { id: '', name: 'x', fields: '[' })).toEqual({ fault: 'fields' });
  });

  it('doesn’t show a profile to another shop', async () => {
    const [one, two] = [await open('profiles-one', 0), await open('profiles-two', 1)];
    const id = await one.profile('Mine', shared);
    expect(profilesOf(await two.shop.record())).toEqual([]);
    expect(await two.create(id, null)).toEqual({ fault: 'no_profile' });
  });
});

describe('createDrafts with a Product Registry file', () => {
  const codes = JSON.stringify({ as_of: '2026-11-20', source: 'Our list', codes: { '16 CFR 1203': 'T1203' } });
  const head = 'Product Name (Model),SKU,Manufacture Date,Lab 1 Name,Lab 1 Citation Codes';

  it('requires the merchant’s list of citation codes', async () => {
    const { profile, create } = await open('registry-codes', 1);
    const id = await profile('Registry', shared);
    expect(await create(id, `${head}\nRoad helmet,HELMET-1,09/2026,Pacific Labs,T1203`)).toEqual({ fault: 'no_codes' });
    expect(await create(id, `${head}\nRoad helmet,HELMET-1,09/2026,Pacific Labs,T1203`, '{}')).toEqual({
      codes: { code: 'invalid_value', path: 'as_of' },
    });
  });

  it('creates drafts, and reports skipped rows, dropped columns, and assumed values', async () => {
    const { profile, create, draft } = await open('registry', 4);
    const id = await profile('Registry', shared);
    const csv = [
      `${head},Manufacturer City,Product/Model Color,__proto__`,
      '"Road\nhelmet",HELMET-1,09/2026,Pacific Labs,T1203,Shenzhen,red,x',
      'City helmet,HELMET-2,soon,Pacific Labs,T1203,,,',
      '',
      'Unknown helmet,,09/2026,Pacific Labs,T1203,,,',
      'Road helmet L,HELMET-1,08/2026,Other Labs,T1203,,,',
      'Kids helmet,HELMET-3,13/2026,Pacific Labs,T1203,,,',
      'Ski helmet,HELMET-4,09/2026,Pacific Labs,T1203,,,,lost',
      'Ski helmet,HELMET-4',
    ].join('\n');
    expect(await create(id, csv, codes)).toEqual({
      ...{ created: 1, skipped: 0 },
      unknown: [{ line: 6, product: 'Unknown helmet' }],
      repeated: [{ line: 7, product: 'HELMET-1' }],
      invalid: [
        { line: 4, column: 'Manufacture Date' },
        { line: 8, column: 'Manufacture Date' },
        { line: 9, column: '__proto__' },
        { line: 10, column: 'Manufacture Date' },
      ],
      dropped: ['Product/Model Color', '__proto__'],
      assumed: ['product_info.place_of_manufacture', 'tests'],
    });
    expect((await draft(1))!.fields).toMatchObject({
      product_info: { sku: 'HELMET-1', date_of_manufacture: '2026-09' },
      testing_lab: { name: 'Pacific Labs' },
      cpsc_rules_cited: ['16 CFR 1203'],
      certifier: shared.certifier,
    });
    for (const number of [2, 3, 4]) expect(await draft(number)).toBeNull();
  });

  it('rejects two columns with the same name instead of choosing one of them', async () => {
    const { profile, create, draft } = await open('registry-columns', 2);
    const id = await profile('Registry', shared);
    const twice = `${head},SKU\nRoad helmet,HELMET-1,09/2026,Pacific Labs,T1203,HELMET-2`;
    expect(await create(id, twice, codes)).toEqual({ fault: 'columns' });
    expect(await create(id, 'SKU,Model,model\nHELMET-1,A,B')).toEqual({ fault: 'columns' });
    for (const number of [1, 2]) expect(await draft(number)).toBeNull();
  });
});
