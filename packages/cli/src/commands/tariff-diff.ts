import { ALL_PROGRAMS, compare, dutyWords, type ListingChange, type ListingState } from '@compliance/core/tariff';
import { asOptionFailure, parsePrograms } from '../input/options.ts';
import { print, table } from '../output/print.ts';

/** `compliance tariff diff` */
export async function tariffDiffCommand(
  from: string,
  to: string,
  options: { programs?: string; json?: boolean },
): Promise<void> {
  const programs = parsePrograms(options.programs ?? 'all');
  const diff = await asOptionFailure(() => compare(from, to, programs === 'all' ? ALL_PROGRAMS : programs));
  if (options.json) return print(JSON.stringify(diff));
  const parts = [
    section('Added', diff.added, change => state(change.after!)),
    section('Removed', diff.removed, change => `${state(change.before!)}${remains(change)}`),
    section('Moved to another annex', diff.moved, change => `${annex(change.before!)} → ${annex(change.after!)}`),
    section(
      'Charged differently',
      diff.rate_changed,
      change => `${dutyWords(change.before!)} → ${dutyWords(change.after!)}`,
    ),
  ];
  const { added, removed, moved, rate_changed } = diff;
  parts.push(
    `${from} to ${to}: ${added.length} added, ${removed.length} removed, ${moved.length} moved, ` +
      `${rate_changed.length} charged differently. Lists of ${diff.version}.`,
  );
  print(parts.filter(part => part !== '').join('\n\n'));
}

function section(title: string, changes: readonly ListingChange[], detail: (change: ListingChange) => string): string {
  if (changes.length === 0) return '';
  const rows = changes.map(change => [change.hts, change.program, detail(change)]);
  return `${title} (${changes.length})\n${table(['HTS', 'Program', 'Listing'], [16, 24], rows)}`;
}

function annex(listing: ListingState): string {
  return listing.annex ? `Annex ${listing.annex}` : listing.list;
}

function state(listing: ListingState): string {
  return `${listing.role}, ${annex(listing)}; ${dutyWords(listing)}. ${listing.citation}`;
}

function remains({ still_covered, removed_by }: ListingChange): string {
  if (still_covered === 'fully') return ' (still covered by a wider listing)';
  if (still_covered === 'partly') return ' (some provisions below it are still listed)';
  return removed_by ? ` (removed by ${removed_by})` : '';
}
