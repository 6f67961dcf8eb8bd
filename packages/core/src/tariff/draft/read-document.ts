import { isCalendarDate } from '../dates.ts';
import { prefixOf } from '../nomenclature/hts-code.ts';

/** A paragraph or a table row in an official document. */
export interface DocumentParagraph {
  text: string;
  /** Location of the text in the document, such as `page 34086, paragraph 3`. */
  location: string;
}

/**
 * An official document about a change: a message from CBP's Cargo Systems Messaging Service (CSMS) or a Federal
 * Register document.
 */
export interface OfficialDocument {
  kind: 'csms' | 'federal_register';
  /** Name to cite if the document's text doesn't contain its number, such as the filename. */
  name: string;
  /** Paragraphs and table rows in order, with the cells of a row separated by ` | `. */
  paragraphs: readonly DocumentParagraph[];
  /** Parts that couldn't be read, such as images. */
  unread: readonly string[];
}

/** A fact that a document states about a Chapter 99 heading. */
export interface Stated<Value> {
  value: Value;
  location: string;
}

/** The facts that a document states. */
export interface DocumentFacts {
  /** Citation of the document, such as `CSMS 66319804`. */
  citation: string;
  /** URL of the document, or the name of its publication if there's no URL. */
  address: string;
  /** Effective dates that the document states for each Chapter 99 heading, without duplicates. */
  dates: ReadonlyMap<string, readonly Stated<string>[]>;
  /** Rates in percent that the document states for each Chapter 99 heading, without duplicates. */
  rates: ReadonlyMap<string, readonly Stated<number>[]>;
  /** Chapter 99 headings, each with the location of its first mention. */
  headings: ReadonlyMap<string, string>;
  /** HTS codes with at least six digits, without dots, each with the location of its first mention. */
  codes: ReadonlyMap<string, string>;
  /** Dates other than effective dates, such as a heading's last day, in paragraphs that mention a heading. */
  otherDates: readonly Stated<string>[];
}

const HEADING = /\b9903\.\d\d\.\d\d\b/g;
const CODE = /\b(?!9[89])\d{4}\.\d\d(?:\.\d\d(?:\.?\d\d)?)?\b(?!\.\d)/g;
const PERCENT = /\b(\d{1,3}(?:\.\d{1,4})?) ?(?:%|per ?cent\b)/gi;
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const DAY = `(?:${MONTHS.join('|')}) \\d{1,2}, \\d{4}`;
const DATE = new RegExp(`\\b${DAY}\\b`, 'gi');
/** Matches an effective date, such as `on or after 12:01 a.m. eastern daylight time on June 8, 2026`. */
const FIRST_DAY = new RegExp(
  '\\b(?:on or after|effective(?: on| as of| beginning)?)' +
    '(?: 12:01 a\\.?m\\.?,?(?: \\(?(?:eastern(?: daylight| standard)? time|E[DS]?T)\\)?)?(?: \\(E[DS]?T\\))?,?(?: on)?)?' +
    ` (${DAY})\\b`,
  'gi',
);
/** Matches a title such as `FILING INSTRUCTIONS`. An introduction no longer applies after such a title. */
const TITLE = /^[^a-z]{3,80}$/;

/**
 * Reads the facts that an official document states about Chapter 99 headings: effective dates, rates, and HTS codes. A
 * date or a rate applies to a heading if it's in the same paragraph, or in an introduction that ends with a colon
 * before a list of headings. Otherwise, if the document states only one effective date, that date applies.
 *
 * @example
 * const text = 'Effective December 1, 2026, heading 9903.83.01 applies at 25 percent.';
 * const paragraphs = [{ text, location: 'paragraph 1' }];
 * const facts = readDocument({ kind: 'csms', name: 'CSMS 70999999', paragraphs, unread: [] });
 * facts.dates.get('9903.83.01') // [{ value: '2026-12-01', location: 'paragraph 1' }]
 */
