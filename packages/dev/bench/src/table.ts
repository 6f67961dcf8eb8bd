import { type BenchRow, UNITS, verdictOf } from './row.ts';

const HEAD = ['measurement', 'value', 'limit', 'verdict', 'details'];

/**
 * Formats all rows as one Markdown table that's also readable in a terminal. Ratios come first, then exponents, then
 * the other rows.
 *
 * @example tableOf([{ what: 'lookup', value: 2.4, unit: '×', details: 'four Map.get', limit: { atMost: 6 } }])
 */
export function tableOf(rows: readonly BenchRow[]): string {
  const sorted = rows.toSorted((a, b) => UNITS.indexOf(a.unit) - UNITS.indexOf(b.unit));
  const cells = [HEAD, ...sorted.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  const lines = cells.map(row => lineOf(row.map((cell, column) => cell.padEnd(widths[column]!))));
  return [lines[0], lineOf(widths.map(width => '-'.repeat(width))), ...lines.slice(1)].join('\n');
}

function cellsOf(row: BenchRow): string[] {
  const { what, value, unit, details, limit } = row;
  const within = limit && ('atMost' in limit ? `≤ ${limit.atMost}` : `≥ ${limit.atLeast}`);
  return [
    what,
    value === null ? '–' : `${figure(value, unit)}${unit === '%' ? '' : ' '}${unit}`,
    within ?? '',
    verdictOf(row),
    details,
  ].map(cell => cell.replaceAll('|', '\\|'));
}

function figure(value: number, unit: BenchRow['unit']): string {
  if (unit === '×' || unit === 'exponent') return value.toFixed(2);
  return value.toFixed(unit === '%' || value >= 100 ? 0 : 1);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
