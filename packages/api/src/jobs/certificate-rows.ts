import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ATTACH_COLUMN,
  type CertificateKind,
  type CsvRecord,
  type RowProblem,
  readTable,
  requestOfCells,
  requestOfFields,
  rowProblems,
} from '@compliance/core/entry';
import type { BulkFormat } from '@compliance/store';
import { parse } from 'csv-parse';
import type { Issue } from '../errors/api-error.ts';
import { MAX_ROW_BYTES } from './bulk-operations.ts';
import { invalidFile } from './input-errors.ts';
import type { InputRow, ResultRow } from './rows.ts';

/** A CSV row, as stored until a worker processes it. */
type StoredRow = { readonly line: number } & (
  | { readonly key: string; readonly cells: readonly string[] }
  | { readonly problem: RowProblem }
);

/** Maximum number of problems in a row's result. */
const MAX_PROBLEMS = 20;

/**
 * Converts a CSV file to lines of JSON: the columns, followed by the rows. Unlike in other jobs, cells can contain line
 * breaks, because addresses often do.
 *
 * @throws ApiError `invalid_request`
 */
export async function* certificateLines(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, max_record_size: MAX_ROW_BYTES });
  // Ignore read errors here, because the parser's iterator throws them.
  const ended = pipeline(Readable.from(text), parser).catch(() => {});
  let isFirst = true;
  try {
    for await (const { columns, ...row } of readTable(parser as AsyncIterable<CsvRecord>)) {
      if (isFirst) yield JSON.stringify(supported(columns));
      isFirst = false;
      const { line } = row;
      const stored: StoredRow =
        'problem' in row ? { line, problem: row.problem } : { line, key: row.key, cells: row.cells };
      yield JSON.stringify(stored);
    }
  } catch (error) {
    throw error instanceof RangeError ? invalidFile(`The file ${error.message}.`) : error;
  } finally {
    parser.destroy();
    await ended;
  }
}

/** Returns the columns unchanged. @throws ApiError if a column isn't allowed in a CSV file */
function supported(columns: readonly string[]): readonly string[] {
  const column = columns.find(name => name === ATTACH_COLUMN || /^attachments(\.|$)/.test(name));
  if (column === undefined) return columns;
  throw invalidFile(
    `Remove the column named ${column}. A CSV file can't contain attachments. Send NDJSON rows with an attachments field instead.`,
  );
}

/** A row of a certificate job. */
export interface RequestedRow {
  /** The certificate request, or the problem that prevents the row from being converted to a request. */
  readonly content: { readonly request: unknown } | { readonly problem: RowProblem };
  /** Fields that identify the row in the result. */
  readonly identity: { readonly line?: number; readonly key?: string };
  /** Converts issues in the request to problems in the row's columns. */
  readonly problemsOf: (issues: readonly Issue[]) => readonly RowProblem[];
}

/**
 * Creates a function that converts a job's rows to certificate requests.
 *
 * @param header the columns of a CSV file, as JSON
 * @param template the fields that all rows share, or undefined
 */
export function createRowReader(
  kind: CertificateKind,
  {
    format,
    header,
    template,
  }: { readonly format: BulkFormat; readonly header: string; readonly template: object | undefined },
): (row: NonNullable<InputRow>) => RequestedRow {
  const fieldsOf = (issues: readonly Issue[]) => issues.map(({ path, message }) => ({ column: path, message }));
  // The operation determines the certificate type. Only requests for Children's Product Certificates need the
  // `certificate_type` field.
  const base = kind === 'CPC' ? { certificate_type: kind, ...template } : { ...template };
  if (format === 'csv') {
    const columns = JSON.parse(header) as string[];
    return row => {
      const stored = row as StoredRow;
      const { line } = stored;
      const problemsOf = (issues: readonly Issue[]) => rowProblems(issues, columns);
      if ('problem' in stored) return { content: { problem: stored.problem }, identity: { line }, problemsOf };
      const request = requestOfCells(base, columns, stored.cells);
      return { content: { request }, identity: { line, key: stored.key }, problemsOf };
    };
  }
  if (format === 'ndjson' && !template)
    return row => ({ content: { request: row }, identity: {}, problemsOf: fieldsOf });
  return row => ({ content: { request: requestOfFields(base, row) }, identity: {}, problemsOf: fieldsOf });
}

/**
 * Returns the result for a row with problems.
 *
 * @example invalidRow({ line: 3 }, [{ column: 'product_info.name', message: 'is required' }]).error_message // 'line 3, product_info.name: is required'
 */
export function invalidRow(
  { line, ...identity }: RequestedRow['identity'],
  problems: readonly RowProblem[],
): ResultRow {
  const [{ column, message }] = problems as [RowProblem];
  return {
    ...(line !== undefined && { line }),
    ...identity,
    error: 'invalid_request',
    error_message: `${line === undefined ? '' : `line ${line}, `}${column}: ${message}`,
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}
