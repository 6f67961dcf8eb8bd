import { COLUMN_2, parseOrigin } from '../dataset/origins.ts';

/** HTS country names that differ from the standard display names. */
const OTHER_NAMES: Record<string, string> = {
  'European Union': 'EU',
  'Republic of Korea': 'KR',
  'Russian Federation': 'RU',
};

/** Country codes by name, and a pattern that matches the country names. */
interface CountryNames {
  readonly codes: ReadonlyMap<string, string>;
  readonly pattern: RegExp;
}

/** HTS country names, initialized on first use because generating the names takes longer than looking up a code. */
let known: CountryNames | undefined;

function countryNames(): CountryNames {
  const codes = new Map<string, string>(Object.entries(OTHER_NAMES));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const displayName = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  for (const code of letters.flatMap(first => letters.map(second => first + second))) {
    const country = code === 'US' ? null : parseOrigin(code);
    if (country !== null) codes.set(displayName.of(country)!, country);
  }
  const names = [...codes.keys()].sort((a, b) => b.length - a.length).map(name => name.replace(/[.()]/g, '\\$&'));
  return { codes, pattern: new RegExp(`\\b(?:${names.join('|')})\\b`, 'g') };
}

/** Matches the text before the first country in a phrase such as `products of Japan, Mexico, or Canada`. */
const PRODUCTS_OF = /\bof (?:(?:the )?member countries of |a member nation of )?(?:the )?$/;
const LISTED_NEXT = /^(?: \([^)]*\))?(?:,? (?:and|or)|,)? ?(?:the |a member nation of the )?$/;

/** The origins and conditions that a heading's text states in standard phrases. */
export interface PrintedConditions {
  /** Codes of the countries whose products the heading covers. Empty if the text doesn't name any countries. */
  countries: string[];
  /** Codes of the countries whose products the text excludes. */
  excepted: string[];
  /** Headings whose products the text excludes. */
  exceptedHeadings: string[];
  /** The lowest column 1 rate that the heading applies to, or null if the rate has no lower limit. */
  column1AtLeast: number | null;
  /** The column 1 rate below which the heading applies, or null if the rate has no upper limit. */
  column1LessThan: number | null;
  /** Standard phrases in the text, each of which requires a corresponding condition in the data set. */
  phrases: Phrase[];
  /** Whether the heading is for goods admitted to a foreign trade zone in privileged foreign status. */
  privilegedForeignStatus: boolean;
  /**
   * Subdivisions of note 16(c) that list the articles covered by the heading, such as `vii`. Empty if the text doesn't
   * name any subdivisions.
   */
  subdivisions16c: string[];
  /** Numbers of the U.S. notes to subchapter III that the text cites. */
  notes: number[];
}

/** A condition that a heading's text states in a standard phrase. */
export type Phrase = keyof typeof PHRASES;

const PHRASES = {
  'less than 15 percent of the weight': /weight of the applicable metal is less than 15 percent/,
  'no aluminum, steel, or copper': /do not contain any aluminum, steel, or copper/,
  'quota quantity':
    /if entered in\s+aggregate quantities|when entered in (?:aggregate annual|annual aggregate) quantities|entered under the terms provided in U\.S\. note 19/,
  'exclusion by the Secretary of Commerce': /covered by an exclusion granted by the Secretary of Commerce/,
  'relief from a quantitative limitation':
    /relief from the application of quantitative limitation|relief has been provided from the application/,
  'metal of US origin': /(?:melted and poured|smelted and cast) in the United States\b/,
  'metal smelted or cast in Russia': /smelted in Russia/,
  'motorcycle parts': /^Motorcycle parts/,
} as const;

/**
 * Reads the origins and conditions that a heading's text states in standard phrases.
 *
 * @param text the heading's description, preceded by the descriptions of its ancestor rows
 * @example
 * const { countries, column1AtLeast } = readConditions(
 *   'Products of Japan with an ad valorem rate of duty under column 1 equal to or greater than 15 percent',
 * );
 * countries // ['JP']
 * column1AtLeast // 15
 */
