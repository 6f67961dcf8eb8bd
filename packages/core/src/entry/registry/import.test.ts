import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { bunkBedRequest, pajamaRequest, toyRequest } from '../samples/childrens.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { REGISTRY_COLUMNS } from './columns.ts';
import { registryExport } from './export.ts';
import { importRow } from './import.ts';
import { codes, efiling, readRow } from './testing/samples.ts';

const lab2 = { name: 'L-22', accreditation_id: 'L-22', report_ids: ['R-22'] };
/** A helmet with components tested by two laboratories. */
const twoLabs = {
  ...completeRequest,
  other_labs: [lab2],
  cpsc_rules_cited: ['16 CFR 1203', '16 CFR 1303'],
  tests: [
    ...completeRequest.tests,
    { rule: '16 CFR 1303', lab_index: 1, test_date: '2026-08-30', report_id: 'R-22', component: 'Shell paint' },
  ],
};
const samples: Record<string, object> = {
  helmet: completeRequest,
  'two-laboratory': twoLabs,
  toy: toyRequest,
  pajama: pajamaRequest,
  'bunk bed': bunkBedRequest,
};

/** Sample fields that can't be fully restored from a Registry row. */
const NOT_RESTORED = [
  ...['age_grading', 'attestation', 'certifier', 'childrens_product', 'toy_standard'],
  ...['product_info.date_of_manufacture', 'testing_lab.type', 'tests.standard', 'tests.report_id'],
  ...['efiling.certifier_id', 'efiling.citation_codes', 'records_contact.position', 'records_contact.name'],
  ...['tests.lab_index', 'testing_lab.report_ids'],
];

/** Returns a request without the fields that a row can't restore. */
function restorable(request: object): unknown {
  const without = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map(each => without(each, path));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value)
      .map(([key, each]) => [key, each, path ? `${path}.${key}` : key] as const)
      .filter(([, , at]) => !NOT_RESTORED.includes(at));
    return Object.fromEntries(kept.map(([key, each, at]) => [key, without(each, at)]));
  };
  return without(request, '');
}

/** Returns a request's values by path, without list indexes in the paths. */
function leavesOf(value: unknown, path = '', into = new Map<string, Set<unknown>>()): Map<string, Set<unknown>> {
  if (typeof value !== 'object' || value === null) into.set(path, (into.get(path) ?? new Set()).add(value));
  else if (Array.isArray(value)) for (const each of value) leavesOf(each, path, into);
  else for (const [key, each] of Object.entries(value)) leavesOf(each, path ? `${path}.${key}` : key, into);
  return into;
}

const exported = (request: object) => registryExport(certificate(request, sampleContext), codes);

/** Exports a request and imports its row. `named` contains the fields that the row's notes list as omitted. */
function roundTrip(request: object) {
  const original = { ...request, efiling: { ...efiling, certifier_id: 'C-1' } };
  const { rows, notes } = exported(original);
  const named = /Omitted from the row, in whole or in part: (.+)\.$/.exec(notes.at(-1)!)![1]!.split(', ');
  return { original, named, ...importRow(readRow(rows![0]!), codes) };
}

