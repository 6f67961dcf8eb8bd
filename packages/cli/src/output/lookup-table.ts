import { stripVTControlCharacters, styleText } from 'node:util';
import {
  ALL_PROGRAMS,
  type DateBasis,
  dutyWords,
  type ListFacts,
  type LookupResult,
  type Match,
} from '@compliance/core/tariff';
import type { CodeFlags } from '../input/flags.ts';
import { sanitizeForTerminal, table, wrapped } from './print.ts';

type Style = Parameters<typeof styleText>[0];

const STATUS: Record<LookupResult['status'], { word: string; style: Style }> = {
  hit: { word: 'hit', style: ['red', 'bold'] },
  in_scope: { word: 'in scope', style: ['yellow', 'bold'] },
  adjacent: { word: 'adjacent', style: 'cyan' },
  clear: { word: 'clear', style: 'green' },
  invalid: { word: 'invalid', style: 'magenta' },
};

/** Widths of the code and status columns. */
const WIDTHS = [16, 10];
/** Space between columns. */
const GAP = 2;

/** Maximum number of wrapped explanations to cache. Many codes share the same explanation. */
const MAX_KEPT = 2000;

/** Number of results by status. */
export type StatusCounts = Partial<Record<LookupResult['status'], number>>;

/** Formats the parts of a results table: the header, rows, and footer. */
export interface LookupTable {
  readonly head: string;
  /** Formats one row for each result, with the code, status, explanation, and citations. */
  rows(results: readonly LookupResult[]): string;
  foot(counts: StatusCounts, list: ListFacts): string;
}

/**
 * Creates a table that is printed row by row, so that the number of rows isn't limited by available memory.
 *
 * @param flags HTS codes that CPSC flags for eFiling, or null if the list isn't loaded
 */
export function lookupTable(flags: CodeFlags | null = null): LookupTable {
  const kept = new Map<string, string>();
  const wrap = (text: string) => {
    let lines = kept.get(text);
    if (lines === undefined) {
      const indent = WIDTHS[0]! + WIDTHS[1]!;
      lines = wrapped(text, indent);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(text, lines);
    }
    return lines;
  };
  return {
    head: table(['Code', 'Status', 'Result'], WIDTHS, []),
    rows: results =>
      results
        .map(result => {
          const code = sanitizeForTerminal(result.code, 40);
          const status = styleText(STATUS[result.status].style, STATUS[result.status].word);
          const isSimple = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(code) && code.length <= WIDTHS[0]! - GAP;
          if (!isSimple) return table(null, WIDTHS, [[code, status, explanation(result, flags)]]);
          const padding = ' '.repeat(WIDTHS[1]! - stripVTControlCharacters(status).length);
          return code.padEnd(WIDTHS[0]!) + status + padding + wrap(explanation(result, flags));
        })
        .join('\n'),
    foot: (counts, list) => {
      const programs = list.programs.length === ALL_PROGRAMS.length ? 'all programs' : list.programs.join(', ');
      const origin = list.origin ? `, from ${list.origin}` : '';
      return [
        `${countsInWords(counts)}. Section 232 lists, version ${list.version} (${programs}), as of ${list.as_of}${origin}.`,
        ...(list.notice ? [styleText('yellow', list.notice)] : []),
        styleText('dim', flags ? `CPSC’s eFiling flags: ${flags.source}, ${flags.as_of}.` : NOT_LOADED),
        styleText('dim', list.not_included),
        styleText('dim', 'Not legal or customs advice.'),
      ].join('\n');
    },
  };
}

/** Note to show if the list of codes that CPSC flags for eFiling isn't loaded. */
const NOT_LOADED =
  'CPSC’s eFiling flags aren’t loaded, so this lookup doesn’t show whether a certificate might be needed. To load them, specify --flags.';

function explanation(result: LookupResult, flags: CodeFlags | null): string {
  const flag = flags?.of(result);
  const full = result.matches.filter(match => match.coverage === 'full');
  const deciding = full.length > 0 ? full : [...result.matches, ...result.adjacent_hits.slice(0, 1)];
  const citations = [...deciding, ...result.stacking].map(({ citation }) => citation);
  return [
    result.message,
    ...full.flatMap(otherOutcomes),
    ...new Set(full.flatMap(undecidedOrigin)),
    ...(flag ? [flag.message] : []),
    ...full.flatMap(match => match.caveats.map(caveat => styleText('yellow', `Note: ${caveat.text}`))),
    ...[...new Set(citations)].map(citation => styleText('dim', citation)),
    ...[...new Set(full.flatMap(dates))].map(date => styleText('dim', date)),
  ].join('\n');
}

/** Cites the sources for the effective dates of a listing and its duties. */
function dates({ effective_from, dated_by, duty_from, duty_dated_by, outcomes }: Match): string[] {
  return [
    dateSource(effective_from, dated_by),
    dateSource(duty_from, duty_dated_by),
    ...outcomes.slice(1).map(outcome => dateSource(outcome.effective_from, outcome.dated_by)),
  ];
}

function dateSource(date: string, basis: DateBasis): string {
  return 'legal' in basis
    ? `Effective ${date} according to ${basis.legal}.`
    : `Effective ${date} according to ${basis.first_printed}, the first edition that includes the provision. The legal effective date might be earlier.`;
}

/** Returns a note if other duties apply to some origins and the lookup doesn't specify an origin. */
function undecidedOrigin({ undecided }: Match): string[] {
  return undecided.includes('origin')
    ? ['Different duties apply to some origins. To list these duties, specify --origin.']
    : [];
}

/**
 * Lists the duties that apply under other conditions. These duties are known only if the lookup specifies an origin.
 */
function otherOutcomes(match: Match): string[] {
  return match.outcomes.slice(1).map(outcome => {
    const facts = outcome.when.map(condition => condition.text).join(', and ');
    return `Or ${dutyWords(outcome)} (${outcome.headings.join(', ') || 'heading unknown'}) if ${facts}.`;
  });
}

/** Describes how many codes have each status: `5 codes: 1 hit, 4 clear` */
export function countsInWords(counts: StatusCounts, noun: 'code' | 'row' = 'code'): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const listed = Object.entries(STATUS).flatMap(([status, { word }]) => {
    const count = counts[status as LookupResult['status']] ?? 0;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const codes = `${total} ${noun}${total === 1 ? '' : 's'}`;
  return listed.length > 0 ? `${codes}: ${listed.join(', ')}` : codes;
}