export function readConditions(text: string): PrintedConditions {
  const countries = new Set<string>();
  const excepted = new Set<string>();
  const exception = text.search(/\bexcept (?:derivative )?products of\b/);
  let end: number | null = null;
  known ??= countryNames();
  for (const { 0: name, index } of text.matchAll(known.pattern)) {
    const named: boolean =
      PRODUCTS_OF.test(text.slice(0, index)) || (end !== null && LISTED_NEXT.test(text.slice(end, index)));
    if (named) (exception !== -1 && index > exception ? excepted : countries).add(known.codes.get(name)!);
    end = named ? index + name.length : null;
  }
  if (/product of any country identified in general note 3\(b\)/.test(text))
    for (const code of COLUMN_2) countries.add(code);
  const column1 = (words: string) => {
    const limit = new RegExp(`column ?1(?:-General or column 1-Special)? ${words} (\\d+(?:\\.\\d+)?) percent`).exec(
      text,
    )?.[1];
    return limit === undefined ? null : Number(limit);
  };
  return {
    countries: [...countries],
    excepted: [...excepted],
    exceptedHeadings: exceptedHeadingsOf(text),
    column1AtLeast: column1('equal to or greater than'),
    column1LessThan: column1('less than'),
    phrases: (Object.keys(PHRASES) as Phrase[]).filter(phrase => PHRASES[phrase].test(text)),
    privilegedForeignStatus: /privileged foreign status/.test(text),
    subdivisions16c: subdivisionsOf16c(text),
    notes: notesIn(text),
  };
}

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii', 'xiii', 'xiv', 'xv'];

/**
 * Returns the note 16(c) subdivisions cited in a phrase such as `subdivisions (c)(ii), (vi)–(viii) and (e) of U.S. note
 * 16`.
 */
function subdivisionsOf16c(text: string): string[] {
  const clause =
    /\(c\)((?:(?:, | and |, and )?\([ivx]+\)(?:–\([ivx]+\))?)+)[^.]* of U\.S\. note 16\b/.exec(text)?.[1] ?? '';
  return [...clause.matchAll(/\(([ivx]+)\)(?:–\(([ivx]+)\))?/g)].flatMap(([, from, to = from]) =>
    ROMAN.slice(ROMAN.indexOf(from!), ROMAN.indexOf(to!) + 1),
  );
}

/**
 * Returns the numbers of the subchapter III U.S. notes that are cited in the text. Notes to other chapters are omitted.
 */
export function notesIn(text: string): number[] {
  const notes = new Set<number>();
  const reference =
    /(general |statistical |additional U\.S\. )?\bnotes? ?(\d+)(?:\([^)]*\))*(?: (?:and|or|,) (\d+)(?![\d.]))?( to (?:this chapter|chapter \d+))?/gi;
  for (const [, other, first, second, chapter] of text.matchAll(reference)) {
    if (other || chapter) continue;
    notes.add(Number(first));
    if (second !== undefined) notes.add(Number(second));
  }
  return [...notes];
}

/**
 * Returns the headings in an initial clause such as `Except for …` or `Except as provided in …`, with ranges expanded.
 */
function exceptedHeadingsOf(text: string): string[] {
  const clause =
    /^Except (?:as provided|for|as provided for)[^,]*?(?:9903\.\d\d\.\d\d(?:[–-]9903\.\d\d\.\d\d)?(?:,? (?:and|or) |, )?)+/.exec(
      text,
    )?.[0] ?? '';
  return [...clause.matchAll(/(9903\.\d\d\.)(\d\d)(?:[–-]9903\.\d\d\.(\d\d))?/g)].flatMap(([, stem, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => stem! + `${Number(from) + i}`.padStart(2, '0')),
  );
}
