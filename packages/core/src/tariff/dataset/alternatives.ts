import { includesDate } from '../dates.ts';
import type { AlternativeHeading, Dataset, TariffList, Term, ValueBasis } from './dataset.ts';
import type { DatasetIndex } from './dataset-index.ts';
import { includesOrigin } from './origins.ts';

/**
 * Returns the headings that can replace a list's own heading on a date, in order of precedence. If the conditions of
 * several headings are met, the first heading applies.
 *
 * @param prefix the digits of a provision on the list
 * @param lists every list that includes the code on the date
 */
export function alternativesOf(
  { dataset, headingsByList }: DatasetIndex,
  list: string,
  prefix: string,
  date: string,
  lists: readonly TariffList[],
): AlternativeHeading[] {
  const chapter = prefix.slice(0, 2);
  return (headingsByList.get(list) ?? []).filter(
    heading =>
      includesDate(heading, date) &&
      (heading.chapters?.includes(chapter) ?? true) &&
      (heading.codes?.some(code => prefix.startsWith(code)) ?? true) &&
      !heading.unless_listed?.some(id => lists.some(other => other.id === id)) &&
      heading.when.every(id => canApply(dataset, id, chapter)),
  );
}

/** Returns whether a heading can apply to products of a country. */
export function appliesToOrigin({ origins, except_origins }: AlternativeHeading, origin: string): boolean {
  if (origins && !includesOrigin(origins, origin)) return false;
  return !(except_origins && includesOrigin(except_origins, origin));
}

/** Returns whether a condition can apply to articles in a chapter. */
export function canApply({ conditions }: Dataset, condition: string, chapter: string): boolean {
  return !conditions[condition]!.except_chapters?.includes(chapter);
}

/** Returns a term's value basis for articles in a chapter. */
export function basisOf({ value_basis, full_value_chapters }: Term, chapter: string): ValueBasis {
  return full_value_chapters?.includes(chapter) ? 'full_customs_value' : value_basis;
}
