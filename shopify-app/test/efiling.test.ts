import { type CodeList, importRow, type RegistryRow } from '@compliance/core/entry';
import { sampleShop } from '@compliance/fake-shopify';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EfilingResult } from '../src/certificates/efiling.ts';
import { FILLED } from '../src/certificates/testing/helmet.ts';
import { type AppHarness, startAppHarness } from './harness.ts';

/** List with one made-up citation code. */
const CODES: CodeList = { as_of: '2026-11-20', source: 'a made-up list', codes: { '16 CFR 1203': 'T1203' } };
const IDS = { certifier_id: 'CASCADE', product_id: 'SKU-8-1', version_id: '2026-1', manufacturer_alternate_id: 'V-1' };
const NEW = { manufacturer_is_new: false, lab_is_new: true, records_contact_is_new: false };
const REGISTERED = {
  ...FILLED,
  manufacturer: { ...FILLED.manufacturer, postal_code: '518057' },
  testing_lab: { ...FILLED.testing_lab, accreditation_id: 'A-1' },
  efiling: { ...IDS, ...NEW },
};

let harness: AppHarness;
let own: string;
let other: string;
let complete: string;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 0 });
  own = await add('efiling');
  other = await add('efiling-other');
  complete = await issued(8, REGISTERED);
});
afterAll(() => harness?.close());

/** Installs the app in a shop. Returns the shop's domain. */
async function add(name: string): Promise<string> {
  const shop = sampleShop(name);
  await harness.fakeShopify.add(shop);
  expect((await harness.visit(shop.domain)).status).toBe(200);
  return shop.domain;
}

const PRODUCT = 'routes/app.certificates.$product';
const post = (
  domain: string,
  path: string,
  route: string,
  body: URLSearchParams | FormData,
  headers: Record<string, string> = {},
) => harness.askAs(domain, `${path}?_data=${encodeURIComponent(route)}`, { method: 'POST', body, headers });

/** Issues a certificate for a product in the first shop. Returns the certificate's ID. */
async function issued(product: number, fields: object): Promise<string> {
  const send = (form: Record<string, string>) =>
    post(own, `/app/certificates/${product}`, PRODUCT, new URLSearchParams(form));
  await send({ intent: 'begin' });
  const { productCertificates } = harness.store.shop(own);
  const { id } = (await productCertificates.get(`gid://shopify/Product/${product}`)).draft as { id: string };
  const signature = { name: 'R. Keeper', title: '', agreed: 'true' };
  const response = await send({ intent: 'issue', draft: id, fields: JSON.stringify(fields), ...signature });
  expect(await response.json()).toMatchObject({ issued: { issued: id } });
  return id;
}

function request(
  domain: string,
  id: string,
  target: string,
  codes?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  form.set('target', target);
  if (codes !== undefined) form.set('codes', new File([codes], 'codes.json'));
  const route = 'routes/app.certificates-efiling.$certificate';
  return post(domain, `/app/certificates-efiling/${id}`, route, form, headers);
}

async function exported(id: string, target: string, codes?: string | Uint8Array<ArrayBuffer>): Promise<EfilingResult> {
  const response = await request(own, id, target, codes);
  expect(response.status).toBe(200);
  return (await response.json()) as EfilingResult;
}

const rowsOf = (csv: string) => parse(csv, { columns: true, relax_column_count: false }) as RegistryRow[];

