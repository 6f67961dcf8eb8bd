import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvResponse } from './csv.ts';

async function* one(cells: readonly string[]) {
  yield cells;
}

it('returns a CSV download with a byte order mark and a filename, and round-trips every cell', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), async cells => {
      const response = csvResponse('table.csv', ['A', 'B'], one(cells));
      expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="table.csv"');
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const [, row] = parse(Buffer.from(bytes), {
        bom: true,
        relax_column_count: true,
        record_delimiter: '\r\n',
      }) as string[][];
      const guarded = cells.map(cell => (/^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? `'${cell}` : cell));
      expect(row).toEqual(guarded.map(cell => Buffer.from(cell).toString()));
    }),
    { numRuns: 200 },
  );
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'escapes the spreadsheet formula %j in a CSV cell',
  async cell => {
    const text = await csvResponse('table.csv', ['A'], one([cell])).text();
    expect(text).toContain(`'${cell}`);
  },
);
