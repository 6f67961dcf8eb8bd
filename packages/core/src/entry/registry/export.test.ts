import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { InvalidRequest } from '../request/issues.ts';
import { bunkBedRequest, pajamaRequest, toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { familyRequest } from '../samples/variants.ts';
import { parseCodeList } from './codes.ts';
import { REQUIRED_COLUMNS, registryExport } from './export.ts';
import { importRow } from './import.ts';
import { codes, efiling, readRow } from './testing/samples.ts';

const samples: Record<string, object> = {
  helmet: completeRequest,
  toy: toyRequest,
  pajama: pajamaRequest,
  'bunk bed': bunkBedRequest,
};
const exported = (request: object, list: typeof codes | null = codes) =>
  registryExport(certificate(request, sampleContext), list);
const without = <Value extends object>(value: Value, ...keys: (keyof Value)[]) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as keyof Value)));
const toy = { ...toyRequest, efiling };

/** For each required column, the toy request without the fields that provide the column's value. */
const INCOMPLETE: Readonly<Record<string, object>> = {
  'New Version ID': { ...toy, efiling: without(efiling, 'version_id') },
  'Primary Product ID': {
    ...toy,
    ...{ efiling: without(efiling, 'product_id'), product_info: without(toy.product_info, 'model') },
  },
  'Product Name (Model)': { ...toy, product_info: without(toy.product_info, 'name') },
  'Manufacturer Is New?': { ...toy, efiling: without(efiling, 'manufacturer_is_new') },
  'Manufacturer Alternate ID': { ...toy, efiling: without(efiling, 'manufacturer_alternate_id') },
  'Manufacturer Name': { ...toy, manufacturer: without(toy.manufacturer, 'name') },
  'Manufacturer Address Line 1': { ...toy, manufacturer: without(toy.manufacturer, 'address') },
  'Manufacturer City': { ...toy, manufacturer: without(toy.manufacturer, 'city') },
  'Manufacturer Country': { ...toy, manufacturer: without(toy.manufacturer, 'country') },
  'Manufacturer Zip/Postal Code': { ...toy, manufacturer: without(toy.manufacturer, 'postal_code') },
  'Manufacturer Phone': { ...toy, manufacturer: without(toy.manufacturer, 'phone') },
  'Manufacturer Email': { ...toy, manufacturer: without(toy.manufacturer, 'contact_email') },
  'Manufacture Date': { ...toy, product_info: without(toy.product_info, 'date_of_manufacture') },
  'Last Test Date': { ...toy, testing_lab: without(toy.testing_lab, 'test_date'), tests: [] },
  'Lab 1 Type': without(toy, 'testing_lab', 'tests'),
  'Lab 1 Is New?': { ...toy, efiling: without(efiling, 'lab_is_new') },
  'Point of Contact (POC) for Test Result Records': without(toy, 'records_contact'),
  'POC Is New?': { ...toy, efiling: without(efiling, 'records_contact_is_new') },
};

/** Returns the fields that validation or the export reports as missing. */
function pathsNamed(request: object, list: typeof codes | null = codes): string[] {
  try {
    const { rows, gaps } = exported(request, list);
    expect(rows).toBeNull();
    return gaps.map(({ path }) => path);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.issues.map(({ path }) => path);
    throw error;
  }
}

