import type { Dataset, Interval } from '../dataset/dataset.ts';
import { type DatasetIndex, indexOf } from '../dataset/dataset-index.ts';
import { includesOrigin } from '../dataset/origins.ts';
import { deepestNode, type Provision, type TrieNode } from '../dataset/provisions.ts';
import { addDays } from '../dates.ts';
import { matchesIn, relatedProvisions, stackingOf } from '../lookup/code-result.ts';
import { NOT_COVERED, resultKey, type WatchedResult, watchedResultOf } from './watched-result.ts';

/** A result and the first date when it applies. */
export interface DatedResult {
  readonly from: string;
  readonly result: WatchedResult;
  readonly key: string;
}

/** The results for a code and an origin over time: the result on the first date, and every later change. */
export type Timeline = readonly DatedResult[];

const CLEAR_KEY = resultKey(NOT_COVERED);

/**
 * Returns a function that computes the timeline for a code and an origin, starting on a date. Codes at the same
 * position in the trie share a timeline, and so do origins unless a heading treats them differently. The function
 * returns the same array for codes and origins that share a timeline.
 *
 * @param from first date, in YYYY-MM-DD format
 */
export function createTimelines(dataset: Dataset, from: string): (digits: string, origin: string | null) => Timeline {
  const index = indexOf(dataset);
  const classOf = originClasses(dataset);
  const clear: Timeline = [{ from, result: NOT_COVERED, key: CLEAR_KEY }];
  const exact = new Map<TrieNode, Map<string, Timeline>>();
  const below = new Map<TrieNode, Map<string, Timeline>>();
  return (digits, origin) => {
    const node = deepestNode(index.trie, digits);
    if (!node) return clear;
    const isExact = node.digits.length === digits.length;
    const byNode = isExact ? exact : below;
    let byOrigin = byNode.get(node);
    if (!byOrigin) byNode.set(node, (byOrigin = new Map()));
    const originClass = classOf(origin);
    let timeline = byOrigin.get(originClass);
    if (!timeline) {
      timeline = timelineAt(index, node, isExact, origin, from);
      byOrigin.set(originClass, timeline);
    }
    return timeline;
  };
}

function timelineAt(
  index: DatasetIndex,
  node: TrieNode,
  exact: boolean,
  origin: string | null,
  from: string,
): Timeline {
  const related = relatedProvisions(node, exact);
  const programs = new Set(Object.keys(index.dataset.programs));
  const timeline: DatedResult[] = [];
  for (const date of [from, ...changeDates(index, [...related.full, ...related.partial]).filter(day => day > from)]) {
    const query = { index, date, programs, origin };
    const matches = matchesIn(related, query);
    const result = watchedResultOf({ matches, stacking: stackingOf(matches, query) });
    const key = resultKey(result);
    if (timeline.at(-1)?.key !== key) timeline.push({ from: date, result, key });
  }
  return timeline;
}

/** Returns the dates when results for codes with these provisions can change, in chronological order. */
function changeDates({ dataset, headingsByList }: DatasetIndex, provisions: readonly Provision[]): string[] {
  const dates = new Set<string>();
  const add = ({ effective_from, effective_to }: Interval) => {
    dates.add(effective_from);
    if (effective_to !== null) dates.add(addDays(effective_to, 1));
  };
  for (const listings of new Set(provisions.map(provision => provision.listings))) listings.forEach(add);
  for (const list of new Set(provisions.map(provision => provision.list.id))) headingsByList.get(list)?.forEach(add);
  dataset.stacking.forEach(add);
  return [...dates].sort();
}

/**
 * Returns a function that maps origins to keys. Origins have the same key if every heading treats them the same way.
 */
function originClasses({ headings }: Dataset): (origin: string | null) => string {
  const groups = new Map<string, readonly string[]>();
  for (const { origins, except_origins } of headings) {
    for (const group of [origins, except_origins]) if (group) groups.set(group.join(), group);
  }
  const known = new Map<string | null, string>([[null, 'unknown']]);
  return origin => {
    let found = known.get(origin);
    if (found === undefined) {
      found = [...groups.values()].map(group => (includesOrigin(group, origin!) ? '1' : '0')).join('');
      known.set(origin, found);
    }
    return found;
  };
}
