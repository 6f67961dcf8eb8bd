import { type Dataset, type Duty, programName, type Role, type ValueBasis } from '../dataset/dataset.ts';
import { METALS, type Program } from '../dataset/programs.ts';
import type { InvalidReason } from '../nomenclature/messy-code.ts';
import type { AdjacentHit, CodeResult, Query } from './code-result.ts';
import type { Match } from './match.ts';

const BASIS: Record<ValueBasis, string> = {
  full_customs_value: 'the full customs value',
  metal_content_value: 'the value of the metal content',
  copper_content_value: 'the value of the copper content',
  non_us_content_value: 'the value of the non-US content',
};

const RELATION = {
  same_8_digit: 'in the same 8-digit subheading',
  same_6_digit: 'in the same 6-digit subheading',
  same_4_digit: 'in the same heading',
} as const;

/** Maximum number of provisions to name in a sentence. */
const MAX_NAMED = 4;

/**
 * Returns a message that explains why a string isn't an HTS code and what to enter instead.
 *
 * @param didYouMean the suggested codes, in HTS format
 */
export function invalidMessage(reason: InvalidReason, didYouMean: readonly string[]): string {
  const last = didYouMean.at(-1);
  if (last === undefined) return whyInvalid(reason);
  const others = didYouMean.slice(0, -1);
  const listed = others.length > 1 ? `${others.join(', ')}, or ${last}` : [...others, last].join(' or ');
  return `${whyInvalid(reason)} Did you mean ${listed}?`;
}

function whyInvalid(reason: InvalidReason): string {
  switch (reason) {
    case 'empty':
      return 'Not an HTS code: the value is empty.';
    case 'character':
      return 'Not an HTS code: use only digits and separators, as in 7318.15.2061.';
    case 'length':
      return 'Not an HTS code: enter 4, 6, 8, or 10 digits. If a spreadsheet dropped a leading zero, add it back, as in 0101.21.00.';
    case 'too_long':
      return 'Not an HTS code: it has more than 10 digits. Enter 4, 6, 8, or 10 digits.';
    case 'decimal':
      return 'Not a complete HTS code: the leading zero is missing because the code was stored as a number. Enter the code as text, as in 0302.11.';
    case 'lost_digits':
      return 'Not a complete HTS code: digits were lost because the code was stored in scientific notation. Format the column as text, and enter the code again.';
    case 'placeholder':
      return 'Not a complete HTS code: some digits are missing. Enter 4, 6, 8, or 10 digits.';
    case 'ambiguous':
      return 'Ambiguous HTS code: it can be read in more than one way. Enter one code in HTS format, as in 7318.15.2061.';
    case 'chapter':
      return "Not an HTS code: chapters run from 01 to 97, and chapter 77 isn't used.";
    case 'special_chapter':
      return 'Codes in chapters 98 and 99 are declared in addition to a classification code. Enter the classification code, which is in chapters 01 to 97.';
  }
}

/**
 * Describes a duty in words, without a trailing period.
 *
 * @example
 * const [match] = lookup(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].matches;
 * dutyWords(match) // '50% additional duty on the full customs value'
 */
export function dutyWords({ rate_pct, rate_type, value_basis }: Duty): string {
  if (rate_type === 'none') return 'no additional duty';
  if (rate_pct === null) return 'additional duty at a rate not stated in our sources';
  if (rate_type === 'total_floor')
    return `${rate_pct}% total duty on ${BASIS[value_basis]}, including the column 1 duty`;
  return rate_pct === 0 ? 'no additional ad valorem duty' : `${rate_pct}% additional duty on ${BASIS[value_basis]}`;
}

/** Describes a lookup result in complete sentences. */
export function messageOf(result: CodeResult, query: Query): string {
  const full = result.matches.filter(match => match.coverage === 'full');
  const partial = result.matches.filter(match => match.coverage === 'partial');
  const { dataset } = query.index;
  const sentences = [
    ...full.map(match => listingSentence(match, dataset)),
    ...stackingSentences(full, result),
    ...(partial.length > 0 ? [partialSentence(partial, full.length > 0, dataset)] : []),
    ...(result.in_scope ? [] : [notListed(query), ...adjacentSentences(result.adjacent_hits, dataset)]),
    ...otherProgramsSentence(result, dataset),
  ];
  return sentences.join(' ');
}