describe('importRow', () => {
  it.each(Object.entries(samples))(
    'restores the %s request from its row, except for the fields that the row’s notes list',
    (_, request) => {
      const { original, named, request: imported, dropped } = roundTrip(request);
      expect(dropped).toEqual([]);
      expect(restorable(imported)).toEqual(restorable(original));
      expect(named).toEqual(expect.arrayContaining(['certifier', 'product_info.date_of_manufacture']));
      expect(named.filter(field => !NOT_RESTORED.includes(field))).toEqual([]);
    },
  );

  it('reports every value that isn’t in the request, with its column and the reason', () => {
    const row = Object.fromEntries(REGISTRY_COLUMNS.map(column => [column, `Value of ${column}`]));
    const dates = { 'Manufacture Date': '09/2026', 'Production Start Date': '09/01/2026' };
    const more = { 'Production End Date': '09/02/2026', 'Last Test Date': '08/30/2026', Notes: 'fragile' };
    const { request, dropped } = importRow({ ...row, ...dates, ...more } as object, codes);
    const columns = dropped.map(({ column }) => column);
    expect(columns).toEqual([
      ...[
        'Product Update',
        'Primary Product ID Type',
        'Certificate Type',
        'Product/Model Color',
        'Product/Model Style',
      ],
      ...['Manufacturer Is New?', 'Manufacturer GLN', 'Small Batch Manufacturer CPSC ID'],
      ...['Manufacturer Address Line 2', 'Manufacturer Apt/Suite Number', 'Lot Number Assigned By', 'Lab 1 Type'],
      ...['Lab 1 Is New?', 'Lab 1 GLN', 'Lab 1 Address Line 2', 'Lab 1 Apt/Suite Number'],
      ...['Lab 1 Test Report Access Key', 'Lab 1 Is Component?', 'Lab 2 Type', 'Lab 2 Is New?'],
      ...['Lab 2 Test Report Access Key', 'Lab 2 Is Component?', 'Point of Contact (POC) for Test Result Records'],
      ...['POC Is New?', 'POC Alternate ID', 'POC GLN', 'POC Address Line 2', 'POC Apt/Suite Number', 'Notes'],
    ]);
    const text = JSON.stringify(request);
    const unread = REGISTRY_COLUMNS.filter(column => !columns.includes(column) && !(column in { ...dates, ...more }));
    for (const column of unread) expect(text, column).toContain(`Value of ${column}`);
    expect(dropped.at(-1)).toEqual({
      ...{ column: 'Notes', value: 'fragile', reason: 'is in a column that isn’t part of the known CSV format' },
    });
  });

  it('reports a value that’s converted or read as part of another column', () => {
    const address = { 'POC Address Line 1': '410 Alder Street', 'POC Address Line 2': 'Building 2' };
    const row = { 'Manufacturer Country': 'P.R. China', 'POC Name': 'Kim', ...address, 'POC Apt/Suite Number': '4F' };
    const { request, dropped } = importRow(row, codes);
    expect(request.records_contact?.address).toBe('410 Alder Street, Building 2, 4F');
    expect(dropped.map(({ column, reason }) => [column, reason])).toEqual([
      ['Manufacturer Country', 'is read as China'],
      ['POC Address Line 2', 'is read as part of POC Address Line 1'],
      ['POC Apt/Suite Number', 'is read as part of POC Address Line 1'],
    ]);
  });

  it('lists the fields that have assumed values', () => {
    const row = readRow(exported({ ...toyRequest, efiling }).rows![0]!);
    const { assumed } = importRow({ ...row, 'Small Batch Manufacturer CPSC ID': 'SB-7' }, codes);
    expect(assumed.map(({ path }) => path)).toEqual(['product_info.place_of_manufacture', 'tests', 'small_batch.year']);
    expect(importRow({}, codes).assumed).toEqual([]);
  });

  it('rejects values and lists that are too long for any request', () => {
    const codeList = (count: number) => Array.from({ length: count }, (_, at) => `C${at}`).join(';');
    const row = { 'Lab 1 Citation Codes': codeList(200), 'Lab 1 Test URL': 'x'.repeat(5_000) };
    expect(importRow(row, codes).request.tests).toHaveLength(200);
    const long = { 'Lab 1 Citation Codes': codeList(201), 'Lab 1 Test URL': 'x'.repeat(5_001) };
    expect(() => importRow(long, codes)).toThrow(
      'Lab 1 Citation Codes: must list at most 200 codes; Lab 1 Test URL: must have at most 5000 characters',
    );
  });

  it('keeps a citation code that isn’t in the list', () => {
    const row = { 'Product Name (Model)': 'Toy', 'Lab 1 Citation Codes': 'Z9' };
    expect(importRow(row, codes).request.cpsc_rules_cited).toEqual(['eFiling code Z9']);
  });

  it('accepts every valid calendar date without data loss and rejects all others', () => {
    const number = fc.oneof(fc.integer({ min: 0, max: 33 }), fc.integer({ min: 0, max: 99 }));
    const padded = (value: number, width = 2) => `${value}`.padStart(width, '0');
    const year = fc.integer({ min: 1, max: 9999 });
    fc.assert(
      fc.property(number, fc.option(number), year, (month, day, year) => {
        const parts = [padded(month), ...(day === null ? [] : [padded(day)]), padded(year, 4)];
        const iso = [parts.at(-1), ...parts.slice(0, -1)].join('-');
        const whole = day === null ? `${iso}-01` : iso;
        const exists = new Date(`${whole}T00:00:00Z`).toJSON()?.startsWith(whole) ?? false;
        const read = () => importRow({ 'Manufacture Date': parts.join('/'), 'Last Test Date': parts.join('/') }, codes);
        if (!exists) expect(read).toThrow(/^Manufacture Date: must be .*; Last Test Date: must be /);
        else
          expect(read()).toMatchObject({
            request: { product_info: { date_of_manufacture: iso }, testing_lab: { test_date: iso } },
            dropped: [],
          });
      }),
      { numRuns: 500 },
    );
    expect(() => importRow({ 'Last Test Date': '2026-09-01' }, codes)).toThrow('Last Test Date: must be');
  });

  it('rejects characters that aren’t allowed in a request, but keeps line breaks, which are checked later, during request validation', () => {
    for (const character of ['\0', '\u202e', '\ud800', '\u001b', '\ufffe'])
      expect(() => importRow({ 'Product Name (Model)': `Toy${character}x` }, codes)).toThrow(
        'Product Name (Model): must not contain control characters or explicit directional formatting characters',
      );
    const { request } = importRow({ 'Manufacturer Address Line 1': 'Building 2\n88 Keyuan Road' }, codes);
    expect(request.manufacturer).toEqual({ address: 'Building 2\n88 Keyuan Road' });
  });

  it.each(Object.entries(samples))(
    'restores every value in the %s request, except for those listed in the row’s notes',
    (_, request) => {
      const { original, named, request: imported, assumed } = roundTrip(request);
      const isUnder = (path: string, fields: readonly string[]) =>
        fields.some(field => path === field || path.startsWith(`${field}.`));
      const [before, after] = [leavesOf(original), leavesOf(imported)];
      // The row has one column for the person and the position, and the import treats its value as the person's name.
      const position = before.get('records_contact.position');
      if (position) before.set('records_contact.name', position).delete('records_contact.position');
      for (const [path, values] of before)
        if (!isUnder(path, named))
          expect([...(after.get(path) ?? [])], path).toEqual(expect.arrayContaining([...values]));
      // The export writes the codes for the cited rules, and the import keeps them.
      const derived = [...assumed.map(({ path }) => path as string), 'efiling.citation_codes'];
      for (const [path, values] of after)
        if (!isUnder(path, [...derived, ...named]))
          expect([...(before.get(path) ?? [])], path).toEqual(expect.arrayContaining([...values]));
    },
  );
});
