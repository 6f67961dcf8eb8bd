import { holds } from '../dates.ts';
import { type Duty, EDITION, type RateType } from '../edition/edition.ts';
import { listingOn, PROVISIONS } from '../edition/provisions.ts';
import { requireDate } from '../lookup/lookup.ts';
import { formatHtsCode } from '../nomenclature/hts-code.ts';
import { loadNomenclature, NomenclatureError } from '../nomenclature/nomenclature.ts';

/** A listed provision that an edition of the HTS does not have: its number was divided, renumbered or deleted. */
export interface GoneProvision {
  hts: string;
  list: string;
  /** Numbers of that edition under the longest stem it has: candidates, not a legal concordance. */
  successors: string[];
}

/** A duty of the lists that an edition of the HTS states otherwise. */
export interface OtherRate {
  headings: string[];
  rate_pct: number;
  rate_type: RateType;
  /** What the edition prints beside each heading. */
  printed: string[];
}

/** A heading of Chapter 99 that refers to one of our U.S. notes, and that no list names. */
export interface UnknownHeading {
  heading: string;
  description: string;
  printed: string;
}

/** What an edition of the HTS says otherwise than the lists do. */
export interface ListCheck {
  edition: string;
  as_of: string;
  /** The version of the lists. */
  version: string;
  known_through: string;
  gone: GoneProvision[];
  missing_headings: string[];
  other_rates: OtherRate[];
  unknown_headings: UnknownHeading[];
}

/**
 * Holds the lists in force on a date against an official export of the HTS of that date: which listed numbers it does not
 * have, which Chapter 99 headings it lacks or charges otherwise, and which of its headings no list names. The U.S. notes,
 * which enumerate the codes, are not in the export: a code that a note gained is not seen here.
 *
 * @param officialExport the parsed JSON, as for `loadNomenclature`
 * @param edition its name, repeated in the answer
 * @throws NomenclatureError when it is no such export, or one without Chapter 99
 * @throws LookupOptionError when the date is none
 * @example
 * const rows = [
 *   { htsno: '7318.15.20.61', indent: '0', description: 'Bolts', general: 'Free' },
 *   { htsno: '9903.82.02', indent: '0', description: 'U.S. note 16', general: 'No change' },
 * ];
 * checkLists(rows, 'HTS 2026 Revision 10', '2026-06-08').other_rates.length // 1
 */
export function checkLists(officialExport: unknown, edition: string, asOf: string): ListCheck {
  requireDate(asOf);
  const { has, numbers } = loadNomenclature(officialExport, edition);
  const printed = chapter99(officialExport as readonly ExportRow[]);
  if (printed.size === 0)
    throw new NomenclatureError('The export has no heading of Chapter 99: it is not the whole HTS.');

  const inForce = PROVISIONS.filter(provision => listingOn(provision, asOf));
  const terms = EDITION.lists.flatMap(({ id, terms, cohorts }) =>
    cohorts.some(cohort => holds(cohort, asOf))
      ? terms.filter(term => holds(term, asOf)).map(term => ({ id, ...term }))
      : [],
  );
  const duties = [...terms, ...EDITION.headings.filter(heading => holds(heading, asOf))];
  const named = new Set(duties.flatMap(({ headings }) => headings));
  const ever = new Set(
    [...EDITION.lists.flatMap(({ terms }) => terms), ...EDITION.headings].flatMap(({ headings }) => headings),
  );
  const notes = new Set(
    [...printed].filter(([heading]) => named.has(heading)).flatMap(([, row]) => notesOf(row.description)),
  );

  return {
    edition,
    as_of: asOf,
    version: EDITION.version,
    known_through: EDITION.known_through,
    gone: inForce
      .filter(({ prefix }) => !has(prefix))
      .map(({ hts, prefix, list }) => ({ hts, list: list.id, successors: successorsOf(prefix, numbers) })),
    missing_headings: [...named].filter(heading => !printed.has(heading)).sort(),
    other_rates: distinct(duties.flatMap(duty => otherRate(duty, printed) ?? [])),
    unknown_headings: [...printed]
      .filter(([heading, { description }]) => !ever.has(heading) && notesOf(description).some(note => notes.has(note)))
      .map(([heading, { description, rates }]) => ({ heading, description, printed: rates[0]! })),
  };
}

interface PrintedHeading {
  description: string;
  /** Columns 1 general, 1 special and 2: a preference may stand in the second alone. */
  rates: string[];
}

/** A row that `loadNomenclature` has read; it does not read the rates. */
interface ExportRow {
  htsno: string;
  description: string;
  general?: unknown;
  special?: unknown;
  other?: unknown;
}

/** The headings of subchapter III, where the lists' U.S. notes are: numbers such as 9903.82.02. */
function chapter99(rows: readonly ExportRow[]): Map<string, PrintedHeading> {
  const headings = new Map<string, PrintedHeading>();
  for (const { htsno, description, general, special, other } of rows) {
    if (!htsno.startsWith('9903.') || htsno.length !== 10) continue;
    const rates = [general, special, other].map(rate => (typeof rate === 'string' ? rate.trim() : ''));
    headings.set(htsno, { description: description.trim(), rates });
  }
  return headings;
}

const notesOf = (description: string): string[] =>
  [...description.matchAll(/U\.S\. note (\d+)/g)].map(([, note]) => note!);

/** A duty stands when one of its headings prints its rate; a heading that the edition lacks is told apart. */
function otherRate(
  { headings, rate_pct, rate_type }: Duty | Omit<Duty, 'value_basis'>,
  all: Map<string, PrintedHeading>,
) {
  const rows = headings.flatMap(heading => all.get(heading) ?? []);
  if (rate_pct === null || rows.length === 0) return null;
  const expected = rate_type === 'none' ? 'none' : `${rate_type} ${rate_pct}`;
  if (rows.some(({ rates }) => rates.some(rate => readRate(rate) === expected))) return null;
  return { headings, rate_pct, rate_type, printed: rows.map(({ rates }) => rates[0]!) };
}

/** Several lists charge one duty. */
const distinct = (rates: readonly OtherRate[]): OtherRate[] => [
  ...new Map(rates.map(rate => [JSON.stringify(rate), rate])).values(),
];

/** `additional 25`, `total_floor 15` or `none`; null for words that are neither. */
function readRate(printed: string): string | null {
  const added = /^The duty provided in ?the applicable subheading ?\+ ?(?:a duty of )?(\d+(?:\.\d+)?) ?%/i.exec(
    printed,
  )?.[1];
  if (added !== undefined) return `additional ${Number(added)}`;
  const whole = /^(\d+(?:\.\d+)?) ?%$/.exec(printed)?.[1];
  if (whole !== undefined) return `total_floor ${Number(whole)}`;
  return /^(no change|the duty provided in ?the applicable subheading)\.?$/i.test(printed) ? 'none' : null;
}

function successorsOf(prefix: string, numbers: readonly string[]): string[] {
  const under = [8, 6, 4].map(length => numbers.filter(number => number.startsWith(prefix.slice(0, length))));
  return (under.find(found => found.length > 0) ?? []).map(formatHtsCode);
}
