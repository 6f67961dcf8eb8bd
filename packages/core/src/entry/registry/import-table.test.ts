import { describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import type { CsvRecord } from '../rows/table.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { REGISTRY_COLUMNS } from './columns.ts';
import { registryExport } from './export.ts';
import { importRow } from './import.ts';
import { type ImportedRow, importTable } from './import-table.ts';
import { codes, efiling, readRow } from './testing/samples.ts';

const { rows } = registryExport(
  certificate({ ...completeRequest, efiling: { ...efiling, certifier_id: 'C-1' } }, sampleContext),
  codes,
);
const sample = readRow(rows![0]!);
const cells = REGISTRY_COLUMNS.map(column => sample[column] ?? '');

/** Imports a table whose records each occupy one line. */
async function imported(...records: string[][]): Promise<ImportedRow[]> {
  async function* parsed(): AsyncGenerator<CsvRecord> {
    for (const [at, record] of records.entries()) yield { record, info: { lines: at + 1 } };
  }
  const result: ImportedRow[] = [];
  for await (const row of importTable(parsed(), codes)) result.push(row);
  return result;
}

describe('importTable', () => {
  it('returns the same request as importRow for each row, in any order of columns', async () => {
    const expected = importRow(sample, codes);
    expect(await imported([...REGISTRY_COLUMNS], cells, [''], cells)).toEqual([
      { line: 2, problems: [], ...expected },
      { line: 4, problems: [], ...expected },
    ]);
    expect(await imported([...REGISTRY_COLUMNS].reverse(), [...cells].reverse())).toEqual([
      { line: 2, problems: [], ...expected },
    ]);
  });

  it('reports the column of a bad row and imports the other rows', async () => {
    const undated = REGISTRY_COLUMNS.map((column, at) => (column === 'Manufacture Date' ? 'soon' : cells[at]!));
    const [first, second, third] = await imported([...REGISTRY_COLUMNS], undated, [...cells, 'extra'], cells);
    expect(first).toEqual({
      ...{ line: 2, request: null, dropped: [], assumed: [] },
      problems: [{ column: 'Manufacture Date', message: 'must be MM/YYYY or MM/DD/YYYY' }],
    });
    expect(second).toMatchObject({ line: 3, problems: [{ message: expect.stringContaining('quotation marks') }] });
    expect(third).toMatchObject({ line: 4, request: { product_info: { name: 'Road Bicycle Helmet' } } });
  });

  it('treats columns with names such as __proto__ as unknown columns', async () => {
    const [row] = await imported(['Product Name (Model)', '__proto__', 'constructor'], ['Helmet', 'a', 'b']);
    expect(row).toMatchObject({
      request: { product_info: { name: 'Helmet' } },
      dropped: [
        { column: '__proto__', value: 'a' },
        { column: 'constructor', value: 'b' },
      ],
    });
    expect(Object.getPrototypeOf(row!.request)).toBe(Object.prototype);
  });

  it.each([
    ['no header row', [], 'has no header row'],
    ['a repeated column', [['Product Name (Model)', 'GTIN', 'GTIN']], 'has two columns named GTIN'],
    ['the columns of another file', [['sku', 'name']], 'has no column named Product Name (Model)'],
  ])('rejects a file with %s', async (_, records, message) => {
    await expect(imported(...(records as string[][]))).rejects.toThrow(new RangeError(message));
  });
});
