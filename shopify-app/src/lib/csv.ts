import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * Streams a table as a CSV download in UTF-8 with a byte order mark. Escapes spreadsheet formulas in text cells.
 *
 * @param rows cells of each row: text, a number, or null for an empty cell
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