export function readDocument({ kind, name, paragraphs }: OfficialDocument): DocumentFacts {
  const lines = paragraphs.map(({ text, location }) => ({ text: text.replace(/\s+/g, ' ').trim(), location }));
  const dates = new Map<string, Stated<string>[]>();
  const rates = new Map<string, Stated<number>[]>();
  const headings = new Map<string, string>();
  const codes = new Map<string, string>();
  const otherDates: Stated<string>[] = [];
  const firstDays = new Map<string, string>();
  let introduction: { firstDay: string | null; rate: number | null; location: string } | null = null;
  for (const { text, location } of lines) {
    const own = firstDaysIn(text);
    for (const date of own) if (!firstDays.has(date)) firstDays.set(date, location);
    for (const [code] of text.matchAll(CODE)) {
      const prefix = prefixOf(code);
      if (!codes.has(prefix)) codes.set(prefix, location);
    }
    const parts = partsByHeading(text);
    if (parts.length === 0) {
      if (text.endsWith(':')) introduction = { firstDay: only(own), rate: only(ratesIn(text)), location };
      else if (TITLE.test(text)) introduction = null;
      continue;
    }
    const firstDay = only(own);
    for (const { heading, part } of parts) {
      if (!headings.has(heading)) headings.set(heading, location);
      if (firstDay !== null) add(dates, heading, { value: firstDay, location });
      else if (own.length === 0 && introduction?.firstDay != null) {
        add(dates, heading, { value: introduction.firstDay, location: introduction.location });
      }
      const stated = ratesIn(part);
      const rate = only(stated);
      if (rate !== null) add(rates, heading, { value: rate, location });
      else if (stated.length === 0 && introduction?.rate != null) {
        add(rates, heading, { value: introduction.rate, location: introduction.location });
      }
    }
    for (const date of datesIn(text)) if (!own.includes(date)) otherDates.push({ value: date, location });
  }
  const [single] = firstDays;
  if (single && firstDays.size === 1) {
    for (const heading of headings.keys()) {
      if (!dates.has(heading)) add(dates, heading, { value: single[0], location: single[1] });
    }
  }
  return {
    ...(kind === 'csms' ? citeMessage(lines, name) : citeRegister(lines, name)),
    dates,
    rates,
    headings,
    codes,
    otherDates,
  };
}

/** Splits a paragraph at each heading number that it mentions. A paragraph about only one heading isn't split. */
function partsByHeading(text: string): { heading: string; part: string }[] {
  const found = [...text.matchAll(HEADING)];
  const names = new Set(found.map(([heading]) => heading));
  if (names.size === 1) return [{ heading: found[0]![0], part: text }];
  return found.map(({ 0: heading, index }, at) => ({ heading, part: text.slice(index, found[at + 1]?.index) }));
}

function firstDaysIn(text: string): string[] {
  return distinct([...text.matchAll(FIRST_DAY)].flatMap(([, day]) => parseDay(day!) ?? []));
}

function datesIn(text: string): string[] {
  return distinct([...text.matchAll(DATE)].flatMap(([day]) => parseDay(day) ?? []));
}

function ratesIn(text: string): number[] {
  return distinct([...text.matchAll(PERCENT)].map(([, rate]) => Number(rate)));
}

function parseDay(text: string): string | null {
  const [month = '', day = '', year = ''] = text.split(/,? /);
  const number = MONTHS.findIndex(name => name.toLowerCase() === month.toLowerCase()) + 1;
  const date = `${year}-${`${number}`.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : null;
}

function citeMessage(lines: readonly DocumentParagraph[], name: string) {
  const number = firstMatch(lines.slice(0, 5), /\bCSMS ?#? ?(\d{2}-\d{6}|\d{8})\b/);
  return { citation: number ? `CSMS ${number}` : name, address: 'CBP, Cargo Systems Messaging Service' };
}

function citeRegister(lines: readonly DocumentParagraph[], name: string) {
  const proclamation = firstMatch(lines, /^Proclamation (\d{4,5}) of /);
  const number = firstMatch(lines, /\bFR Doc\. ?(\d{4}-\d{5})\b/);
  const document = number ? `FR Doc. ${number}` : name;
  return {
    citation: proclamation ? `Proclamation ${proclamation} (${document})` : document,
    address: number ? `https://www.federalregister.gov/d/${number}` : 'Federal Register',
  };
}

function firstMatch(lines: readonly DocumentParagraph[], pattern: RegExp): string | undefined {
  for (const { text } of lines) {
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  return undefined;
}

function add<Value>(to: Map<string, Stated<Value>[]>, heading: string, stated: Stated<Value>): void {
  const known = to.get(heading) ?? [];
  if (known.every(({ value }) => value !== stated.value)) to.set(heading, [...known, stated]);
}

function only<Value>(values: readonly Value[]): Value | null {
  return values.length === 1 ? values[0]! : null;
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
