import type { TariffList } from '../dataset/dataset.ts';
import { formatHtsCode, prefixOf } from '../nomenclature/hts-code.ts';
import type { DocumentFacts, Stated } from './read-document.ts';

/**
 * The result of comparing a fact with the official documents. `confirmed`: a document states the drafted fact.
 * `contradicted`: a document contradicts the drafted fact or the requested date. `added`: a document mentions something
 * that the draft doesn't contain. `not_mentioned`: no document mentions the drafted fact.
 */
export interface DocumentEvidence {
  state: 'confirmed' | 'contradicted' | 'added' | 'not_mentioned';
  /** Description of the fact, such as `9903.83.01 starts on 2026-12-01`. */
  fact: string;
  /** Citation and location, such as `CSMS 66319804, paragraph 4`, or null if no document mentions the fact. */
  location: string | null;
}

/** Draft facts that documents can confirm. */
export interface DraftedChanges {
  /** Headings that start. The rate is null if the heading has no rate. */
  headings: readonly { heading: string; date: string; rate: number | null }[];
  /** Requested effective date of the changes, in YYYY-MM-DD format. */
  requested: string;
  /** HTS codes that the draft adds, by list. */
  codes: ReadonlyMap<string, readonly string[]>;
  /** All lists in the draft. */
  lists: readonly TariffList[];
  /** Headings in the draft or in the HTS export. */
  knownHeadings: ReadonlySet<string>;
}

/** Maximum number of codes in the description of a fact. */
const CODES_PER_FACT = 40;

/** Possible lengths of a provision's HTS code, in digits. */
const LENGTHS = [4, 6, 8, 10];

/** Compares a draft's facts with the facts that official documents state. */
export function evidenceOf(documents: readonly DocumentFacts[], drafted: DraftedChanges): DocumentEvidence[] {
  if (documents.length === 0) return [];
  return [
    ...drafted.headings.flatMap(({ heading, date, rate }) => [
      ...dateEvidence(documents, heading, date, drafted.requested),
      ...(rate === null ? [] : rateEvidence(documents, heading, rate)),
    ]),
    ...[...drafted.codes].flatMap(([list, codes]) => codeEvidence(documents, list, codes)),
    ...documents.flatMap(document => additions(document, drafted)),
  ];
}

function dateEvidence(
  documents: readonly DocumentFacts[],
  heading: string,
  date: string,
  requested: string,
): DocumentEvidence[] {
  const fact = `${heading} starts on ${date}`;
  const stated = documents.flatMap(document => citeAll(document, document.dates.get(heading)));
  if (stated.length === 0) return [{ state: 'not_mentioned', fact, location: null }];
  return stated.map(({ value, location }): DocumentEvidence => {
    if (value !== date) return { state: 'contradicted', fact: `${fact}, but the document states ${value}`, location };
    if (date === requested) return { state: 'confirmed', fact, location };
    return {
      state: 'contradicted',
      fact: `${fact} according to the document, but the requested date is ${requested}`,
      location,
    };
  });
}

function rateEvidence(documents: readonly DocumentFacts[], heading: string, rate: number): DocumentEvidence[] {
  const fact = `${heading} has the rate ${rate}%`;
  const stated = documents.flatMap(document => citeAll(document, document.rates.get(heading)));
  if (stated.length === 0) return [{ state: 'not_mentioned', fact, location: null }];
  return stated.map(({ value, location }) =>
    value === rate
      ? { state: 'confirmed', fact, location }
      : { state: 'contradicted', fact: `${fact}, but the document states ${value}%`, location },
  );
}

function codeEvidence(documents: readonly DocumentFacts[], list: string, codes: readonly string[]): DocumentEvidence[] {
  const byLocation = groupBy(codes, code => {
    const document = documents.find(each => each.codes.has(prefixOf(code)));
    return document ? cite(document, document.codes.get(prefixOf(code))!) : null;
  });
  return [...byLocation].flatMap(([location, own]) =>
    describe(own).map(names => ({
      state: location === null ? 'not_mentioned' : 'confirmed',
      fact: `${list} gains ${names}`,
      location,
    })),
  );
}

/** Returns the headings and codes that a document mentions but the draft doesn't contain. */
function additions(document: DocumentFacts, { lists, knownHeadings, requested }: DraftedChanges): DocumentEvidence[] {
  const listed = lists.flatMap(({ batches }) =>
    batches
      .filter(({ effective_to }) => effective_to === null || effective_to >= requested)
      .flatMap(({ provisions }) => provisions.map(each => prefixOf(typeof each === 'string' ? each : each.hts))),
  );
  const listedStems = new Set(listed.flatMap(prefix => LENGTHS.map(length => prefix.slice(0, length))));
  const listedPrefixes = new Set(listed);
  const isListed = (code: string) =>
    listedStems.has(code) || LENGTHS.some(length => listedPrefixes.has(code.slice(0, length)));
  const headings = [...document.headings].filter(([heading]) => !knownHeadings.has(heading));
  const codes = groupBy(
    [...document.codes].filter(([code]) => !isListed(code)),
    ([, location]) => location,
  );
  return [
    ...headings.map(([heading, location]): DocumentEvidence => {
      return {
        state: 'added',
        fact: `${heading} is neither in the draft nor in the HTS export`,
        location: cite(document, location),
      };
    }),
    ...[...codes].flatMap(([location, found]) =>
      describe(found.map(([code]) => formatHtsCode(code))).map((names): DocumentEvidence => {
        return { state: 'added', fact: `No list in the draft contains ${names}`, location: cite(document, location) };
      }),
    ),
  ];
}

function citeAll<Value>(document: DocumentFacts, stated: readonly Stated<Value>[] = []): Stated<Value>[] {
  return stated.map(({ value, location }) => ({ value, location: cite(document, location) }));
}

function cite({ citation }: DocumentFacts, location: string): string {
  return `${citation}, ${location}`;
}

/** Joins codes into descriptions of at most `CODES_PER_FACT` codes each. */
function describe(codes: readonly string[]): string[] {
  return Array.from({ length: Math.ceil(codes.length / CODES_PER_FACT) }, (_, part) =>
    codes.slice(part * CODES_PER_FACT, (part + 1) * CODES_PER_FACT).join(', '),
  );
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
