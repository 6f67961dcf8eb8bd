import { DATASET, type Dataset, type DatasetName, nameOf, type Reviewed, type TariffList } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { listingOn } from '../dataset/provisions.ts';
import { reviewedOf } from '../dataset/reviewed.ts';
import { requireDate } from '../lookup/options.ts';
import { formatHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { parseNotes, type Subdivision } from './parse-notes.ts';

/**
 * Comparison of a list with its U.S. note subdivisions. If the text mixes table columns, the comparison covers several
 * lists.
 */
export interface ComparedNote {
  /** Names of the compared subdivisions, such as `16(c)(vii)`. */
  subdivisions: string[];
  lists: string[];
  /** Number of codes in force on the compared lists. */
  listed: number;
  /** Number of codes enumerated in the text. */
  printed: number;
  /** Codes that are in the text but not on the lists. */
  gained: string[];
  /** Codes that are on the lists but not in the text. */
  lost: string[];
}

/** The differences between the lists and the text of the U.S. notes. */
export interface NoteCheck extends DatasetName {
  as_of: string;
  compared: ComparedNote[];
  /** Lists in force whose subdivision is missing from the text or doesn't enumerate any codes. */
  not_found: { list: string; note: string }[];
  /**
   * Subdivisions that enumerate codes but belong to neither a list nor a reviewed entry, each with its number of codes.
   */
  unknown: { subdivision: string; codes: number }[];
}

/**
 * Compares the lists in force on a date with the Chapter 99 text, the only source that enumerates the codes in U.S.
 * notes. Returns the codes that were added to or removed from each note, and the subdivisions that might be new lists.
 * A code that moved between subdivisions counts as lost in one and gained in the other.
 *
 * @param chapter99 text extracted from the USITC PDF with `pdftotext -layout`, either complete or with only some notes
 * to subchapter III
 * @throws NomenclatureError if the text doesn't contain a U.S. note that enumerates codes
 * @throws LookupOptionError if the date is invalid
 * @example
 * const text = '38. (c) Buses classifiable in the provisions enumerated in this subdivision:\n8702.10.31  8702.10.61';
 * checkNotes(text, '2026-10-01').compared[0].lost.length // 8
 */
export function checkNotes(
  chapter99: string,
  asOf: string,
  dataset: Dataset = DATASET,
  reviewed: Reviewed = reviewedOf(dataset),
): NoteCheck {
  const { provisions: all } = indexOf(dataset);
  requireDate(asOf);
  const subdivisions = parseNotes(chapter99);
  if (subdivisions.length === 0) {
    throw new NomenclatureError(
      "The text doesn't contain a U.S. note with a list of codes. Use the text of Chapter 99.",
    );
  }
  const provisions = all.filter(provision => listingOn(provision, asOf));
  const tables = tablesOf(subdivisions);
  const groups: { lists: TariffList[]; tables: Set<number> }[] = [];
  const notFound: NoteCheck['not_found'] = [];
  for (const list of dataset.lists.filter(list => provisions.some(provision => provision.list === list))) {
    const names = subdivisionsOfNote(list);
    const isOurs = ({ name }: Subdivision) => names.some(own => name.startsWith(own));
    const own = tables.flatMap((table, at) => (table.some(isOurs) ? [at] : []));
    // Codes in a shared table can't be assigned to a single list, so lists that share a table are compared as a group.
    const [first, ...others] = groups.filter(group => own.some(at => group.tables.has(at)));
    if (own.length === 0) notFound.push({ list: list.id, note: list.note });
    else if (first) {
      first.lists.push(...others.flatMap(({ lists }) => lists), list);
      for (const at of [...others.flatMap(group => [...group.tables]), ...own]) first.tables.add(at);
      for (const other of others) groups.splice(groups.indexOf(other), 1);
    } else groups.push({ lists: [list], tables: new Set(own) });
  }
  return {
    as_of: asOf,
    ...nameOf(dataset),
    compared: groups.map(({ lists, tables: own }) => {
      const printed = tables.filter((_, at) => own.has(at)).flat();
      const inText = new Set(printed.flatMap(({ codes }) => codes.map(prefixOf)));
      const onLists = new Set(provisions.filter(({ list }) => lists.includes(list)).map(({ prefix }) => prefix));
      return {
        subdivisions: printed.map(({ name }) => name),
        lists: lists.map(({ id }) => id),
        listed: onLists.size,
        printed: inText.size,
        gained: without(inText, onLists),
        lost: without(onLists, inText),
      };
    }),
    not_found: notFound,
    unknown: subdivisions
      .filter(
        ({ name }) => !groups.some(group => [...group.tables].some(at => tables[at]!.some(own => own.name === name))),
      )
      .filter(({ name }) => !isKnown(name, dataset, reviewed))
      .map(({ name, codes }) => ({ subdivision: name, codes: codes.length })),
  };
}

/** Returns whether a subdivision belongs to a current or former list, to another authority, or to a reviewed entry. */
function isKnown(name: string, { lists }: Dataset, { otherAuthorities, notes }: Reviewed): boolean {
  const ofLists = lists.flatMap(list =>
    [list.note, ...list.terms.flatMap(({ note }) => note ?? [])].flatMap(note => subdivisionsOfNote({ note })),
  );
  return (
    otherAuthorities.some(authority => authority.notes.includes(Number.parseInt(name, 10))) ||
    [...ofLists, ...notes.map(({ subdivision }) => subdivision)].some(own => name.startsWith(own))
  );
}

/**
 * Returns whether a check of the U.S. notes found no differences, no missing subdivisions, and no unknown subdivisions.
 *
 * @example
 * const text = '38. (c) Buses classifiable in the provisions enumerated in this subdivision:\n8702.10.31  8702.10.61';
 * isCleanNotes(checkNotes(text, '2026-10-01')) // false
 */
export function isCleanNotes({ compared, not_found, unknown }: NoteCheck): boolean {
  return (
    not_found.length + unknown.length === 0 && compared.every(({ gained, lost }) => gained.length + lost.length === 0)
  );
}

const without = (codes: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...codes]
    .filter(code => !others.has(code))
    .sort()
    .map(formatHtsCode);

/** Groups subdivisions whose table columns are interleaved in the text. */
function tablesOf(subdivisions: readonly Subdivision[]): Subdivision[][] {
  const tables: Subdivision[][] = [];
  for (const subdivision of subdivisions) {
    const previous = tables.at(-1);
    if (subdivision.mixedWithPrevious && previous) previous.push(subdivision);
    else tables.push([subdivision]);
  }
  return tables;
}

/**
 * Returns the subdivision names in a list's note, such as `43(c)(3)` and `43(c)(4)` for `U.S. note 43(c)(3) and (4),
 * …`. Returns an empty array for an unnumbered note.
 */
export function subdivisionsOfNote({ note }: Pick<TariffList, 'note'>): string[] {
  const [, stem, last, other] = /note (\d\S*?)(\(\w+\))(?: and (\S+))?,/.exec(note) ?? [];
  return [last, other].flatMap(label => (label === undefined ? [] : `${stem}${label}`));
}
