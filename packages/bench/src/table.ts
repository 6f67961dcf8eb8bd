import { type Row, UNITS, verdictOf } from './row.ts';

const HEAD = ['what', 'value', 'limit', 'verdict', 'beside'];

/**
 * One table of all rows, as Markdown that also reads well in a terminal: ratios first, then how costs grow, then the rest.
 *
 * @example tableOf([{ what: 'look-up', value: 2.4, unit: '×', beside: 'four Map.get', limit: { atMost: 6 } }])
 */
export function tableOf(rows: readonly Row[]): string {
  const sorted = rows.toSorted((a, b) => UNITS.indexOf(a.unit) - UNITS.indexOf(b.unit));
  const cells = [HEAD, ...sorted.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map(row => row[column]!.length)));
  const lines = cells.map(row => lineOf(row.map((cell, column) => cell.padEnd(widths[column]!))));
  return [lines[0], lineOf(widths.map(width => '-'.repeat(width))), ...lines.slice(1)].join('\n');
}

function cellsOf(row: Row): string[] {
  const { what, value, unit, beside, limit } = row;
  const within = limit && ('atMost' in limit ? `≤ ${limit.atMost}` : `≥ ${limit.atLeast}`);
  return [what, value === null ? '–' : `${figure(value, unit)} ${unit}`, within ?? '', verdictOf(row), beside].map(
    cell => cell.replaceAll('|', '\\|'),
  );
}

function figure(value: number, unit: Row['unit']): string {
  if (unit === '×' || unit === 'exponent') return value.toFixed(2);
  return value.toFixed(unit === '%' || value >= 100 ? 0 : 1);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
