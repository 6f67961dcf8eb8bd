import {
  type CodeChange,
  compare,
  compareForCodes,
  dutyWords,
  type ListDiff,
  type ListingChange,
  type ListingState,
} from '@compliance/core/tariff';
import { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { readCodeSelection } from '../../input/code-selection.ts';
import { datasetOption, readDataset } from '../../input/dataset.ts';
import { parsePrograms, reportOptionErrors } from '../../input/lookup-options.ts';
import { jsonOption } from '../../options.ts';
import { print, sanitizeForTerminal, table } from '../../output/print.ts';

interface Options {
  programs?: string;
  codes?: string[];
  column?: string;
  csv?: boolean;
  dataset?: string;
  json?: boolean;
}

/** A change to a provision, with the affected codes if the user specified codes. */
type Change = ListingChange & Partial<CodeChange>;
type Diff = ListDiff & { added: Change[]; invalid_codes?: { code: string; message: string }[] };

/** The `compliance tariff diff` command. */
export default new Command('diff')
  .description('Show changes to the Section 232 lists between two dates.')
  .argument('<from>', 'earlier date, YYYY-MM-DD')
  .argument('<to>', 'later date, YYYY-MM-DD')
  .option('--programs <programs>', 'comma-separated programs to check, "all", or "metals" (default: all)')
  .option(
    '--codes <codes...>',
    'show only changes that affect these HTS codes or the codes in this file (- for standard input)',
  )
  .option('--column <name>', 'name of the column that contains the codes (CSV files only)')
  .option('--csv', 'print one CSV row per change or, with --codes, per affected code')
  .addOption(datasetOption())
  .addOption(jsonOption())
  .action(async (from: string, to: string, options: Options) => {
    const programs = parsePrograms(options.programs ?? 'all');
    const codes = options.codes && (await readCodeSelection(options.codes, options.column));
    const { dataset } = await readDataset(options.dataset);
    const diff: Diff = await reportOptionErrors(() =>
      codes ? compareForCodes(codes, from, to, programs, dataset) : compare(from, to, programs, dataset),
    );
    if (options.json) return print(JSON.stringify(diff));
    const invalid = (diff.invalid_codes ?? []).map(
      ({ code, message }) => `${sanitizeForTerminal(code, 40)}: ${message}`,
    );
    if (options.csv) {
      for (const line of invalid) process.stderr.write(`${line}\n`);
      process.stdout.write(csv(diff));
      return;
    }
    const parts = [
      section('Added', diff.added, change => state(change.after!)),
      section('Removed', diff.removed, change => `${state(change.before!)}${remaining(change)}`),
      section('Moved to another annex', diff.moved, change => `${annex(change.before!)} → ${annex(change.after!)}`),
      section(
        'Duty changed',
        diff.rate_changed,
        change => `${dutyWords(change.before!)} → ${dutyWords(change.after!)}`,
      ),
      invalid.join('\n'),
    ];
    const { added, removed, moved, rate_changed } = diff;
    const affecting = codes ? ` that affect ${codes.length} ${codes.length === 1 ? 'code' : 'codes'}` : '';
    parts.push(
      `${from} to ${to}${affecting && `, changes${affecting}`}: ${added.length} added, ${removed.length} removed, ${moved.length} moved, ` +
        `${rate_changed.length} with a changed duty. Section 232 lists, version ${diff.version}.`,
    );
    print(parts.filter(part => part !== '').join('\n\n'));
  });

function section(title: string, changes: readonly Change[], detail: (change: ListingChange) => string): string {
  if (changes.length === 0) return '';
  const rows = changes.map(change => [change.hts, change.program, `${detail(change)}${affectedCodes(change)}`]);
  return `${title} (${changes.length})\n${table(['HTS', 'Program', 'Listing'], [16, 24], rows)}`;
}

function affectedCodes({ codes }: Change): string {
  return codes ? `\nAffects: ${codes.map(code => sanitizeForTerminal(code, 40)).join(', ')}` : '';
}

function annex(listing: ListingState): string {
  return listing.annex ? `Annex ${listing.annex}` : listing.list;
}

function state(listing: ListingState): string {
  return `${listing.role}, ${annex(listing)}; ${dutyWords(listing)}. ${listing.citation}`;
}

function remaining({ still_covered, removed_by }: ListingChange): string {
  if (still_covered === 'fully') return ' (still covered by a broader listing)';
  if (still_covered === 'partly') return ' (some narrower provisions are still listed)';
  return removed_by ? ` (removed by ${removed_by})` : '';
}

const STATE_COLUMNS = ['list', 'annex', 'headings', 'rate_pct', 'rate_type', 'value_basis', 'citation'] as const;

/** Formats the changes as CSV with a header. Escapes cells that a spreadsheet would evaluate as formulas. */
function csv(diff: Diff): string {
  const kinds = ['added', 'removed', 'moved', 'rate_changed'] as const;
  const rows = kinds.flatMap(kind =>
    diff[kind].flatMap((change: Change) =>
      (change.codes ?? ['']).map(code => [
        ...[code, kind, change.program, change.hts],
        ...[...stateCells(change.before), ...stateCells(change.after)],
        ...[change.still_covered ?? '', change.removed_by ?? ''],
      ]),
    ),
  );
  const columns = [
    ...['code', 'change', 'program', 'hts'],
    ...['before', 'after'].flatMap(when => STATE_COLUMNS.map(column => `${column}_${when}`)),
    ...['still_covered', 'removed_by'],
  ];
  return stringify([columns, ...rows], { escape_formulas: true });
}

function stateCells(listing: ListingState | null): (string | number)[] {
  return STATE_COLUMNS.map(column => {
    const value = listing?.[column] ?? '';
    return Array.isArray(value) ? value.join(' ') : value;
  });
}
