import { isCalendarDate } from '../dates.ts';
import { EDITION, type Source } from '../edition/edition.ts';
import { ALL_PROGRAMS, METALS, PROGRAMS, type Program } from '../edition/programs.ts';
import { longestStem, type Stem } from '../edition/provisions.ts';
import { formatHtsCode, type InvalidReason, matchedDigits, parseHtsCode } from '../nomenclature/hts-code.ts';
import type { Nomenclature } from '../nomenclature/nomenclature.ts';
import { type Finding, findingAt, type Query } from './finding.ts';
import { invalidMessage, messageOf, notListed } from './message.ts';
import { parseOrigin } from './origins.ts';

/** What to look up by, beside the codes. */
export interface LookupOptions {
  /** Date of entry for consumption in US Eastern time, YYYY-MM-DD. */
  asOf: string;
  /** The programs to ask: steel, aluminum and copper unless said otherwise; `'all'` asks every one. */
  programs?: readonly Program[] | 'all';
  /** Country of origin, ISO alpha-2 (`UK` and `EU` are understood). With it each match lists the duties that are possible. */
  origin?: string;
  /** An official HTS export, to say whether a code exists and what it describes. */
  nomenclature?: Nomenclature;
}

/** What the lists say of a code, also in plain words. */
interface Answer extends Finding {
  readonly message: string;
}

/** The answer for one submitted code. */
export interface LookupResult extends Answer {
  /** The code exactly as submitted. */
  readonly code: string;
  /** The code as the HTS prints it; null when it is none. */
  readonly normalized: string | null;
  /** Whether the code is in the HTS edition that was given; `unknown` without one. */
  readonly exists: boolean | 'unknown';
  /** The descriptions from heading to code, of the HTS edition that was given; null without one. */
  readonly description: readonly string[] | null;
}

/** Which lists gave the answer. */
export interface ListFacts {
  version: string;
  known_through: string;
  sha256: string;
  as_of: string;
  programs: Program[];
  origin: string | null;
  nomenclature: string | null;
  /** The sources that the matches name, by id. */
  sources: Record<string, Source>;
  /** What the reader should know of the lists as a whole on this date; null when nothing. */
  notice: string | null;
}

/** The answers, one for each code in the order given, and the lists they come from. */
export interface Lookup {
  results: LookupResult[];
  list: ListFacts;
}

/** Thrown for an option that cannot be used. `option` names it; the message says what to give. */
export class LookupOptionError extends RangeError {
  override name = 'LookupOptionError';
  readonly option: 'asOf' | 'programs' | 'origin';
  constructor(option: LookupOptionError['option'], message: string) {
    super(message);
    this.option = option;
  }
}

/** @throws LookupOptionError when a text is no calendar date */
export function requireDate(date: string): void {
  if (!isCalendarDate(date)) throw new LookupOptionError('asOf', `${date} is not a calendar date, YYYY-MM-DD.`);
}

/**
 * Looks HTS codes up in the Section 232 lists.
 *
 * A bad code gets the status `invalid` and harms no other. `hit` means that a derivative listing in force covers the code;
 * `in_scope` that Section 232 reaches it at all; `adjacent_hits` are listings near a code that none covers.
 * Source of the rules: U.S. note 16 to subchapter III of chapter 99, HTS, and the acts cited in each match.
 *
 * @throws LookupOptionError when the date, a program or the origin is none
 * @throws TypeError when a code is no text (a number has lost its leading zeros and its dots)
 * @example
 * const { results } = lookup(['7318.15.2061'], { asOf: '2026-11-21' });
 * results[0].status // 'hit'
 * results[0].matches[0].citation // 'Proclamation 11021 (91 FR 18201), Annex I-A; U.S. note 16(c)(iv), …'
 */
export function lookup(codes: readonly string[], options: LookupOptions): Lookup {
  return prepareLookup(options)(codes);
}

/**
 * Reads the options once, for calls that come one after the other with the same ones. What is found at a place among the
 * listings is kept and serves later calls too, so leave the answers as they are.
 *
 * @throws LookupOptionError when the date, a program or the origin is none
 * @example
 * const lookUp = prepareLookup({ asOf: '2026-11-21' });
 * lookUp(['7318.15.2061']).results[0].status // 'hit'
 * lookUp(['0101.21.00']).results[0].status // 'clear'
 */
