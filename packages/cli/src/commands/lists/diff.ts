import {
  type Change,
  compareDatasets,
  type DatasetDiff,
  dutyWords,
  isSameData,
  type Term,
} from '@compliance/core/tariff';
import { Command } from 'commander';
import { readDataset } from '../../input/dataset.ts';
import { jsonOption } from '../../options.ts';
import { print, sanitizeForTerminal, table } from '../../output/print.ts';

/** The `compliance lists diff` command. */
export default new Command('diff')
  .description(
    'Show every difference between two data sets for review. Exits with code 1 if the data sets differ in more than their versions and dates.',
  )
  .argument('<before>', 'JSON file with a data set, or "bundled" for the data set in this release')
  .argument('<after>', 'JSON file with a data set, or "bundled"')
  .addOption(jsonOption())
  .action(async (before: string, after: string, { json }: { json?: boolean }) => {
    const [a, b] = [await read(before), await read(after)];
    const diff = compareDatasets(a, b);
    if (!isSameData(diff)) process.exitCode = 1;
    print(json ? JSON.stringify(diff) : report(diff));
  });

async function read(file: string) {
  if (file !== 'bundled') return (await readDataset(file)).dataset!;
  const { bundledDataset } = await import('@compliance/core/tariff/dataset');
  return bundledDataset();
}

function report(diff: DatasetDiff): string {
  const { before, after } = diff;
  const title = `Data set ${before.version} (current through ${before.known_through}) compared with ${after.version} (current through ${after.known_through}).`;
  if (isSameData(diff))
    return `${title}\n\nThe contents of the data sets are identical, apart from their versions and dates.`;
  return [
    title,
    section('Programs', ['ID', 'Name'], diff.programs, ({ name, after: own }) => [name, own ?? 'removed']),
    section('Lists', ['List', 'Change'], diff.lists, change => [change.name, fields(change)]),
    section('Duties', ['List', 'From', 'Change'], diff.terms, ({ list, ...change }) => [
      list,
      change.name,
      duty(change),
    ]),
    provisions(diff),
    section('Headings', ['Heading', 'Change'], diff.headings, change => [change.name, fields(change)]),
    ...(diff.headings_reordered ? ['The order of precedence among the headings changed.'] : []),
    ...(['removals', 'stacking', 'conditions', 'caveats', 'sources'] as const).map(group =>
      section(capitalize(group), ['ID', 'Change'], diff[group] as Change<unknown>[], change => [
        change.name,
        fields(change),
      ]),
    ),
    ...(diff.reviewed.length > 0 ? [`Reviewed facts that differ: ${diff.reviewed.join(', ')}.`] : []),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

function section<T extends Change<unknown>>(
  title: string,
  head: string[],
  changes: readonly T[],
  row: (change: T) => string[],
): string {
  if (changes.length === 0) return '';
  const rows = changes.map(change => row(change).map(cell => sanitizeForTerminal(cell, 400)));
  return `${title} (${changes.length})\n${table(head, head.length === 2 ? [38] : [26, 14], rows)}`;
}

/** Groups provisions by list and kind of change, because a proclamation often changes hundreds of provisions. */
function provisions({ provisions: changes }: DatasetDiff): string {
  const groups = Map.groupBy(changes, ({ list, before, after }) => {
    const kind = !before
      ? `added from ${after!.effective_from}${after!.effective_to ? ` to ${after!.effective_to}` : ''}`
      : !after
        ? 'deleted'
        : before.effective_to !== after.effective_to
          ? `last day ${after.effective_to ?? 'removed'}`
          : 'changed';
    return `${list}\n${kind}`;
  });
  const rows = [...groups].map(([key, group]) => {
    const [list, kind] = key.split('\n') as [string, string];
    const codes = group.map(({ before, after }) => (after ?? before)!.hts).sort();
    return [list, `${codes.length} ${kind}`, codes.join(' ')].map(cell => sanitizeForTerminal(cell, 4000));
  });
  return rows.length === 0 ? '' : `Provisions (${changes.length})\n${table(['List', 'Change', 'HTS'], [26, 30], rows)}`;
}

function duty({ before, after }: Change<Term>): string {
  const words = (term: Term) =>
    `${dutyWords(term)} under ${term.headings.join(' or ') || 'an unpublished heading'}${term.effective_to ? ` through ${term.effective_to}` : ''}`;
  if (!before || !after) return after ? words(after) : `removed: ${words(before!)}`;
  return words(before) === words(after) ? fields({ before, after }) : `${words(before)} → ${words(after)}`;
}

/** Describes the fields that differ, with their old and new values. */
function fields({ before, after }: Pick<Change<unknown>, 'before' | 'after'>): string {
  if (before === null || after === null) return `${before === null ? 'added' : 'removed'}: ${text(after ?? before)}`;
  if (typeof before !== 'object' || typeof after !== 'object') return `${text(before)} → ${text(after)}`;
  const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(name => text(a[name]) !== text(b[name]));
  return names.map(name => `${name}: ${text(a[name])} → ${text(b[name])}`).join('; ');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'unset');
}

function capitalize(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
