import { describe, expect, it } from 'vitest';
import { type CsvRecord, readTable, type TableRow } from './table.ts';

/** Returns the rows of a table. Each record occupies one line, plus one for each line break in its cells. */
async function rowsOf(...records: string[][]): Promise<TableRow[]> {
  let lines = 0;
  async function* parsed(): AsyncGenerator<CsvRecord> {
    for (const record of records) {
      lines += record.join('').split('\n').length;
      yield { record, info: { lines } };
    }
  }
  const rows: TableRow[] = [];
  for await (const row of readTable(parsed())) rows.push(row);
  return rows;
}

describe('readTable', () => {
  it('returns each row with its starting line, key, and filename, and ignores empty lines', async () => {
    const columns = ['product_info.sku', 'product_info.name'];
    expect(
      await rowsOf([' product_info.sku', 'product_info.name'], ['S-1', 'Helmet\nin two lines'], [''], ['S/2', 'Hat']),
    ).toEqual([
      {
        line: 2,
        columns,
        keyColumn: 'product_info.sku',
        key: 'S-1',
        file: 'S-1.pdf',
        cells: ['S-1', 'Helmet\nin two lines'],
      },
      { line: 5, columns, keyColumn: 'product_info.sku', key: 'S/2', file: 'S_2-1c34926b.pdf', cells: ['S/2', 'Hat'] },
    ]);
  });

  it('reports rows without a key and rows whose filename differs from an earlier row’s only in capitalization', async () => {
    const rows = await rowsOf(['key'], ['a'], [' '], ['A']);
    expect(rows.slice(1)).toMatchObject([
      { line: 3, problem: { column: 'key', message: 'is empty, so the row can’t be identified' } },
      { line: 4, problem: { column: 'key', message: 'results in the same filename as line 2' } },
    ]);
  });

  it('reports rows with a value that has no column, such as a value split at a comma', async () => {
    const rows = await rowsOf(['key', 'product_info.name'], ['A', 'Helmet', ' red'], ['B', 'Helmet', '', ' ']);
    expect(rows).toMatchObject([
      { line: 2, problem: { column: 'product_info.name', message: expect.stringContaining('quotation marks') } },
      { line: 3, key: 'B' },
    ]);
  });

  it.each([
    ['no header row', [], 'has no header row'],
    [
      'two columns with the same name',
      [['key', 'product_info.name', 'product_info.name']],
      'has two columns named product_info.name',
    ],
    ['no column that identifies the rows', [['product_info.name']], 'needs one of these columns'],
    ['too many columns', [['key', ...Array.from({ length: 1_000 }, (_, at) => `${at}`)]], 'has more than 1000 columns'],
    ['a very long column name', [['key', 'x'.repeat(201)]], 'longer than 200 characters'],
  ])('rejects a table with %s', async (_, records, message) => {
    await expect(rowsOf(...(records as string[][]))).rejects.toThrow(message);
  });

  it('rejects a table with a syntax error and propagates other errors unchanged', async () => {
    const failing = async (error: Error) => {
      async function* parsed(): AsyncGenerator<CsvRecord> {
        yield { record: ['key'], info: { lines: 1 } };
        throw error;
      }
      for await (const _ of readTable(parsed())) throw new Error('The table has no rows.');
    };
    const syntax = Object.assign(new Error('Quote Not Closed at line 3.'), { code: 'CSV_QUOTE_NOT_CLOSED' });
    await expect(failing(syntax)).rejects.toThrow(new RangeError('can’t be read: Quote Not Closed at line 3'));
    const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    await expect(failing(lost)).rejects.toBe(lost);
  });
});
