import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { bunkBedRequest, pajamaRequest, toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { parseCodeList } from './codes.ts';
import { REGISTRY_COLUMNS } from './columns.ts';
import { registryExport } from './export.ts';
import { type RegistryRow, requestOfRow } from './import.ts';
import { readLine } from './testing/read-line.ts';

const codes = parseCodeList({
  as_of: '2026-11-20',
  source: 'a list that we made up for this test',
  codes: {
    ...{ '16 CFR 1203': 'T1203', '16 CFR 1250': 'T1250', '16 CFR 1303': 'T1303', '16 CFR 1307': 'T1307' },
    ...{ '16 CFR 1501': 'T1501', '16 CFR 1513': 'T1513', '16 CFR 1615': 'T1615', '15 U.S.C. 1278a': 'T1278A' },
  },
});
const efiling = {
  ...{ product_id: 'P-1', version_id: 'V-1', manufacturer_alternate_id: 'M-1', lot_assigned_by: 'manufacturer' },
  ...{ manufacturer_is_new: true, lab_is_new: false, records_contact_is_new: false },
};
const samples: Record<string, object> = {
  helmet: completeRequest,
  toy: toyRequest,
  pajama: pajamaRequest,
  'bunk bed': bunkBedRequest,
};
const exported = (request: object, list: typeof codes | null = codes) =>
  registryExport(certificate(request, sampleContext), list);
const readRow = (row: string): RegistryRow => {
  const values = readLine(row);
  return Object.fromEntries(REGISTRY_COLUMNS.map((column, at) => [column, values[at]]));
};

describe('registryExport', () => {
  it.each(Object.entries(samples))('returns a complete row for the %s request with eFiling values', (_, request) => {
    const { row, gaps } = exported({ ...request, efiling });
    expect(gaps).toEqual([]);
    expect(readRow(row!)['New Version ID']).toBe('V-1');
  });

  it.each(Object.entries(samples))(
    'returns the same row after the %s request’s row is imported and exported again',
    (_, request) => {
      const { row } = exported({ ...request, efiling });
      const imported = requestOfRow(readRow(row!), codes);
      expect(exported(imported)).toMatchObject({ row, gaps: [] });
    },
  );

  it.each([
    ['New Version ID', 'efiling.version_id', { efiling: { ...efiling, version_id: undefined } }],
    [
      'Manufacturer Alternate ID',
      'efiling.manufacturer_alternate_id',
      { efiling: { ...efiling, manufacturer_alternate_id: undefined } },
    ],
    [
      'Manufacturer Is New?',
      'efiling.manufacturer_is_new',
      { efiling: { ...efiling, manufacturer_is_new: undefined } },
    ],
    ['Lab 1 Is New?', 'efiling.lab_is_new', { efiling: { ...efiling, lab_is_new: undefined } }],
    ['Lot Number Assigned By', 'efiling.lot_assigned_by', { efiling: { ...efiling, lot_assigned_by: undefined } }],
    ['POC Is New?', 'efiling.records_contact_is_new', { efiling: { ...efiling, records_contact_is_new: undefined } }],
    ['Manufacturer Phone', 'manufacturer.phone', { manufacturer: { ...toyRequest.manufacturer, phone: undefined } }],
    ['Point of Contact (POC) for Test Result Records', 'records_contact', { records_contact: undefined }],
  ])('doesn’t return a row if there’s no value for %s', (column, path, change) => {
    const { row, gaps } = exported({ ...toyRequest, efiling, ...change });
    expect(row).toBeNull();
    expect(gaps).toContainEqual(expect.objectContaining({ column, path }));
  });

  it('doesn’t return a row if the code list lacks a code, a value is too long, or a fact has no column', () => {
    const few = parseCodeList({ ...codes, codes: { '16 CFR 1250': 'T1250' } });
    expect(exported({ ...toyRequest, efiling }, few).gaps.map(({ message }) => message)).toContain(
      'The code list has no code for 16 CFR 1303',
    );
    const long = { ...toyRequest.product_info, brand: 'x'.repeat(51) };
    expect(exported({ ...toyRequest, efiling, product_info: long }).gaps.map(({ message }) => message)).toEqual([
      'Trade/Brand Name can have at most 50 characters',
    ]);
    const excluded = { exclusions: [{ rule: '16 CFR 1307', basis: '16 CFR 1308.2' }] };
    expect(exported({ ...toyRequest, efiling, ...excluded }).gaps.map(({ path }) => path)).toEqual(['exclusions']);
    const labs = { other_labs: [{ name: 'Lab 2', cpsc_lab_id: '2222' }, { name: 'Lab 3' }] };
    expect(exported({ ...toyRequest, efiling, ...labs }).gaps.map(({ path }) => path)).toEqual(['other_labs.1']);
  });

  it('returns notes with the date of the code list and the facts that couldn’t be confirmed', () => {
    const { notes } = exported({ ...toyRequest, efiling });
    expect(notes.join('\n')).toContain('your list dated 2026-11-20');
    expect(notes.join('\n')).toContain('We couldn’t read CPSC’s own template.');
    expect(
      exported({ ...toyRequest, efiling: { ...efiling, citation_codes: ['X'] } }, null).notes.join('\n'),
    ).toContain('from the request');
  });
});

describe('requestOfRow', () => {
  it('keeps a citation code that isn’t in the list, and rejects an invalid date', () => {
    const row: RegistryRow = {
      'Product Name (Model)': 'Toy',
      'Manufacture Date': '09/2026',
      'Lab 1 Citation Codes': 'Z9',
    };
    expect(requestOfRow(row, codes).cpsc_rules_cited).toEqual(['eFiling code Z9']);
    expect(() => requestOfRow({ ...row, 'Last Test Date': '2026-09-01' }, codes)).toThrow('Last Test Date: must be');
  });
});
