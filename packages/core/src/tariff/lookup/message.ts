import type { Duty, Role, ValueBasis } from '../edition/edition.ts';
import { METALS, PROGRAMS, type Program } from '../edition/programs.ts';
import type { InvalidReason } from '../nomenclature/hts-code.ts';
import type { AdjacentHit, Finding, Query } from './finding.ts';
import type { Match } from './match.ts';

const BASIS: Record<ValueBasis, string> = {
  full_customs_value: 'full value',
  metal_content_value: 'the value of the metal content',
  copper_content_value: 'the value of the copper content',
  non_us_content_value: 'the value of the content not of US origin',
};

const RELATION = {
  same_8_digit: 'same 8-digit subheading',
  same_6_digit: 'same 6-digit subheading',
  same_4_digit: 'same heading',
} as const;

/** How many provisions a sentence names. */
const MAX_NAMED = 4;

/** Says in plain words why a text is not an HTS code, and what to write. */
export function invalidMessage(reason: InvalidReason): string {
  switch (reason) {
    case 'empty':
      return 'Not an HTS code: the text is empty.';
    case 'character':
      return 'Not an HTS code: only digits, dots and spaces are read, as in 7318.15.2061.';
    case 'length':
      return 'Not an HTS code: it needs 4, 6, 8 or 10 digits. If a spreadsheet dropped a leading zero, put it back (0101.21.00).';
    case 'chapter':
      return 'Not an HTS code: chapters run from 01 to 97, and 77 is not used.';
    case 'special_chapter':
      return 'Chapters 98 and 99 are declared beside a classification. Give the number of chapters 1 to 97.';
  }
}

/**
 * A duty in plain words, without a full stop.
 *
 * @example
 * const [match] = lookup(['7318.15.2061'], { asOf: '2026-11-21' }).results[0].matches;
 * dutyWords(match) // '+50 % of full value'
 */
export function dutyWords({ rate_pct, rate_type, value_basis }: Duty): string {
  if (rate_type === 'none') return 'no additional duty';
  if (rate_pct === null) return 'at a rate that our sources do not give';
  if (rate_type === 'total_floor') return `${rate_pct} % of ${BASIS[value_basis]} in all, column 1 duty included`;
  return rate_pct === 0 ? 'no additional ad valorem duty' : `+${rate_pct} % of ${BASIS[value_basis]}`;
}

/** Says a finding in plain words. */
export function messageOf(finding: Finding, query: Query): string {
  const full = finding.matches.filter(match => match.coverage === 'full');
  const partial = finding.matches.filter(match => match.coverage === 'partial');
  const sentences = [
    ...full.map(listingSentence),
    ...(paysOnce(full, query) ? ['The metals duty is owed once, under one heading.'] : []),
    ...yieldsSentence(full),
    ...(partial.length > 0 ? [partialSentence(partial, full.length > 0)] : []),
    ...(finding.in_scope ? [] : [notListed(query), ...adjacentSentences(finding.adjacent_hits)]),
    ...otherProgramsSentence(finding),
  ];
  return sentences.join(' ');
}

function listingSentence(match: Match): string {
  const annex = match.annex ? `, Annex ${match.annex}` : '';
  const until = match.effective_to ? ` until ${match.effective_to}` : '';
  const when = match.conditions.map(condition => condition.text).join(', and ');
  return `${listName(match)}${annex}, since ${match.effective_from}${until}; ${dutyWords(match)}${when ? `, if ${when}` : ''}.`;
}

function listName({ program, role }: { program: Program; role: Role }): string {
  if (role === 'derivative') return `On the ${PROGRAMS[program]} derivative list`;
  return METALS.includes(program) ? `On the list of ${PROGRAMS[program]} articles` : `On the ${PROGRAMS[program]} list`;
}

/** Note 16(a), since 2026-04-06: one heading an article, however many metals list it. */
function paysOnce(full: readonly Match[], query: Query): boolean {
  return query.date >= '2026-04-06' && full.filter(match => METALS.includes(match.program)).length > 1;
}

function yieldsSentence(full: readonly Match[]): string[] {
  const first = [...new Set(full.flatMap(match => match.yields_to))].map(program => PROGRAMS[program]);
  return first.length > 0 ? [`Not owed where the duty on ${first.join(' or ')} applies.`] : [];
}

function partialSentence(partial: readonly Match[], besides: boolean): string {
  const named = partial.slice(0, MAX_NAMED).map(match => `${match.hts} (${PROGRAMS[match.program]})`);
  const more = partial.length > MAX_NAMED ? ` and ${partial.length - MAX_NAMED} more` : '';
  return `${besides ? 'Also listed below it' : 'Listed below it'}: ${named.join(', ')}${more}; give the full 10-digit number for a definite answer.`;
}

/** Says that no list which was asked for has the code. */
export function notListed(query: Query): string {
  const names = [...query.programs].map(program => PROGRAMS[program]);
  if (names.length > 3) return 'Not on the lists that were asked for.';
  const last = names.pop();
  return `Not on the ${names.length > 0 ? `${names.join(', ')} or ` : ''}${last} lists.`;
}

/** The next or last listing of the code itself, and the nearest one in force. */
function adjacentSentences(hits: readonly AdjacentHit[]): string[] {
  const ofAnotherDate = hits.find(hit => hit.relation === 'upcoming' || hit.relation === 'former');
  const nearest = hits.find(hit => hit.relation !== 'upcoming' && hit.relation !== 'former');
  return [ofAnotherDate, nearest].flatMap(hit => (hit ? [adjacentSentence(hit)] : []));
}

function adjacentSentence(hit: AdjacentHit): string {
  const what = `${hit.hts} (${PROGRAMS[hit.program]} ${hit.role})`;
  switch (hit.relation) {
    case 'upcoming':
      return `${what} will be listed from ${hit.effective_from}.`;
    case 'former':
      return `${what} was listed until ${hit.effective_to}.`;
    default:
      return `Nearest listed: ${what}, ${RELATION[hit.relation]}.`;
  }
}

function otherProgramsSentence(finding: Finding): string[] {
  const names = [...new Set(finding.other_programs.map(other => PROGRAMS[other.program]))];
  return names.length > 0 ? [`Other Section 232 programs list it too, or will: ${names.join(', ')}.`] : [];
}
