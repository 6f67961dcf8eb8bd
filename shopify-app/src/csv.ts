import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * A table as a download: UTF-8 with a byte order mark, streamed, and no cell of a stranger's becomes a formula.
 *
 * @param rows the cells of each row; numbers and text
 * @example
 * return csvResponse('findings.csv', ['Rule', 'Place'], rows);
 */
export function csvResponse(
  name: string,
  head: readonly string[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): Response {
  const lines = Readable.from(rows).pipe(
    stringify({ bom: true, header: true, columns: [...head], escape_formulas: true, record_delimiter: '\r\n' }),
  );
  return new Response(Readable.toWeb(lines) as ReadableStream, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}
