import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { REGISTRY_COLUMNS } from './columns.ts';
import { registryHeader, registryRow } from './row.ts';
import { readLine } from './testing/read-line.ts';

const rowOf = (request: object) => {
  const values = readLine(registryRow(certificate(request, sampleContext)));
  return Object.fromEntries(REGISTRY_COLUMNS.map((column, at) => [column, values[at]]));
};

describe('the Product Registry row', () => {
  it('has the template’s 83 columns in order', () => {
    expect(REGISTRY_COLUMNS).toHaveLength(83);
    expect(new Set(REGISTRY_COLUMNS).size).toBe(83);
    expect(readLine(registryHeader)).toEqual([...REGISTRY_COLUMNS]);
    expect(readLine(registryRow(certificate(SAMPLE_REQUEST, sampleContext)))).toHaveLength(83);
  });

  it('uses the Registry’s date formats, type codes, and country names', () => {
    expect(rowOf(completeRequest)).toMatchObject({
      'Certificate Type': 'GCC',
      'Primary Product ID': '00812345678901',
      'Primary Product ID Type': 'GTIN',
      'Manufacture Date': '09/2026',
      'Production Start Date': '09/14/2026',
      'Last Test Date': '08/30/2026',
      'Manufacturer Country': 'China',
      'Lab 1 Type': 'LAB',
      'Lab 1 Citation Codes': '',
      'Manufacturer Phone': '+86 755 5550 1234',
      'POC Name': 'Compliance manager',
      'POC Email': 'records@cascadecycle.example',
    });
  });

  it('contains the certificate type and the small batch registration', () => {
    const small_batch = { registration_id: 'SBM-77', year: 2026 };
    expect(rowOf({ ...toyRequest, small_batch })).toMatchObject({
      ...{ 'Certificate Type': 'CPC', 'Small Batch Manufacturer CPSC ID': 'SBM-77' },
      ...{ 'Lab 1 Type': 'ITL', 'Lab 1 CPSC-ID': '1234' },
    });
  });

  it('doesn’t contain the importer number', () => {
    expect(registryRow(certificate(completeRequest, sampleContext))).not.toContain('98-7654321');
  });

  it('never contains a spreadsheet formula and can be parsed back into the original values', () => {
    const start = fc.constantFrom('=', '+', '-', '@', '＝', '"', ',', 'a', '');
    fc.assert(
      fc.property(start, fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme-ascii' }), (first, rest) => {
        const name = `${first}${rest}`.trim();
        fc.pre(name !== '');
        const value = rowOf({ ...SAMPLE_REQUEST, product_info: { ...SAMPLE_REQUEST.product_info, name } })[
          'Product Name (Model)'
        ];
        const isFormula = /^[=+\-@＝]/.test(name) && !/^\+[\d\s().-]+$/.test(name);
        expect(value).toBe(isFormula ? `'${name}` : name);
      }),
      { numRuns: 500 },
    );
  });
});
