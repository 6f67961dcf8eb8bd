import { type BasicType, ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ResultRow } from '../rows.ts';

/** Types of the columns that don't contain text. */
const TYPES: Readonly<Record<string, BasicType>> = {
  ...{ row: 'INT32', score: 'INT32', findings: 'INT32' },
  ...{ hit: 'BOOLEAN', in_scope: 'BOOLEAN' },
};

/** Number of rows in a row group. Writing a row group blocks other requests for a few milliseconds. */
const ROWS_PER_GROUP = 20_000;

/**
 * Converts result rows to a Parquet file while the file is being sent.
 *
 * @param columns columns of the file
 * @param parts result rows as NDJSON
 * @example ReadableStream.from(writeParquet(['row', 'code'], parts))
 */
export async function* writeParquet(
  columns: readonly string[],
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const schema = columns.map(name => ({ name, repetition_type: 'OPTIONAL' as const, ...elementOf(name) }));
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'result', num_children: columns.length }, ...schema],
    createdBy: '@compliance/api',
  });
  /** Returns the bytes written since the last call. */
  const take = () => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  let rows: ResultRow[] = [];
  const write = () => {
    const columnData = columns.map(name => ({ name, data: rows.map(row => row[name] ?? null) }));
    writer.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    rows = [];
    return take();
  };
  for await (const part of parts) {
    const lines = new TextDecoder().decode(part).trimEnd().split('\n');
    rows.push(...lines.map(line => JSON.parse(line) as ResultRow));
    if (rows.length >= ROWS_PER_GROUP) yield write();
  }
  if (rows.length > 0) yield write();
  writer.finish();
  yield take();
}

function elementOf(name: string) {
  const type = TYPES[name];
  return type
    ? { type: type as 'INT32' | 'BOOLEAN' }
    : { type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const };
}
