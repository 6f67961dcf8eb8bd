import { EDITION, type TariffList } from '../edition/edition.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { requireDate } from '../lookup/lookup.ts';
import { formatHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import { NomenclatureError } from '../nomenclature/nomenclature.ts';
import { readNotes, type Subdivision } from './note-text.ts';

/** Lists of one subdivision held against its text; several where the text mixes the columns of their tables. */
export interface ComparedNote {
  /** `16(c)(vii)` */
  subdivisions: string[];
  lists: string[];
  /** How many numbers the lists have in force, and how many the text enumerates. */
  listed: number;
  printed: number;
  /** In the text and not on the lists. */
  gained: string[];
  /** On the lists and not in the text. */
  lost: string[];
}

/** What the text of the U.S. notes says otherwise than the lists do. */
export interface NoteCheck {
  as_of: string;
  /** The version of the lists. */
  version: string;
  known_through: string;
  compared: ComparedNote[];
  /** Lists in force whose subdivision this text does not have, or enumerates nothing under. */
  not_found: { list: string; note: string }[];
}

/**
 * Holds the lists in force on a date against the text of Chapter 99, which alone enumerates the codes of a U.S. note: which
 * codes a note gained, and which it lost. A code that moved from one subdivision to another is lost by one and gained by the other.
 *
 * @param chapter99 the text, as `pdftotext -layout` writes it of the USITC's PDF: whole, or some of the notes to subchapter III
 * @throws NomenclatureError when the text has no U.S. note that enumerates codes
 * @throws LookupOptionError when the date is none
 * @example
 * const text = '38. (c) Buses classifiable in the provisions enumerated in this subdivision:\n8702.10.31  8702.10.61';
 * checkNotes(text, '2026-10-01').compared[0].lost.length // 8
 */
export function checkNotes(chapter99: string, asOf: string): NoteCheck {
  requireDate(asOf);
  const read = readNotes(chapter99);
  if (read.length === 0) {
    throw new NomenclatureError('No U.S. note with a list of codes is in the text: it is not Chapter 99.');
  }
  const provisions = PROVISIONS.filter(provision => listingOn(provision, asOf));
  const tables = tablesOf(read);
  const groups: { lists: TariffList[]; tables: Set<number> }[] = [];
  const notFound: NoteCheck['not_found'] = [];
  for (const list of EDITION.lists.filter(list => provisions.some(provision => provision.list === list))) {
    const names = namesOf(list);
    const isOurs = ({ name }: Subdivision) => names.some(own => name.startsWith(own));
    const own = tables.flatMap((table, at) => (table.some(isOurs) ? [at] : []));
    // Lists that share a table cannot be told apart in it, so they are held against all that any of them is in.
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
    version: EDITION.version,
    known_through: EDITION.known_through,
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
  };
}

const without = (codes: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...codes]
    .filter(code => !others.has(code))
    .sort()
    .map(formatHtsCode);

/** The subdivisions, those together whose columns are mixed. */
function tablesOf(subdivisions: readonly Subdivision[]): Subdivision[][] {
  const tables: Subdivision[][] = [];
  for (const subdivision of subdivisions) {
    const previous = tables.at(-1);
    if (subdivision.mixedWithPrevious && previous) previous.push(subdivision);
    else tables.push([subdivision]);
  }
  return tables;
}

/** `U.S. note 43(c)(3) and (4), …` is `43(c)(3)` and `43(c)(4)`; a note that has no number yet has no name. */
function namesOf({ note }: TariffList): string[] {
  const [, stem, last, other] = /note (\d\S*?)(\(\w+\))(?: and (\S+))?,/.exec(note) ?? [];
  return [last, other].flatMap(label => (label === undefined ? [] : `${stem}${label}`));
}