export function prepareLookup(options: LookupOptions): (codes: readonly string[]) => Lookup {
  const query = readOptions(options);
  const nomenclature = options.nomenclature;
  const clear: Answer = { ...NOTHING, status: 'clear', message: notListed(query) };
  // One answer serves every code in the same place, so a long batch is answered by few.
  const exact = new Map<Stem, Answer>();
  const within = new Map<Stem, Answer>();
  const answer = (digits: string): Answer => {
    const stem = longestStem(digits);
    if (!stem) return clear;
    const isStem = stem.digits.length === digits.length;
    const known = isStem ? exact : within;
    let found = known.get(stem);
    if (!found) known.set(stem, (found = explained(findingAt(stem, isStem, query), query)));
    return found;
  };

  return codes => {
    const matched = new Set<Answer>();
    const results = codes.map((code, index): LookupResult => {
      if (typeof code !== 'string') {
        throw new TypeError(
          `codes.${index} is a ${typeof code}; give HTS codes as text, since a number loses leading zeros.`,
        );
      }
      const parsed = parseHtsCode(code);
      if (!parsed.ok) return invalid(code, parsed.reason);
      const found = answer(matchedDigits(parsed.digits));
      if (found.in_scope) matched.add(found);
      const exists = nomenclature ? nomenclature.has(parsed.digits) : 'unknown';
      return {
        code,
        normalized: formatHtsCode(parsed.digits),
        hit: found.hit,
        in_scope: found.in_scope,
        status: found.status,
        coverage: found.coverage,
        exists,
        description: nomenclature ? nomenclature.describe(parsed.digits) : null,
        message: exists === false ? `${found.message} ${nomenclature!.edition} has no such number.` : found.message,
        matches: found.matches,
        adjacent_hits: found.adjacent_hits,
        other_programs: found.other_programs,
      };
    });

    const used = [...matched].flatMap(({ matches }) => matches.flatMap(match => match.sources));
    return { results, list: { ...listFacts(query, nomenclature), sources: sourcesOf(used) } };
  };
}

function readOptions({ asOf, programs = METALS, origin }: LookupOptions): Query {
  if (typeof asOf !== 'string' || !isCalendarDate(asOf)) {
    throw new LookupOptionError('asOf', 'asOf must be a calendar date, YYYY-MM-DD.');
  }
  const asked = programs === 'all' ? ALL_PROGRAMS : programs;
  const unknown = asked.find(program => !Object.hasOwn(PROGRAMS, program));
  if (unknown !== undefined || asked.length === 0) {
    throw new LookupOptionError('programs', `programs must be "all" or some of: ${ALL_PROGRAMS.join(', ')}.`);
  }
  const country = origin === undefined ? null : parseOrigin(origin);
  if (origin !== undefined && country === null) {
    throw new LookupOptionError('origin', 'origin must be an ISO 3166 alpha-2 country code, such as DE.');
  }
  return { date: asOf, programs: new Set(asked), origin: country };
}

function explained(finding: Finding, query: Query): Answer {
  return { ...finding, message: messageOf(finding, query) };
}

const NOTHING = {
  hit: false,
  in_scope: false,
  coverage: null,
  matches: [],
  adjacent_hits: [],
  other_programs: [],
} as const;

function invalid(code: string, reason: InvalidReason): LookupResult {
  return {
    code,
    normalized: null,
    ...NOTHING,
    status: 'invalid',
    exists: 'unknown',
    description: null,
    message: invalidMessage(reason),
  };
}

function listFacts(query: Query, nomenclature: Nomenclature | undefined): Omit<ListFacts, 'sources'> {
  return {
    version: EDITION.version,
    known_through: EDITION.known_through,
    sha256: EDITION.sha256,
    as_of: query.date,
    programs: [...query.programs],
    origin: query.origin,
    nomenclature: nomenclature?.edition ?? null,
    notice: notice(query.date),
  };
}

function sourcesOf(ids: readonly string[]): Record<string, Source> {
  return Object.fromEntries([...new Set(ids)].sort().map(id => [id, EDITION.sources[id]!]));
}

/** What the reader should know of the lists as a whole on a date; null when nothing. */
export function notice(date: string): string | null {
  if (date > EDITION.known_through) {
    return `The lists are known through ${EDITION.known_through}; a change after that day would not be in this answer.`;
  }
  return null;
}
