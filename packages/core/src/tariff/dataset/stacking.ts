import { addDays, includesDate } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';
import type { Stacking, TariffList } from './dataset.ts';
import type { Program } from './programs.ts';

/** How the duties of two programs interact, and which program's duty takes precedence. */
export interface PairRelation {
  readonly stacking: Stacking;
  /** The program whose duty excludes the other program's duty, or null if the relation isn't `excludes`. */
  readonly winner: Program | null;
}

/**
 * Returns the relation between the duties of two programs on a date, or null if no stacking rule for the programs is in
 * force on that date.
 *
 * @example pairRelation(DATASET.stacking, 'auto_parts', 'steel', '2026-10-01')?.winner // 'auto_parts'
 */
export function pairRelation(stacking: readonly Stacking[], a: Program, b: Program, date: string): PairRelation | null {
  for (const entry of stacking) {
    if (!includesDate(entry, date)) continue;
    const forward = entry.program.includes(a) && entry.others.includes(b);
    if (!forward && !(entry.program.includes(b) && entry.others.includes(a))) continue;
    return { stacking: entry, winner: entry.relation === 'excludes' ? (forward ? a : b) : null };
  }
  return null;
}

/** Two provisions from different programs that cover the same code on the same date. */
export interface Overlap {
  readonly lists: readonly [string, string];
  readonly provisions: readonly [string, string];
  readonly on: string;
}

/**
 * Returns one overlap for each pair of programs that has overlapping provisions but no stacking rule. Each overlap is
 * checked on its first day and on the day after each stacking rule ends. An empty array means that every overlap has a
 * stacking rule.
 */
export function unstatedOverlaps(lists: readonly TariffList[], stacking: readonly Stacking[]): Overlap[] {
  const listed = lists.flatMap(list =>
    list.batches.flatMap(batch =>
      batch.provisions.map(provision => {
        const hts = typeof provision === 'string' ? provision : provision.hts;
        const { effective_from, effective_to } = batch;
        return { list, hts, prefix: prefixOf(hts), from: effective_from, to: effective_to ?? '9999-12-31' };
      }),
    ),
  );
  listed.sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0));
  const afterRules = stacking.flatMap(({ effective_to }) => (effective_to ? [addDays(effective_to, 1)] : []));
  const found = new Map<string, Overlap>();
  const open: typeof listed = [];
  for (const entry of listed) {
    while (open.length > 0 && !entry.prefix.startsWith(open.at(-1)!.prefix)) open.pop();
    for (const above of open) {
      const [a, b] = [above.list.program, entry.list.program];
      if (a === b) continue;
      const from = above.from > entry.from ? above.from : entry.from;
      const to = above.to < entry.to ? above.to : entry.to;
      if (from > to) continue;
      const on = [from, ...afterRules].find(day => day >= from && day <= to && !pairRelation(stacking, a, b, day));
      const key = [a, b].sort().join(' ');
      if (on !== undefined && !found.has(key)) {
        found.set(key, { lists: [above.list.id, entry.list.id], provisions: [above.hts, entry.hts], on });
      }
    }
    open.push(entry);
  }
  return [...found.values()];
}