function listingSentence(match: Match, dataset: Dataset): string {
  const annex = match.annex ? ` (Annex ${match.annex})` : '';
  const { effective_from, effective_to } = match;
  const dates = effective_to ? `from ${effective_from} to ${effective_to}` : `since ${effective_from}`;
  const when = match.conditions.map(condition => condition.text).join(', and ');
  return `On the ${listName(match, dataset)} list${annex} ${dates}: ${dutyWords(match)}${headingPhrase(match)}${when ? `, if ${when}` : ''}.`;
}

/**
 * Names the duty's Chapter 99 headings, with the duty's start date if that date is later than the listing's.
 */
function headingPhrase({ headings, rate_type, effective_from, duty_from }: Match): string {
  if (headings.length === 0) return '';
  const since = duty_from > effective_from ? ` since ${duty_from}` : '';
  return `${rate_type === 'total_floor' ? ',' : ''} under ${headings.join(' or ')}${since}`;
}

function listName({ program, role }: { program: Program; role: Role }, dataset: Dataset): string {
  const name = programName(program, dataset);
  if (role === 'derivative') return `${name} derivative`;
  return METALS.includes(program) ? `primary ${name} article` : name;
}

/** Returns sentences that describe how the matches' duties relate to each other, without duplicates. */
function stackingSentences(full: readonly Match[], { stacking }: CodeResult): string[] {
  const programs = new Set(full.map(({ program }) => program));
  const stated = stacking.filter(entry => entry.programs.every(program => programs.has(program)));
  return [...new Set(stated.map(({ text }) => text))];
}

function partialSentence(partial: readonly Match[], also: boolean, dataset: Dataset): string {
  const named = partial.slice(0, MAX_NAMED).map(match => `${match.hts} (${programName(match.program, dataset)})`);
  const more = partial.length > MAX_NAMED ? `, and ${partial.length - MAX_NAMED} more` : '';
  const intro = also ? 'Also listed under this code' : 'Listed under this code';
  return `${intro}: ${named.join(', ')}${more}. Enter the full 10-digit code for a definite result.`;
}

/** Returns a sentence stating that the code isn't on the selected programs' lists. */
export function notListed({ programs, index: { dataset } }: Query): string {
  const names = [...programs].map(program => programName(program, dataset));
  if (names.length === Object.keys(dataset.programs).length) return 'Not on any Section 232 list.';
  if (names.length > 3) return "Not on any of the selected programs' lists.";
  if (names.length === 3) return `Not on the ${names[0]}, ${names[1]}, or ${names[2]} lists.`;
  return names.length === 2 ? `Not on the ${names.join(' or ')} lists.` : `Not on the ${names[0]} lists.`;
}

/** Describes the code's next or most recent listing and the nearest listing in force. */
function adjacentSentences(hits: readonly AdjacentHit[], dataset: Dataset): string[] {
  const onOtherDate = hits.find(hit => hit.relation === 'upcoming' || hit.relation === 'former');
  const nearest = hits.find(hit => hit.relation !== 'upcoming' && hit.relation !== 'former');
  return [onOtherDate, nearest].flatMap(hit => (hit ? [adjacentSentence(hit, dataset)] : []));
}

function adjacentSentence(hit: AdjacentHit, dataset: Dataset): string {
  const article = `${hit.hts} (${articleName(hit, dataset)})`;
  switch (hit.relation) {
    case 'upcoming':
      return `${article} will be listed starting ${hit.effective_from}.`;
    case 'former':
      return `${article} was listed through ${hit.effective_to}.`;
    default:
      return `Nearest listing: ${article}, ${RELATION[hit.relation]}.`;
  }
}

function articleName(hit: AdjacentHit, dataset: Dataset): string {
  const name = listName(hit, dataset);
  return hit.role === 'derivative' ? `${name} article` : name;
}

function otherProgramsSentence(result: CodeResult, dataset: Dataset): string[] {
  const names = [...new Set(result.other_programs.map(other => programName(other.program, dataset)))];
  return names.length > 0
    ? [`Other Section 232 programs also list this code, or will list it on a later date: ${names.join(', ')}.`]
    : [];
}
