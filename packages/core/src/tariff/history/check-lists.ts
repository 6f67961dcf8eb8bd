import {
  DATASET,
  type Dataset,
  type DatasetName,
  nameOf,
  type Reviewed,
  type ReviewedDifference,
} from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import type { Reason } from '../dataset/difference-kinds.ts';
import type { Program } from '../dataset/programs.ts';
import { listingOn } from '../dataset/provisions.ts';
import { reviewedOf } from '../dataset/reviewed.ts';
import { addDays } from '../dates.ts';
import { requireDate } from '../lookup/options.ts';
import { formatHtsCode } from '../nomenclature/hts-code.ts';
import { loadNomenclature, NomenclatureError } from '../nomenclature/nomenclature.ts';
import {
  compareHeadings,
  type Days,
  type ExtractScope,
  type HeadingData,
  type HeadingDifference,
  usesOf,
} from './compare-headings.ts';
import { notesIn } from './printed-conditions.ts';
import { type PrintedHeading, printedHeadings, textOf } from './printed-headings.ts';

/** A listed provision that isn't in an HTS edition because its number was split, renumbered, or deleted. */
export interface GoneProvision {
  hts: string;
  list: string;
  /**
   * Numbers in the HTS edition that share the most leading digits with the provision. The numbers are candidates, not a
   * legal concordance.
   */
  successors: string[];
}

/**
 * A heading in subchapter III of Chapter 99 that isn't in the data set and that no review attributes to another
 * authority.
 */
export interface UnknownHeading {
  heading: string;
  description: string;
  printed: string;
  /**
   * Programs whose notes the heading cites or whose headings share its first six digits. Empty if the heading might
   * belong to a new program.
   */
  programs: Program[];
}

/** A U.S. note that a heading cites, but that contains no list and that no review attributes to another authority. */
export interface UnknownNote {
  note: number;
  headings: string[];
}

/** A difference that a reviewed entry explains. */
export interface ExplainedDifference extends HeadingDifference {
  reason: Reason;
}

/** The differences between the data set and an HTS edition. */
export interface ListCheck extends DatasetName {
  edition: string;
  /** The period when the edition was compared with the data set. */
  days: Days;
  /** Number of Section 232 headings compared. */
  compared: number;
  differences: HeadingDifference[];
  unknown_headings: UnknownHeading[];
  unknown_notes: UnknownNote[];
  /** Differences that a reviewed entry explains. */
  explained: ExplainedDifference[];
  /** Reviewed entries that apply to this edition but don't explain any difference, one per heading. */
  unused_reviews: { heading: string; kind: string; text: string }[];
  /**
   * Listed codes that aren't in the edition. Empty for an extract, because extracts contain only Chapter 99 headings.
   */
  gone: GoneProvision[];
}

/** Error thrown if an edition's publication date isn't known. */
export class UnknownEditionError extends Error {
  readonly edition: string;

  constructor(edition: string) {
    super(`The publication date of ${edition} isn't known.`);
    this.name = 'UnknownEditionError';
    this.edition = edition;
  }
}

/** The data and reviewed facts to compare an edition with. The default is the data set's own data and facts. */
export interface CheckFacts {
  data: HeadingData;
  reviewed: Reviewed;
}

/** Options for comparing an edition. */
export interface CheckOptions {
  /**
   * The only day to compare, in YYYY-MM-DD format. By default, the comparison covers every day when the edition was in
   * force.
   */
  asOf?: string;
  /** Publication dates of editions that aren't in the data set, by name, such as `2026 Revision 11`. */
  published?: Record<string, string>;
  /** A data set from `loadDataset`. The default is the bundled data set. */
  dataset?: Dataset;
}

const factsOf = ({ dataset = DATASET }: CheckOptions): CheckFacts => ({ data: dataset, reviewed: reviewedOf(dataset) });

/**
 * Compares the data set with an official HTS export on every day that the edition was in force, or only on `asOf`. The
 * latest edition is compared only on its publication date. The comparison covers the listed codes and every Section 232
 * heading in Chapter 99, including its rate, countries, and conditions. Headings and U.S. notes that aren't in the data
 * set are reported as unknown unless a review attributes them to another authority. The export doesn't contain the U.S.
 * notes that enumerate the codes, so codes added to a note aren't detected (see `checkNotes`).
 *
 * @param officialExport the parsed JSON of an HTS export, as passed to `loadNomenclature`
 * @param edition the HTS edition's name, such as `HTS 2026 Revision 10`
 * @throws NomenclatureError if the file isn't an HTS export or doesn't contain Chapter 99
 * @throws UnknownEditionError if `asOf` isn't set and the edition's publication date isn't known
 * @throws LookupOptionError if a date is invalid
 * @example
 * const rows = [
 *   { htsno: '7318.15.20.61', indent: '0', description: 'Bolts', general: 'Free' },
 *   { htsno: '9903.83.01', indent: '0', description: 'Articles in U.S. note 44', general: '25%' },
 * ];
 * checkLists(rows, 'HTS 2026 Revision 10').unknown_headings[0].heading // '9903.83.01'
 */
