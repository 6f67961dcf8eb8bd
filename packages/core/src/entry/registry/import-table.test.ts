import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import type { CsvRecord } from '../rows/table.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { REGISTRY_COLUMNS } from './columns.ts';
import { registryExport } from './export.ts';
import { importRow } from './import.ts';
import { type ImportedTable, type ImportLimits, importTable } from './import-table.ts';
import { codes, efiling, readRow } from './testing/samples.ts';

const { rows } = registryExport(
  certificate({ ...completeRequest, efiling: { ...efiling, certifier_id: 'C-1' } }, sampleContext),
  codes,
);
const sample = readRow(rows![0]!);
const cells = REGISTRY_COLUMNS.map(column => sample[column] ?? '');

/** Imports a table whose records each occupy one line. */
async function imported(records: readonly (readonly string[])[], limits?: ImportLimits): Promise<ImportedTable> {
  async function* parsed(): AsyncGenerator<CsvRecord> {
    for (const [at, record] of records.entries()) yield { record, info: { lines: at + 1 } };
  }
  return await importTable(parsed(), codes, limits);
}

describe('importTable', () => {
  it('returns the same request as importRow for each row, regardless of column order', async () => {
    const expected = importRow(sample, codes);
    expect(await imported([[...REGISTRY_COLUMNS], cells, [''], cells.map(() => ' '), cells])).toEqual({
      rows: [
        { line: 2, problems: [], ...expected },
        { line: 5, problems: [], ...expected },
      ],
      unknown_columns: [],
    });
    expect(await imported([[...REGISTRY_COLUMNS].reverse(), [...cells].reverse()])).toEqual({
      rows: [{ line: 2, problems: [], ...expected }],
      unknown_columns: [],
    });
  });

  it('reports every invalid column in a row and imports the other rows', async () => {
    const bad: Partial<Record<string, string>> = { 'Manufacture Date': 'soon', 'Lab 1 Name': 'Pacific\u202eLabs' };
    const changed = REGISTRY_COLUMNS.map((column, at) => bad[column] ?? cells[at]!);
    const { rows } = await imported([[...REGISTRY_COLUMNS], changed, [...cells, 'extra'], cells.slice(0, -2), cells]);
    const rejected = { request: null, dropped: [], assumed: [] };
    expect(rows).toEqual([
      {
        ...{ line: 2, ...rejected },
        problems: [
          { column: 'Manufacture Date', message: 'must be a date (MM/DD/YYYY) or a month (MM/YYYY)' },
          {
            column: 'Lab 1 Name',
            message: 'must not contain control characters or explicit directional formatting characters',
          },
        ],
      },
      {
        ...{ line: 3, ...rejected },
        problems: [{ column: 'POC Email', message: expect.stringContaining('quotation marks') as string }],
      },
      {
        ...{ line: 4, ...rejected },
        problems: [{ column: 'POC Phone', message: expect.stringContaining('fewer cells') as string }],
      },
      expect.objectContaining({ line: 5, problems: [] }),
    ]);
  });

  it('lists each unknown column once, including names such as __proto__', async () => {
    const head = ['Product Name (Model)', '__proto__', 'constructor', 'Empty'];
    const { rows, unknown_columns } = await imported([head, ['Helmet', 'a', 'b', ''], ['Toy', 'c', '', ' ']]);
    expect(unknown_columns).toEqual([
      { column: '__proto__', rows: 2 },
      { column: 'constructor', rows: 1 },
    ]);
    expect(rows.map(({ dropped }) => dropped)).toEqual([[], []]);
    expect(Object.getPrototypeOf(rows[0]!.request)).toBe(Object.prototype);
  });

  it('limits the size of the result, even if a short file produces many tests with long text', async () => {
    const wide = Array.from({ length: 990 }, (_, at) => `${at}`.padEnd(200, 'x'));
    const unknown = [['Product Name (Model)', ...wide], ...Array(300).fill(['Toy', ...wide.map(() => '1')])];
    expect(JSON.stringify(await imported(unknown)).length).toBeLessThan(JSON.stringify(unknown).length);

    const head = ['Product Name (Model)', 'Lab 1 Citation Codes', 'Lab 1 Test URL'];
    const many = Array.from({ length: 200 }, (_, at) => `C${at}`).join(';');
    const row = ['Toy', many, `https://lab.example/${'x'.repeat(400)}`];
    const limit = 1_000_000;
    await expect(imported([head, ...Array(50).fill(row)], { maxCharacters: limit })).rejects.toThrow(
      'results in more than 1000000 characters of JSON. Split it into smaller files',
    );
    const few = await imported([head, ...Array(5).fill(row)], { maxCharacters: limit });
    expect(JSON.stringify(few.rows).length).toBeLessThan(limit);
  });

  it('rejects a file with more rows than allowed', async () => {
    const file = [['Product Name (Model)'], ['Helmet'], ['Toy']];
    expect((await imported(file, { maxRows: 2 })).rows).toHaveLength(2);
    await expect(imported(file, { maxRows: 1 })).rejects.toThrow(new RangeError('has more than 1 rows'));
  });

  it.each([
    ['no header row', [], 'has no header row'],
    ['a repeated column', [['Product Name (Model)', 'GTIN', 'GTIN']], 'has two columns named GTIN'],
    ['columns from another type of file', [['sku', 'name']], 'has no column named Product Name (Model)'],
  ])('rejects a file with %s', async (_, records, message) => {
    await expect(imported(records as string[][])).rejects.toThrow(new RangeError(message));
  });
});
