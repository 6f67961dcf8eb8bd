import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, startService } from '../testing/service.ts';
import efiling from './entry-gcc-efiling.ts';
import generate from './entry-gcc-generate.ts';
import operation from './entry-registry-read.ts';

const service = await startService();
let headers: Record<string, string>;
beforeAll(async () => {
  headers = { Authorization: `Bearer ${await service.issue('entry')}` };
});
afterAll(() => service.stop());

const call = async (body: unknown) => {
  const response = await service.post(operation.path, body, headers);
  return { status: response.status, body: await jsonBody(response) };
};
const read = async (body: unknown) => operation.response.parse((await call(body)).body);
const rowsOf = async (body: unknown) => (await read(body)).rows;
const { codes } = operation.examples[0]!.request;

const sample = efiling.examples[0]!.request.certificate as { manufacturer: object };
const address = { city: 'Shenzhen', country: 'CN', postal_code: '518057' };
/** A request with every value that the Registry requires. */
const registered = {
  ...sample,
  manufacturer: { ...sample.manufacturer, ...address, phone: '+86 755 5550 0100' },
  records_contact: {
    ...address,
    ...{ name: 'Li Wei', address: '88 Keyuan Road', phone: '+86 755 5550 0101', email: 'li@velo.example' },
  },
  efiling: {
    ...{ certifier_id: 'CASCADE-CYCLE', product_id: 'RB-200-M', version_id: '2026-1', lot_assigned_by: 'manufacturer' },
    ...{
      manufacturer_alternate_id: 'M-1',
      manufacturer_is_new: true,
      lab_is_new: false,
      records_contact_is_new: false,
    },
  },
};

/** Exports a certificate to a Product Registry file. */
async function exported(certificate: object): Promise<string> {
  const response = await service.post(efiling.path, { certificate, targets: ['registry_csv'], codes }, headers);
  const [target] = efiling.response.parse(await jsonBody(response)).targets;
  expect(target).toMatchObject({ status: 'ready', gaps: [] });
  return target!.content!;
}

/** A row of about 1,200 characters that results in a test for each of 200 citation codes. */
const MANY_TESTS = `Toy,${Array.from({ length: 200 }, (_, at) => `C${at}`).join(';')},https://lab.example/${'x'.repeat(200)}`;

describe('entry.registry.read', () => {
  it('returns requests that can be used to issue certificates and that export to an identical file', async () => {
    const csv = await exported(registered);
    const [row, ...others] = await rowsOf({ csv, codes });
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      ...{ line: 2, problems: [], dropped: [] },
      request: { product_info: { name: 'Road Bicycle Helmet' }, cpsc_rules_cited: ['16 CFR 1203'] },
    });
    const request = row!.request as { efiling: object };
    const again = { ...request, efiling: { ...request.efiling, certifier_id: registered.efiling.certifier_id } };
    expect(await exported(again)).toBe(csv);
    const issued = await service.post(generate.path, again, headers);
    expect(issued.status).toBe(200);
  });

  it('reports the line and column of an invalid value and still returns the other rows', async () => {
    const csv = await exported(registered);
    const [header, row] = csv.split('\r\n') as [string, string];
    const bad = row.replace(/\d\d\/\d{4}/, 'soon');
    const file = `${header},Color\r\n${bad},\r\n\r\n${row},red\r\n`;
    const { rows, unknown_columns } = await read({ csv: file, codes });
    expect(rows).toMatchObject([
      { line: 2, request: null, problems: [{ message: 'must be a date (MM/DD/YYYY) or a month (MM/YYYY)' }] },
      { line: 4, problems: [], dropped: [] },
    ]);
    expect(unknown_columns).toEqual([{ column: 'Color', rows: 1 }]);
  });

  it('keeps a citation code that isn’t in the list as an unknown rule', async () => {
    const [row] = await rowsOf({ csv: await exported(registered), codes: { ...codes, codes: {} } });
    expect(row!.request).toMatchObject({ cpsc_rules_cited: ['eFiling code T1203'] });
  });

  it.each([
    ['another file', 'sku,name\r\nA,B', 'has no column named Product Name (Model)'],
    ['invalid CSV', 'Product Name (Model)\r\n"Helmet', 'can’t be read'],
    ['a repeated column', 'Product Name (Model),GTIN,GTIN\r\nA,1,2', 'has two columns named GTIN'],
    [
      'a short file with a long result',
      ['Product Name (Model),Lab 1 Citation Codes,Lab 1 Test URL', ...Array(300).fill(MANY_TESTS)].join('\r\n'),
      'results in more than 10000000 characters of JSON',
    ],
    ['too many rows', `Product Name (Model)\r\n${'Helmet\r\n'.repeat(1_001)}`, 'has more than 1000 rows'],
  ])('rejects %s with a message that describes the problem', async (_, csv, message) => {
    const { status, body } = await call({ csv, codes });
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      { path: 'csv', code: 'INVALID_VALUE', message: expect.stringContaining(message) as string },
    ]);
  });
});