export function checkLists(
  officialExport: unknown,
  edition: string,
  options: CheckOptions = {},
  facts: CheckFacts = factsOf(options),
): ListCheck {
  const { has, numbers } = loadNomenclature(officialExport, edition);
  const days = daysOf(edition, options, facts.reviewed);
  const inForce = indexOf(options.dataset ?? DATASET).provisions.filter(provision => listingOn(provision, days.from));
  const gone = inForce
    .filter(({ prefix }) => !has(prefix))
    .map(({ hts, prefix, list }) => ({ hts, list: list.id, successors: successorsOf(prefix, numbers) }));
  return { ...checkEdition(printedHeadings(officialExport), edition, days, options, facts), gone };
}

/** An extract of Chapter 99 headings, with the text of each heading in several HTS editions. */
interface Extract {
  revisions: { id: string; in_force_from: string | null }[];
  headings: Record<
    string,
    { first: string; last: string; general: string; special: string; other: string; description: string }[]
  >;
}

/**
 * Returns whether a parsed JSON file is an extract of Chapter 99 headings by revision rather than an HTS export.
 *
 * @example isHeadingExtract([{ htsno: '0101.21.00', indent: '0', description: 'Horses' }]) // false
 */
export function isHeadingExtract(file: unknown): file is Extract {
  return typeof file === 'object' && file !== null && 'revisions' in file && 'headings' in file;
}

/**
 * Compares the data set with an extract that contains the text of Section 232 headings in several HTS editions.
 * Publication dates are taken from the data set. The extract's own dates are used only for editions that aren't in the
 * data set.
 *
 * @throws NomenclatureError if the extract has no editions or an edition has no Section 232 headings
 * @throws UnknownEditionError if neither the data set nor the extract contains an edition's publication date
 * @example
 * const text = { general: '15%', special: '15%', other: 'No change', description: 'U.S. note 33' };
 * const revisions = [{ id: '2026 Revision 10', in_force_from: '2026-06-08' }];
 * const headings = { '9903.94.41': [{ first: '2026 Revision 10', last: '2026 Revision 10', ...text }] };
 * checkExtract({ revisions, headings }).length // 1
 */
export function checkExtract(
  { revisions, headings }: Extract,
  options: CheckOptions = {},
  facts: CheckFacts = factsOf(options),
): ListCheck[] {
  if (revisions.length === 0) throw new NomenclatureError("The extract doesn't contain any editions.");
  const order = new Map(revisions.map(({ id }, i) => [id, i]));
  const groups = new Set(Object.keys(headings).map(groupOf));
  const stated = revisions.flatMap(({ id, in_force_from: date }) => (date === null ? [] : [[id, date] as const]));
  const published = { ...Object.fromEntries(stated), ...options.published };
  return revisions.map(({ id }, at) => {
    const printed = Object.entries(headings).flatMap(([heading, versions]) =>
      versions
        .filter(({ first, last }) => order.get(first)! <= at && at <= order.get(last)!)
        .map(({ description, general, special, other }) => ({
          heading,
          text: textOf(description),
          general: textOf(general),
          special: textOf(special),
          other: textOf(other),
        })),
    );
    const days = daysOf(id, { ...options, published }, facts.reviewed);
    const extract = { covers: (heading: string) => groups.has(groupOf(heading)) };
    return { ...checkEdition(printed, id, days, options, facts, extract), gone: [] };
  });
}

/**
 * Returns whether a check found nothing that requires review. Deleted codes don't require review, because the U.S.
 * notes can still list them.
 *
 * @example
 * const rows = [{ htsno: '9903.83.01', indent: '0', description: 'U.S. note 44', general: '25%' }];
 * isClean(checkLists([...rows, { htsno: '0101.21.00', indent: '0', description: 'Horses' }], 'HTS 2026 Revision 10')) // false
 */
export function isClean(check: ListCheck): boolean {
  return countFindings(check) === 0;
}

/**
 * Returns the number of findings that must be resolved in the data set or in the reviewed differences.
 *
 * @example
 * const rows = [{ htsno: '9903.83.01', indent: '0', description: 'U.S. note 44', general: '25%' }];
 * countFindings(checkLists([...rows, { htsno: '0101.21.00', indent: '0', description: 'Horses' }], 'HTS 2026 Revision 10')) > 1 // true
 */
export function countFindings({ differences, unknown_headings, unknown_notes, unused_reviews }: ListCheck): number {
  return differences.length + unknown_headings.length + unknown_notes.length + unused_reviews.length;
}

/** Returns the first six digits of a heading, including the dot, such as `9903.82`. */
const groupOf = (heading: string): string => heading.slice(0, 7);

/** Returns an edition's name without the `HTS` prefix. */
const idOf = (edition: string): string => edition.replace(/^HTS /, '');

/**
 * Returns the days to compare: `asOf` if it's set, or otherwise the days when the edition was in force, from its
 * publication date through the day before the next edition was published. The latest edition is compared only on its
 * publication date, because its last day in force isn't known.
 */