describe('eFiling data for an issued certificate', () => {
  it('exports a CSV file that the Registry import can read', async () => {
    const { data, fault } = await exported(complete, 'registry_csv', `// Our codes\n${JSON.stringify(CODES)}`);
    expect([fault, data?.filename, data?.gaps]).toEqual([null, 'registry.csv', []]);
    expect(data!.notes.join()).toContain('from your list dated 2026-11-20 (a made-up list)');
    const rows = rowsOf(data!.content!);
    expect(rows).toHaveLength(1);
    expect(importRow(rows[0]!, CODES).request).toMatchObject({
      product_info: { name: FILLED.product_info.name, sku: FILLED.product_info.sku, date_of_manufacture: '2026-09' },
      manufacturer: { name: FILLED.manufacturer.name, city: 'Shenzhen', country: 'CN', postal_code: '518057' },
      testing_lab: { name: FILLED.testing_lab.name, accreditation_id: 'A-1', test_date: '2026-09-20' },
      cpsc_rules_cited: ['16 CFR 1203'],
      records_contact: { name: FILLED.records_contact.position, email: FILLED.records_contact.email },
      efiling: { product_id: 'SKU-8-1', version_id: '2026-1', ...NEW },
    });
  });

  it('exports the FedEx reference message even without a list of citation codes', async () => {
    const { data } = await exported(complete, 'fedex_reference');
    const { commodities } = JSON.parse(data!.content!).requestedShipment.customsClearanceDetail;
    expect(commodities[0].regulatoryDetails[0].details.referenceMessageSet).toEqual({
      ...{ certifierId: 'CASCADE', productVersion: '2026-1' },
    });
    expect(data!.notes).not.toEqual([]);
  });

  it('exports no CSV content if the list of citation codes is missing or lacks a cited rule’s code', async () => {
    const unlisted = JSON.stringify({ ...CODES, codes: { '16 CFR 1512': 'T1512' } });
    for (const codes of [undefined, unlisted]) {
      const { data } = await exported(complete, 'registry_csv', codes);
      expect(data?.content).toBeNull();
      expect(data?.gaps.map(({ path }) => path)).toContain('codes');
    }
  });

  it('describes missing values and notes in the merchant’s language', async () => {
    const response = await request(own, complete, 'registry_csv', undefined, { 'Accept-Language': 'de-DE,de;q=0.9' });
    const { data } = (await response.json()) as EfilingResult;
    expect(data!.gaps).toEqual([
      {
        path: 'codes',
        message: 'Eine Liste der Citation Codes mit dem Code jeder geprüften Vorschrift ist erforderlich',
      },
    ]);
    expect(data!.notes).toEqual([expect.stringContaining('Wir konnten die Vorlage der CPSC nicht lesen.')]);
  });

  it.each([
    ['registry_csv', 'manufacturer.postal_code', 1, { manufacturer: FILLED.manufacturer }],
    ['registry_csv', 'testing_lab.accreditation_id', 2, { testing_lab: FILLED.testing_lab }],
    ['registry_csv', 'efiling.lab_is_new', 3, { efiling: { ...IDS, ...NEW, lab_is_new: '' } }],
    ['fedex_reference', 'efiling.certifier_id', 4, { efiling: { ...IDS, certifier_id: '' } }],
  ])('exports no content for %s if %s is missing, and reports the field', async (target, path, product, change) => {
    const id = await issued(product, { ...REGISTERED, ...change });
    const { data } = await exported(id, target, JSON.stringify(CODES));
    expect(data).toMatchObject({ content: null, gaps: [{ path }] });
    expect(data!.gaps).toHaveLength(1);
    expect(data!.gaps[0]!.message).not.toBe('');
  });

  it('doesn’t export data for another shop, for an unknown certificate, or for a target without certificate data', async () => {
    for (const [domain, id, target] of [
      [other, complete, 'fedex_reference'],
      [own, 'no-such', 'fedex_reference'],
      [own, complete, 'fedex_disclaim'],
      [own, complete, 'easypost'],
    ] as const) {
      const response = await request(domain, id, target);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toMatch(/Pacific|Velora|CASCADE/);
    }
  });

  it('doesn’t export data for a voided certificate', async () => {
    const id = await issued(5, REGISTERED);
    const reason = new URLSearchParams({ intent: 'void', reason: 'Wrong laboratory' });
    await post(own, '/app/certificates/5', PRODUCT, reason);
    expect(await exported(id, 'fedex_reference')).toMatchObject({ fault: { code: 'ended' }, data: null });
  });
});

describe('an uploaded list of citation codes', () => {
  const json = (changes: object) => JSON.stringify({ ...CODES, ...changes });

  it.each<[string, string | Uint8Array<ArrayBuffer>, object]>([
    ['is empty', '', { code: 'not_json' }],
    ['isn’t JSON', 'Rule,Code\n16 CFR 1203,T1203', { code: 'not_json' }],
    ['isn’t in UTF-8', new Uint8Array([0x22, 0xff, 0x22]), { code: 'not_json' }],
    ['is nested too deeply', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, { code: 'not_json' }],
    ['consists of blank lines', '\n'.repeat(60_000), { code: 'not_json' }],
    ['is a list of rules', '["16 CFR 1203"]', { code: 'not_a_list' }],
    ['has unknown fields', json({ note: 'x' }), { code: 'not_a_list' }],
    ['has no date', json({ as_of: undefined }), { code: 'invalid_value', path: 'as_of' }],
    ['has an invalid date', json({ as_of: '11/20/2026' }), { code: 'invalid_value', path: 'as_of' }],
    ['has an empty code', json({ codes: { '16 CFR 1203': '' } }), { code: 'invalid_value', path: 'codes.16 CFR 1203' }],
    ['is too large', `${JSON.stringify(CODES)}${' '.repeat(64 * 1024)}`, { code: 'too_large' }],
  ])('rejects a list that %s, and reports the reason', async (_, content, fault) => {
    expect(await exported(complete, 'registry_csv', content)).toMatchObject({ fault, data: null });
  });

  it('prevents citation codes from adding formulas or columns to the CSV file', async () => {
    const codes = { '16 CFR 1203': '=HYPERLINK("https://evil.example")\r\n,1' };
    const { data } = await exported(complete, 'registry_csv', json({ codes }));
    const rows = rowsOf(data!.content!);
    expect(rows).toHaveLength(1);
    expect(rows[0]!['Lab 1 Citation Codes']).toBe(`'${codes['16 CFR 1203']}`);
  });

  it('prevents an uploaded list from replacing an object’s prototype', async () => {
    const hostile = JSON.stringify(CODES).replace('"codes":{', '"codes":{"__proto__":{"16 CFR 1203":"T1"},');
    const result = await exported(complete, 'registry_csv', hostile);
    expect(result.data?.content ?? '').not.toContain('T1,');
    expect(({} as Record<string, unknown>)['16 CFR 1203']).toBeUndefined();
  });
});