describe('registryExport', () => {
  it.each(Object.entries(samples))('returns a complete row for the %s request with eFiling values', (_, request) => {
    const { rows, gaps } = exported({ ...request, efiling });
    expect(gaps).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(readRow(rows![0]!)['New Version ID']).toBe('V-1');
  });

  it.each(Object.entries(samples))('exports the same row again after importing the %s request’s row', (_, request) => {
    const { rows } = exported({ ...request, efiling });
    const { request: imported } = importRow(readRow(rows![0]!), codes);
    expect(exported(imported)).toMatchObject({ rows, gaps: [] });
  });

  it.each(REQUIRED_COLUMNS.filter(([column]) => column !== 'Lab 1 Citation Codes'))(
    'omits a row that has no value for %s, and reports the field %s',
    (column, path) => {
      const named = path === 'manufacturer.street' ? 'manufacturer.address' : path;
      const paths = pathsNamed(INCOMPLETE[column]!);
      expect(paths.some(each => each === path || each === named)).toBe(true);
    },
  );

  it('requires every citation code to be on the supplied list', () => {
    const stated = { ...toyRequest, efiling: { ...efiling, citation_codes: ['T1250'] } };
    const { rows, gaps } = exported(stated, null);
    expect(rows).toBeNull();
    expect(gaps).toEqual([
      {
        column: 'Lab 1 Citation Codes',
        path: 'codes',
        message: 'Provide a list of citation codes that covers every tested rule',
      },
    ]);
    expect(exported(stated).gaps).toEqual([]);
    const unlisted = exported({ ...toyRequest, efiling: { ...efiling, citation_codes: ['T1250', 'X1'] } });
    expect(unlisted.gaps.map(({ path, message }) => [path, message])).toEqual([
      ['efiling.citation_codes', 'The code list doesn’t contain code X1'],
    ]);
  });

  it('doesn’t return a row if the code list lacks a code, a value is too long, or a fact has no column', () => {
    const few = parseCodeList({ ...codes, codes: { '16 CFR 1250': 'T1250' } });
    expect(exported(toy, few).gaps.map(({ message }) => message)).toContain(
      'The code list doesn’t contain a code for 16 CFR 1303',
    );
    const long = { ...toyRequest.product_info, brand: 'x'.repeat(51) };
    expect(exported({ ...toy, product_info: long }).gaps.map(({ message }) => message)).toEqual([
      'Trade/Brand Name can have at most 50 characters',
    ]);
    const excluded = { exclusions: [{ rule: '16 CFR 1307', basis: '16 CFR 1308.2' }] };
    expect(exported({ ...toy, ...excluded }).gaps.map(({ path }) => path)).toEqual(['exclusions']);
    const labs = { other_labs: [{ name: 'Lab 2', cpsc_lab_id: '2222' }, { name: 'Lab 3' }] };
    expect(exported({ ...toy, ...labs }).gaps.map(({ path }) => path)).toEqual(['other_labs.1']);
    const { lot_assigned_by: _, ...unassigned } = efiling;
    expect(exported({ ...toy, efiling: unassigned }).gaps.map(({ path }) => path)).toEqual(['efiling.lot_assigned_by']);
    const { cpsc_lab_id: __, ...unlisted } = toyRequest.testing_lab;
    expect(exported({ ...toy, testing_lab: unlisted }).gaps.map(({ path }) => path)).toContain(
      'testing_lab.accreditation_id',
    );
  });

  it('returns a row for each variant, with the variant’s own identifiers', () => {
    const { product_id: _, ...shared } = efiling;
    const { rows, gaps } = exported({ ...familyRequest, efiling: shared });
    expect(gaps).toEqual([]);
    expect(rows).toHaveLength(familyRequest.product_info.variants!.length);
    expect(readRow(rows![1]!)).toMatchObject({
      'Primary Product ID': 'RB-200-1-M',
      'Primary Product ID Type': 'SKU',
      'Product Name (Model)': 'Road Bicycle Helmet, Matte black, size M',
      GTIN: '',
    });
    expect(exported({ ...familyRequest, efiling }).gaps).toEqual([
      {
        column: 'Primary Product ID',
        path: 'efiling.product_id',
        message: 'Each variant needs its own product ID, but several have P-1',
      },
    ]);
    const variants = [{ sku: 'S1', name: 'x'.repeat(250) }];
    const long = { ...familyRequest, efiling: shared, product_info: { ...familyRequest.product_info, variants } };
    expect(exported(long).gaps.map(({ path }) => path)).toEqual(['product_info.variants.0.name']);
  });

  it('writes the report, URL, and component that all of a laboratory’s tests share, and lists the fields that differ', () => {
    const [test] = completeRequest.tests;
    const request = {
      ...completeRequest,
      efiling,
      tests: [{ ...test, component: 'Shell' }],
    };
    expect(readRow(exported(request).rows![0]!)).toMatchObject({
      'Lab 1 Test Report ID': 'PTL-26-08817',
      'Lab 1 Test URL': 'https://reports.pacifictest.example/26-08817',
      'Lab 1 Is Component?': 'Y',
      'Lab 1 Component Description': 'Shell',
    });
    const mixed = exported({ ...request, tests: [...request.tests, { ...test, component: 'Strap' }] });
    expect(readRow(mixed.rows![0]!)).toMatchObject({ 'Lab 1 Is Component?': '', 'Lab 1 Component Description': '' });
    expect(mixed.notes.at(-1)).toContain('tests.component');
  });

  it('returns notes with the code list’s date and the facts that couldn’t be confirmed', () => {
    const { notes } = exported(toy);
    expect(notes.join('\n')).toContain('your list dated 2026-11-20');
    expect(notes.join('\n')).toContain('We didn’t have access to CPSC’s own template.');
    expect(notes.at(-1)).toContain('Omitted from the row, in whole or in part: ');
  });

  it('warns that a certificate without an attestation is a draft, and that one without a certifier is incomplete', () => {
    const { attestation: _, ...draft } = toy;
    expect(exported(draft).notes[0]).toContain('This certificate is a draft');
    const { certifier: __, ...incomplete } = toy;
    expect(exported(incomplete).notes[0]).toContain('This certificate is incomplete');
    expect(exported(toy).notes.join()).not.toContain('This certificate is');
  });
});