function daysOf(edition: string, { asOf, published = {} }: CheckOptions, { editions }: Reviewed): Days {
  if (asOf !== undefined) {
    requireDate(asOf);
    return { from: asOf, to: asOf };
  }
  const dates = new Map([
    ...Object.entries(published).map(([name, date]) => [idOf(name), date] as const),
    ...editions.map(item => [item.edition, item.published] as const),
  ]);
  const from = dates.get(idOf(edition));
  if (from === undefined) throw new UnknownEditionError(edition);
  requireDate(from);
  const next = [...dates.values()].filter(date => date > from).sort()[0];
  return { from, to: next === undefined ? from : addDays(next, -1) };
}

function checkEdition(
  printed: readonly PrintedHeading[],
  edition: string,
  days: Days,
  { asOf, dataset = DATASET }: CheckOptions,
  { data, reviewed }: CheckFacts,
  extract: ExtractScope | null = null,
): Omit<ListCheck, 'gone'> {
  const uses = usesOf(data);
  const { compared, differences } = compareHeadings(printed, days, data, uses, extract);
  if (compared.length === 0) {
    throw new NomenclatureError(`${edition} doesn't contain any Section 232 headings in Chapter 99.`);
  }
  const entries = reviewed.differences.filter(({ editions }) => includesEdition(editions, idOf(edition), reviewed));
  const explaining = (difference: HeadingDifference) => entries.find(entry => explains(entry, difference));
  const unused = entries.flatMap(entry =>
    entry.headings
      .filter(heading => !differences.some(item => item.heading === heading && explains(entry, item)))
      .map(heading => ({ heading, kind: entry.kind, text: entry.text })),
  );
  return {
    edition,
    days,
    ...nameOf(dataset),
    compared: compared.length,
    differences: differences.filter(difference => !explaining(difference)),
    ...unknownsOf(printed, uses, data, reviewed, Object.keys(dataset.programs)),
    explained: differences.flatMap(difference => {
      const entry = explaining(difference);
      return entry ? [{ ...difference, reason: entry.reason }] : [];
    }),
    // When a single day is checked, don't report unused reviews, because they might explain differences on other days
    // of the edition.
    unused_reviews: asOf === undefined ? unused.filter(item => canExplain(item, extract)) : [],
  };
}

/** Returns whether a reviewed entry is about text that was compared. An extract omits part of an edition's text. */
const canExplain = ({ heading, kind }: { heading: string; kind: string }, extract: ExtractScope | null): boolean =>
  extract === null || (extract.covers(heading) && kind !== 'country');

const explains = (entry: ReviewedDifference, { heading, kind, ours, printed }: HeadingDifference): boolean =>
  entry.kind === kind &&
  entry.headings.includes(heading) &&
  (entry.ours === undefined || entry.ours === ours) &&
  (entry.printed === undefined || entry.printed === printed);

function includesEdition([first, last]: readonly [string, string], edition: string, { editions }: Reviewed): boolean {
  const order = (name: string) => editions.findIndex(item => item.edition === name);
  return order(edition) !== -1 && order(first) <= order(edition) && order(edition) <= order(last);
}

function unknownsOf(
  printed: readonly PrintedHeading[],
  uses: ReadonlyMap<string, unknown>,
  { lists }: HeadingData,
  { otherAuthorities }: Reviewed,
  allPrograms: readonly Program[],
): Pick<ListCheck, 'unknown_headings' | 'unknown_notes'> {
  const others = new Set(otherAuthorities.flatMap(({ headings }) => headings));
  const notesOfLists = lists.map(list => ({
    program: list.program,
    notes: [list, ...list.terms].flatMap(({ note }) => notesIn(note ?? '')),
    groups: list.terms.flatMap(({ headings }) => headings.map(groupOf)),
  }));
  const knownNotes = new Set([...notesOfLists, ...otherAuthorities].flatMap(({ notes }) => notes));
  const unknown_headings: UnknownHeading[] = [];
  const unknown_notes = new Map<number, string[]>();
  for (const { heading, text, general } of printed) {
    const cited = notesIn(text);
    for (const note of cited.filter(note => !knownNotes.has(note))) {
      unknown_notes.set(note, [...(unknown_notes.get(note) ?? []), heading]);
    }
    if (uses.has(heading) || others.has(heading)) continue;
    const programs = allPrograms.filter(program =>
      notesOfLists.some(
        list =>
          list.program === program &&
          (list.notes.some(note => cited.includes(note)) || list.groups.includes(groupOf(heading))),
      ),
    );
    unknown_headings.push({ heading, description: text, printed: general, programs });
  }
  return { unknown_headings, unknown_notes: [...unknown_notes].map(([note, headings]) => ({ note, headings })) };
}

function successorsOf(prefix: string, numbers: readonly string[]): string[] {
  const under = [8, 6, 4].map(length => numbers.filter(number => number.startsWith(prefix.slice(0, length))));
  return (under.find(found => found.length > 0) ?? []).map(formatHtsCode);
}
