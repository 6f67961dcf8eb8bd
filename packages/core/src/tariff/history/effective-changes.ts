import { DATASET, type Dataset, type Interval } from '../dataset/dataset.ts';
import type { Program } from '../dataset/programs.ts';
import { addDays } from '../dates.ts';
import { compare, type ListingChange } from './compare.ts';

/** Counts of a program's provisions that changed on a date, by type of change. */
export interface ProgramChange {
  program: Program;
  added: number;
  removed: number;
  moved: number;
  rate_changed: number;
}

/** Changes to a data set's provisions and headings that take effect on the same date. */
export interface EffectiveChange {
  /** Effective date of the changes, in YYYY-MM-DD format. */
  date: string;
  /** Programs with at least one changed provision, in data set order. */
  programs: ProgramChange[];
  /** Alternative headings (for certain origins or facts) whose rate starts or changes on this date. */
  headings_started: string[];
  /** Alternative headings (for certain origins or facts) whose last day in force is the day before this date. */
  headings_ended: string[];
  /** Citations of the acts and U.S. notes behind the changes. */
  citations: string[];
}

/**
 * Returns the changes to provisions and headings, by effective date, newest first. Includes scheduled changes.
 *
 * @example
 * const [latest] = effectiveChanges();
 * latest.citations.length > 0 // true
 */
export function effectiveChanges(dataset: Dataset = DATASET): EffectiveChange[] {
  const intervals: Interval[] = [
    ...dataset.headings,
    ...dataset.lists.flatMap(({ terms, batches }) => [...terms, ...batches]),
  ];
  const dates = new Set(intervals.map(({ effective_from }) => effective_from));
  for (const { effective_to } of intervals) if (effective_to !== null) dates.add(addDays(effective_to, 1));
  return [...dates]
    .sort()
    .reverse()
    .map(date => changeOn(dataset, date))
    .filter(({ programs, headings_started, headings_ended }) =>
      [programs, headings_started, headings_ended].some(found => found.length > 0),
    );
}

function changeOn(dataset: Dataset, date: string): EffectiveChange {
  const { added, removed, moved, rate_changed } = compare(addDays(date, -1), date, 'all', dataset);
  const count = (changes: readonly ListingChange[], program: Program) =>
    changes.filter(change => change.program === program).length;
  const programs = Object.keys(dataset.programs)
    .map(program => ({
      program,
      added: count(added, program),
      removed: count(removed, program),
      moved: count(moved, program),
      rate_changed: count(rate_changed, program),
    }))
    .filter(found => found.added + found.removed + found.moved + found.rate_changed > 0);
  const started = dataset.headings.filter(({ effective_from }) => effective_from === date);
  const ended = dataset.headings.filter(({ effective_to }) => effective_to === addDays(date, -1));
  const headings_started = [...new Set(started.flatMap(({ headings }) => headings))].sort();
  const inForce = dataset.headings.filter(
    heading => heading.effective_from <= date && (heading.effective_to === null || date <= heading.effective_to),
  );
  const stillInForce = new Set(inForce.flatMap(({ headings }) => headings));
  const headings_ended = [...new Set(ended.flatMap(({ headings }) => headings))].filter(
    heading => !stillInForce.has(heading),
  );
  const citations = [
    ...[...added, ...moved, ...rate_changed].map(({ after }) => after!.citation),
    ...removed.map(({ removed_by, before }) => removed_by ?? before!.citation),
    ...[...started, ...(headings_ended.length > 0 ? ended : [])].map(({ citation }) => citation),
  ];
  return {
    date,
    programs,
    headings_started,
    headings_ended: headings_ended.sort(),
    citations: [...new Set(citations)],
  };
}
