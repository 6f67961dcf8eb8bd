import { type Dataset, type DatasetName, nameOf, type Removal } from '../dataset/dataset.ts';
import { parseOrigin } from '../dataset/origins.ts';
import { addDays } from '../dates.ts';
import { invalidMessage } from '../lookup/message.ts';
import { requireDate } from '../lookup/options.ts';
import { formatHtsCode, matchedDigits, parseHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import { suggestCodes } from '../nomenclature/suggest-codes.ts';
import { createTimelines, type DatedResult, type Timeline } from './timeline.ts';
import { dutyKey, type WatchedResult } from './watched-result.ts';

/** A code to watch, with a reference chosen by the caller, such as a SKU. */
export interface WatchedCode {
  reference: string;
  /** HTS code in any format that a lookup accepts. */
  code: string;
  /** Country of origin in any format that a lookup accepts, or null if the origin is unknown. */
  origin: string | null;
}

/** A change to the result for a watched code. */
export interface WatchChange {
  reference: string;
  /** The code in HTS format. */
  code: string;
  origin: string | null;
  /** First date when the results differ, in YYYY-MM-DD format. */
  date: string;
  /** Last date when the results differ in this way, or null if no last date is known. */
  until: string | null;
  before: WatchedResult;
  after: WatchedResult;
  /**
   * Citations of the new or changed duties. If no duty is new or changed, contains the citation of each removal, or of
   * the removed duty if the data set doesn't record the removal. If only relations between duties changed, contains the
   * citations of the new relations.
   */
  citations: string[];
}

/** A watched code that can't be evaluated. */
export interface WatchIssue {
  /** Position in the submitted codes, starting at 0. */
  index: number;
  reference: string;
  field: 'code' | 'origin';
  message: string;
}

/** Changes to the results for watched codes, in the order of the submitted codes and then by date. */
export interface WatchComparison {
  before: DatasetName;
  after: DatasetName;
  changes: WatchChange[];
  /** Codes that weren't evaluated. */
  issues: WatchIssue[];
}

/** Two data sets, and the first date to compare, which is normally the current date in US Eastern time. */
export interface DatasetComparison {
  before: Dataset;
  after: Dataset;
  asOf: string;
}

/**
 * A data set, and a period from the day after `after` through `through`. If `through` is null, the period is
 * open-ended.
 */
export interface EffectivePeriod {
  dataset: Dataset;
  after: string;
  through: string | null;
}

/** Compares the results for a batch of codes. */
export type CompareCodes = (codes: readonly WatchedCode[]) => Pick<WatchComparison, 'changes' | 'issues'>;

/**
 * Compares the results of two data sets for watched codes, on a given date and on every later date. A period of
 * consecutive days with the same differences in a code's results counts as one change.
 *
 * @throws LookupOptionError if the date is invalid
 * @example
 * const codes = [{ reference: 'SKU-1', code: '7318.15.2061', origin: 'CN' }];
 * compareWatchedCodes(codes, { before: DATASET, after: DATASET, asOf: '2026-11-21' }).changes // []
 */
export function compareWatchedCodes(codes: readonly WatchedCode[], options: DatasetComparison): WatchComparison {
  const { before, after } = options;
  return { before: nameOf(before), after: nameOf(after), ...prepareDatasetComparison(options)(codes) };
}

/**
 * Prepares a comparison of two data sets, so that callers can compare many codes in batches without blocking the
 * thread.
 *
 * @throws LookupOptionError if the date is invalid
 * @example
 * const compareBatch = prepareDatasetComparison({ before: DATASET, after: DATASET, asOf: '2026-11-21' });
 * compareBatch([{ reference: 'SKU-1', code: '7318.15.2061', origin: 'CN' }]).changes // []
 */
export function prepareDatasetComparison({ before, after, asOf }: DatasetComparison): CompareCodes {
  requireDate(asOf);
  const timelinesBefore = createTimelines(before, asOf);
  const timelinesAfter = createTimelines(after, asOf);
  const periods = new Map<Timeline, Map<Timeline, readonly Period[]>>();
  const periodsOf = (digits: string, origin: string | null): readonly Period[] => {
    const [a, b] = [timelinesBefore(digits, origin), timelinesAfter(digits, origin)];
    let byAfter = periods.get(a);
    if (!byAfter) periods.set(a, (byAfter = new Map()));
    let found = byAfter.get(b);
    if (!found) byAfter.set(b, (found = differences(a, b, after.removals)));
    return found;
  };
  return codes => collect(codes, before === after ? () => [] : periodsOf);
}

/**
 * Returns the changes in a data set that affect the results for watched codes and take effect after `after` but no
 * later than `through`. If `through` is null, all later changes are returned. Changes on different dates are returned
 * separately.
 *
 * @throws LookupOptionError if a date is invalid
 * @example
 * const codes = [{ reference: 'SKU-2', code: '9403.40.9060', origin: null }];
 * const { changes } = changesInEffect(codes, { dataset: DATASET, after: '2026-11-21', through: null });
 * changes[0].date // '2027-01-01'
 */
export function changesInEffect(codes: readonly WatchedCode[], options: EffectivePeriod): WatchComparison {
  const name = nameOf(options.dataset);
  return { before: name, after: name, ...prepareChangesInEffect(options)(codes) };
}

/**
 * Prepares `changesInEffect` for batches of codes.
 *
 * @throws LookupOptionError if a date is invalid
 * @example
 * const changesOf = prepareChangesInEffect({ dataset: DATASET, after: '2026-11-21', through: null });
 * changesOf([{ reference: 'SKU-2', code: '9403.40.9060', origin: null }]).changes.length // 1
 */
export function prepareChangesInEffect({ dataset, after, through }: EffectivePeriod): CompareCodes {
  for (const date of [after, through]) if (date !== null) requireDate(date);
  const timelines = createTimelines(dataset, after);
  const periods = new Map<Timeline, readonly Period[]>();
  const periodsOf = (digits: string, origin: string | null): readonly Period[] => {
    const timeline = timelines(digits, origin);
    let found = periods.get(timeline);
    if (!found) {
      found = timeline.slice(1).flatMap((entry, at): Period[] => {
        if (through !== null && entry.from > through) return [];
        const next = timeline[at + 2];
        return [periodOf(timeline[at]!, entry, entry.from, next?.from ?? null, dataset.removals)];
      });
      periods.set(timeline, found);
    }
    return found;
  };
  return codes => collect(codes, periodsOf);
}

type Period = Pick<WatchChange, 'date' | 'until' | 'before' | 'after' | 'citations'>;

function collect(
  codes: readonly WatchedCode[],
  periodsOf: (digits: string, origin: string | null) => readonly Period[],
): ReturnType<CompareCodes> {
  const changes: WatchChange[] = [];
  const issues: WatchIssue[] = [];
  for (const [index, { reference, code, origin: text }] of codes.entries()) {
    const parsed = parseHtsCode(code);
    if (!parsed.ok) {
      issues.push({ index, reference, field: 'code', message: invalidMessage(parsed.reason, suggestCodes(code)) });
      continue;
    }
    const origin = text === null ? null : parseOrigin(text);
    if (text !== null && origin === null) {
      const message = 'Not a country of origin: enter an ISO 3166-1 alpha-2 country code, such as DE.';
      issues.push({ index, reference, field: 'origin', message });
      continue;
    }
    for (const period of periodsOf(matchedDigits(parsed.digits), origin)) {
      changes.push({ reference, code: formatHtsCode(parsed.digits), origin, ...period });
    }
  }
  return { changes, issues };
}

/** Returns the periods in which two timelines with the same first date differ. */
function differences(before: Timeline, after: Timeline, removals: readonly Removal[]): Period[] {
  const dates = [...new Set([...before, ...after].map(({ from }) => from))].sort();
  return dates.flatMap((date, at): Period[] => {
    const [a, b] = [entryOn(before, date), entryOn(after, date)];
    return a.key === b.key ? [] : [periodOf(a, b, date, dates[at + 1] ?? null, removals)];
  });
}

/** Returns a timeline's result on a date. */
function entryOn(timeline: Timeline, date: string): DatedResult {
  return timeline.findLast(({ from }) => from <= date)!;
}

function periodOf(
  { result: before }: DatedResult,
  { result: after }: DatedResult,
  date: string,
  next: string | null,
  removals: readonly Removal[],
): Period {
  const until = next === null ? null : addDays(next, -1);
  return { date, until, before, after, citations: citationsOf(before, after, date, removals) };
}

function citationsOf(
  before: WatchedResult,
  after: WatchedResult,
  date: string,
  removals: readonly Removal[],
): string[] {
  const known = new Set(before.duties.map(dutyKey));
  const alternatives = new Set(before.duties.flatMap(duty => duty.alternatives.map(each => each.citation)));
  const changed = after.duties.filter(duty => !known.has(dutyKey(duty)));
  const cited = changed.flatMap(duty => [
    duty.citation,
    ...duty.alternatives.map(({ citation }) => citation).filter(citation => !alternatives.has(citation)),
  ]);
  if (cited.length > 0) return [...new Set(cited)];
  const kept = new Set(after.duties.map(dutyKey));
  const removed = before.duties.filter(duty => !kept.has(dutyKey(duty)));
  const acts = removed.flatMap(({ hts, program, citation }) => {
    const names = (other: string) => prefixOf(other) === prefixOf(hts);
    const removal = removals.findLast(each => each.effective <= date && each.removed[program]?.some(names));
    return removal?.citation ?? citation;
  });
  if (acts.length > 0) return [...new Set(acts)];
  // Only the relation between duties changed.
  const relations = new Set(before.stacking.map(relation => JSON.stringify(relation)));
  return [...new Set(after.stacking.flatMap(entry => (relations.has(JSON.stringify(entry)) ? [] : entry.citation)))];
}
