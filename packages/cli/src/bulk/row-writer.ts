import type { LookupResult } from '@compliance/core/tariff';
import { stringify } from 'csv-stringify/sync';
import type { CodeTable } from '../input/codes.ts';
import type { CodeFlags } from '../input/flags.ts';
import { type CsvCell, columnNames, FLAG_COLUMNS, type ResultColumns, sharedColumns } from './columns.ts';
import type { RowDuty } from './row-duty.ts';
import type { RowResult, Shipment } from './row-lookup.ts';

/** Optional result columns to write. */
export interface WriterOptions extends Omit<ResultColumns, 'hasFlags'> {
  /** HTS codes that CPSC flags for eFiling, or null if the list isn't loaded. */
  readonly flags: CodeFlags | null;
}

/** Formats rows with their results as text. */
export interface RowWriter {
  /** Text to write before the first row. */
  readonly head: string;
  /** @param duties the duty for each row, or null if the table has no customs value column */
  rows(rows: readonly RowResult[], duties: readonly RowDuty[] | null): string;
}

/** Matches a signed number, which a spreadsheet doesn't evaluate as a formula. */
const SIGNED_NUMBER = /^[-+]\d[\d.,]*%?$/;

/**
 * Creates a CSV writer for the table's own columns and the result columns. The output keeps the table's delimiter and
 * byte order mark. Cells that a spreadsheet would evaluate as formulas are prefixed with an apostrophe.
 */
export function csvRowWriter(table: CodeTable, { flags, ...columns }: WriterOptions): RowWriter {
  const { header, delimiter, bom } = table;
  const format = (rows: readonly (readonly string[])[], recordDelimiter: string) =>
    stringify(rows as string[][], {
      delimiter,
      escape_formulas: true,
      record_delimiter: recordDelimiter,
      quoted_match: /[\r\n]/,
      cast: {
        string: text => (SIGNED_NUMBER.test(text) ? { value: text, escape_formulas: false } : text),
      },
    });
  // Most cells don't need quotation marks. Checking every cell with csv-stringify takes ten times as long as using this
  // regular expression.
  const special = new RegExp(`["\\r\\n${delimiter}]|^[-=+@\\t＝＋－＠]`);
  const formatRows = (rows: readonly (readonly string[])[]): string[] => {
    const cells = rows.flatMap(row => row.filter(cell => special.test(cell)));
    // A null character can separate the cells, because no cell contains one.
    const formatted = format(
      cells.map(cell => [cell]),
      '\0',
    ).split('\0');
    let next = 0;
    return rows.map(row => row.map(cell => (special.test(cell) ? formatted[next++]! : cell)).join(delimiter));
  };
  const one = (cells: readonly CsvCell[]) => format([cells.map(asText)], '');
  const shared = sharedText(cells => one(Object.values(cells)), columns.hasExport);
  return {
    head: `${bom ? '\ufeff' : ''}${format([[...header, ...columnNames(header, { ...columns, hasFlags: flags !== null })]], '\n')}`,
    rows(rows, duties) {
      const own = formatRows(rows.map(row => fitted(row.cells, header.length, delimiter)));
      return rows
        .map(({ row, result, shipment }, index) => {
          const flag = flags ? delimiter + one(flagCells(result, flags)) : '';
          const duty = duties ? delimiter + one(dutyCells(duties[index]!)) : '';
          return `${own[index]}${delimiter}${row}${delimiter}${result.normalized ?? ''}${delimiter}${shared(result, shipment)}${flag}${duty}\n`;
        })
        .join('');
    },
  };
}

/** Creates an NDJSON writer that writes one object for each row, with the table's own columns and result columns. */
export function ndjsonRowWriter({ header }: CodeTable, { flags, ...columns }: WriterOptions): RowWriter {
  const names = uniqueNames(header);
  const ours = columnNames(names, { ...columns, hasFlags: flags !== null }).map(name => `${JSON.stringify(name)}:`);
  const ownKeys = names.map(name => `${JSON.stringify(name)}:`);
  const [rowKey, normalizedKey, ...others] = ours as [string, string, ...string[]];
  const shared = sharedText(
    cells =>
      Object.values(cells)
        .map((cell, index) => others[index] + JSON.stringify(cell))
        .join(),
    columns.hasExport,
  );
  return {
    head: '',
    rows(rows, duties) {
      return rows
        .map(({ row, cells, result, shipment }, index) => {
          const own = fitted(cells, header.length, ',').map((cell, column) => ownKeys[column] + JSON.stringify(cell));
          const extra = [...(flags ? flagCells(result, flags) : []), ...(duties ? dutyCells(duties[index]!) : [])];
          const last = extra.map((cell, at) => `,${ours[ours.length - extra.length + at]}${JSON.stringify(cell)}`);
          return `{${own.join()},${rowKey}${row},${normalizedKey}${JSON.stringify(result.normalized)},${shared(result, shipment)}${last.join('')}}\n`;
        })
        .join('');
    },
  };
}

/** Returns the cells for {@link FLAG_COLUMNS}. Returns empty cells if the code is invalid. */
function flagCells(result: LookupResult, flags: CodeFlags): CsvCell[] {
  const flag = flags.of(result);
  return flag
    ? [flag.status, flag.likely_rules.map(({ citation }) => citation), flag.message]
    : FLAG_COLUMNS.map(() => null);
}

function dutyCells({ amount, includesColumn1, dependsOn }: RowDuty): CsvCell[] {
  return [amount, includesColumn1, dependsOn];
}

function asText(cell: CsvCell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cell.map(each => each ?? 'unknown').join('; ') : `${cell}`;
}

/** Pads or merges a row's cells to match the header. Extra cells are merged into the last cell. */
function fitted(cells: readonly string[], width: number, delimiter: string): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.length < width) return [...cells, ...Array<string>(width - cells.length).fill('')];
  const rest = cells.slice(width - 1);
  while (rest.length > 1 && rest.at(-1) === '') rest.pop();
  return [...cells.slice(0, width - 1), rest.join(delimiter)];
}

function uniqueNames(header: readonly string[]): string[] {
  const seen = new Set<string>();
  return header.map((name, index) => {
    let unique = name === '' ? `column_${index + 1}` : name;
    while (seen.has(unique)) unique += '_2';
    seen.add(unique);
    return unique;
  });
}

/**
 * Returns a function that formats the columns whose values are the same for all codes with the same listings. The
 * formatted text is cached.
 */
function sharedText(
  format: (cells: Record<string, CsvCell>) => string,
  hasExport: boolean,
): (result: LookupResult, shipment: Shipment) => string {
  const kept = new WeakMap<Shipment, Map<unknown, string>[]>();
  return (result, shipment) => {
    if (result.status === 'invalid') return format(sharedColumns(result, shipment, hasExport));
    let caches = kept.get(shipment);
    if (!caches) kept.set(shipment, (caches = [new Map(), new Map()]));
    const cache = caches[result.exists === false ? 0 : 1]!;
    let text = cache.get(result.matches);
    if (text === undefined) {
      cache.set(result.matches, (text = format(sharedColumns(result, shipment, hasExport))));
    }
    return text;
  };
}
