import { createHash } from 'node:crypto';
import type { ColumnType, Dataset, DatasetTable } from '@compliance/core/tariff/dataset';
import { datasetJsonSchema, datasetTables } from '@compliance/core/tariff/dataset';
import { stringify } from 'csv-stringify/sync';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** Origin of the files in a release. */
export interface Release {
  /** Git commit that the files were built from, or null if it isn't known. */
  readonly commit: string | null;
}

/**
 * Returns a data release's files, by path. The same data set and commit always produce the same bytes.
 *
 * @param dataset a data set from `loadDataset`, including its reviewed facts
 */
export function datasetFiles(dataset: Dataset, { commit }: Release): Map<string, Uint8Array> {
  const text = (content: string) => new TextEncoder().encode(content);
  const tables = datasetTables(dataset);
  const files = new Map<string, Uint8Array>([
    ['dataset.json', text(`${JSON.stringify(dataset)}\n`)],
    ['dataset.schema.json', text(`${JSON.stringify(datasetJsonSchema(), null, 2)}\n`)],
    ...tables.map(table => [`csv/${table.name}.csv`, text(csvOf(table))] as const),
    ...tables.map(table => [`parquet/${table.name}.parquet`, parquetOf(table)] as const),
  ]);
  files.set('provenance.json', text(provenanceOf(dataset, tables, commit, files)));
  files.set('SHA256SUMS', text([...files].map(([path, bytes]) => `${sha256(bytes)}  ${path}\n`).join('')));
  return files;
}

/**
 * Returns a table as CSV (RFC 4180) with a header row. Escapes fields that a spreadsheet would evaluate as formulas.
 */
function csvOf({ columns, rows }: DatasetTable): string {
  return stringify(
    rows.map(row => row.map(value => (typeof value === 'boolean' ? String(value) : value))),
    { header: true, columns: columns.map(({ name }) => name), record_delimiter: '\r\n', escape_formulas: true },
  );
}

const PARQUET_TYPES = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

function parquetOf({ columns, rows }: DatasetTable): Uint8Array {
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, ...PARQUET_TYPES[type], repetition_type: 'OPTIONAL' as const })),
  ];
  const columnData = columns.map(({ name, type }, at) => ({
    name,
    data: rows.map(row => (type === 'date' && row[at] !== null ? new Date(`${row[at]}`) : row[at])),
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, createdBy: '@compliance/tariff-data' }));
}

function provenanceOf(
  { format, version, known_through, latest_material, sha256: hash, sources }: Dataset,
  tables: readonly DatasetTable[],
  commit: string | null,
  files: ReadonlyMap<string, Uint8Array>,
): string {
  const readings = Object.groupBy(Object.keys(sources), id => sources[id]!.reading);
  const provenance = {
    dataset: { format, version, known_through, latest_material, sha256: hash },
    commit,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows.length])),
    sources: Object.fromEntries(Object.entries(readings).map(([reading, ids]) => [reading, ids.length])),
    files: Object.fromEntries(
      [...files].map(([path, bytes]) => [path, { bytes: bytes.length, sha256: sha256(bytes) }]),
    ),
  };
  return `${JSON.stringify(provenance, null, 2)}\n`;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
