import { scheduler } from 'node:timers/promises';
import { type BasicType, ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ResultRow } from '../rows.ts';

/** Types of the columns that don't contain text. */
const TYPES: Readonly<Record<string, BasicType>> = {
  ...{ row: 'INT32', score: 'INT32', static_score: 'INT32', findings: 'INT32', events: 'INT32' },
  ...{ hit: 'BOOLEAN', in_scope: 'BOOLEAN' },
};

/**
 * Number of rows in a row group. Encoding a column of a row group blocks other requests for up to 30 milliseconds, as
 * does writing the metadata for 100 row groups at the end of the file.
 */
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
  /** Writes a row group and lets other requests run after each column. */
  const write = async () => {
    const first = writer.row_groups.length;
    for (const name of columns) {
      const data = rows.map(row => row[name] ?? null);
      // The result is read from start to end, so a page index would only make the metadata longer.
      writer.write({ columnData: [{ name, data, offsetIndex: false }], rowGroupSize: rows.length });
      await scheduler.yield();
    }
    writer.row_groups.push(joinColumns(writer.row_groups.splice(first)));
    writer.num_rows -= BigInt(rows.length * (columns.length - 1));
    rows = [];
    return take();
  };
  for await (const part of parts) {
    const lines = new TextDecoder().decode(part).trimEnd().split('\n');
    for (const line of lines) rows.push(JSON.parse(line) as ResultRow);
    await scheduler.yield();
    if (rows.length >= ROWS_PER_GROUP) yield await write();
  }
  if (rows.length > 0) yield await write();
  writer.finish();
  yield take();
}

/** Merges single-column row groups into one row group with all columns. */
function joinColumns(groups: readonly RowGroup[]): RowGroup {
  const sumOf = (sizeOf: (group: RowGroup) => bigint) => groups.reduce((sum, group) => sum + sizeOf(group), 0n);
  return {
    columns: groups.flatMap(group => group.columns),
    num_rows: groups[0]!.num_rows,
    total_byte_size: sumOf(group => group.total_byte_size),
    total_compressed_size: sumOf(group => group.total_compressed_size ?? 0n),
  };
}

type RowGroup = ParquetWriter['row_groups'][number];

function elementOf(name: string) {
  const type = TYPES[name];
  return type
    ? { type: type as 'INT32' | 'BOOLEAN' }
    : { type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const };
}
