import { includesDate } from '../dates.ts';
import { type AlternativeHeading, DATASET, type TariffList, type Term, type ValueBasis } from './dataset.ts';
import { includesOrigin } from './origins.ts';

const HEADINGS_BY_LIST = new Map<string, AlternativeHeading[]>();
for (const heading of DATASET.headings) {
  for (const list of heading.lists) {
    const known = HEADINGS_BY_LIST.get(list);
    if (known) known.push(heading);
    else HEADINGS_BY_LIST.set(list, [heading]);
  }
}

/**
 * Returns the headings that can replace a list's own heading on a date, in order of precedence. If the conditions of several
 * headings are met, the first heading applies.
 *
 * @param prefix the digits of a provision on the list
 * @param lists every list that includes the code on the date
 */
export function alternativesOf(
  list: string,
  prefix: string,
  date: string,
  lists: readonly TariffList[],
): AlternativeHeading[] {
  const chapter = prefix.slice(0, 2);
  return (HEADINGS_BY_LIST.get(list) ?? []).filter(
    heading =>
      includesDate(heading, date) &&
      (heading.chapters?.includes(chapter) ?? true) &&
      (heading.codes?.some(code => prefix.startsWith(code)) ?? true) &&
      !heading.unless_listed?.some(id => lists.some(other => other.id === id)) &&
      heading.when.every(id => canApply(id, chapter)),
  );
}

/** Returns whether a heading can apply to products of a country. */
export function appliesToOrigin({ origins, except_origins }: AlternativeHeading, origin: string): boolean {
  if (origins && !includesOrigin(origins, origin)) return false;
  return !(except_origins && includesOrigin(except_origins, origin));
}

/** Returns whether a condition can apply to articles in a chapter. */
export function canApply(condition: string, chapter: string): boolean {
  return !DATASET.conditions[condition]!.except_chapters?.includes(chapter);
}

/** Returns the value basis of a term's rate for articles in a chapter. */
export function basisOf({ value_basis, full_value_chapters }: Term, chapter: string): ValueBasis {
  return full_value_chapters?.includes(chapter) ? 'full_customs_value' : value_basis;
}
