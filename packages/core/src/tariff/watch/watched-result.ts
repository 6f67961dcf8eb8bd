import type { Duty, Role, StackingRelation } from '../dataset/dataset.ts';
import type { Program } from '../dataset/programs.ts';
import type { LookupResult } from '../lookup/lookup.ts';

/** A duty that applies if the goods meet every condition in `when`. */
export interface WatchedOutcome extends Duty {
  program: Program;
  /** IDs of the conditions that the goods must meet. */
  when: string[];
  citation: string;
}

/** A listing that covers a watched code, with its duty. */
export interface WatchedDuty extends Duty {
  program: Program;
  role: Role;
  /** The provision as printed in the list. */
  hts: string;
  coverage: 'full' | 'partial';
  annex: string | null;
  /** Start date of this duty for the provision. */
  duty_from: string;
  /** IDs of the conditions that the goods must meet for this duty to apply. */
  conditions: string[];
  /** Facts that determine whether this duty or another one applies. */
  undecided: string[];
  /** Other possible duties for the origin. Empty if the origin wasn't specified. */
  alternatives: WatchedOutcome[];
  /** Programs whose duty, if owed, replaces this duty. */
  yields_to: Program[];
  citation: string;
}

/**
 * The part of a lookup result that determines the duties on a code. Two results for the same code are equal if
 * `resultKey` returns the same text for both.
 */
export interface WatchedResult {
  /**
   * `hit` or `in_scope`, which have the same meaning as in a lookup result, or `not_covered` if no listing in force
   * covers the code.
   */
  status: 'hit' | 'in_scope' | 'not_covered';
  duties: WatchedDuty[];
  /** Relation between the duties of each pair of programs whose matches overlap. */
  stacking: { programs: [Program, Program]; relation: StackingRelation; owed: Program | null; citation: string }[];
}

/** The result for a code that isn't covered by any listing in force. */
export const NOT_COVERED: WatchedResult = { status: 'not_covered', duties: [], stacking: [] };

/** Returns the part of a lookup result that determines the duties on the code. */
export function watchedResultOf({ matches, stacking }: Pick<LookupResult, 'matches' | 'stacking'>): WatchedResult {
  if (matches.length === 0) return NOT_COVERED;
  const hit = matches.some(match => match.coverage === 'full' && match.role === 'derivative');
  const duties = matches.map((match): WatchedDuty => {
    const [base, ...others] = match.outcomes;
    const isCited = base === undefined || match.citation.includes(base.citation);
    return {
      program: match.program,
      role: match.role,
      hts: match.hts,
      coverage: match.coverage,
      annex: match.annex,
      headings: match.headings,
      rate_pct: match.rate_pct,
      rate_type: match.rate_type,
      value_basis: match.value_basis,
      duty_from: match.duty_from,
      conditions: match.conditions.map(({ id }) => id),
      undecided: match.undecided,
      alternatives: others.map(outcome => ({
        program: outcome.program,
        headings: outcome.headings,
        rate_pct: outcome.rate_pct,
        rate_type: outcome.rate_type,
        value_basis: outcome.value_basis,
        when: outcome.when.map(({ id }) => id),
        citation: outcome.citation,
      })),
      yields_to: match.yields_to,
      citation: isCited ? match.citation : `${match.citation}; ${base.citation}`,
    };
  });
  return {
    status: hit ? 'hit' : 'in_scope',
    duties,
    stacking: stacking.map(({ programs, relation, owed, citation }) => ({ programs, relation, owed, citation })),
  };
}

/**
 * Returns text that contains everything in a duty that affects the amount owed or the declaration. The text is the same
 * for two provisions that cover the whole code and impose the same duty, so rewriting `8431.20.00` as `8431.20.00.00`
 * isn't a change. Citations and start dates aren't part of the text, because correcting them doesn't change the duty.
 */
export function dutyKey(duty: WatchedDuty): string {
  return JSON.stringify([
    duty.coverage === 'full' ? null : duty.hts,
    ...[duty.program, duty.role, duty.annex, ...dutyFields(duty)],
    [...duty.conditions].sort(),
    [...duty.undecided].sort(),
    duty.alternatives.map(outcome => [outcome.program, ...dutyFields(outcome), [...outcome.when].sort()]),
    [...duty.yields_to].sort(),
  ]);
}

/** Returns text that is the same for two results if and only if the results are equal. */
export function resultKey({ status, duties, stacking }: WatchedResult): string {
  const relations = stacking.map(entry => JSON.stringify([entry.programs, entry.relation, entry.owed]));
  return JSON.stringify([status, [...new Set(duties.map(dutyKey))].sort(), relations.sort()]);
}

function dutyFields({ headings, rate_pct, rate_type, value_basis }: Duty): unknown[] {
  return [headings, rate_pct, rate_type, value_basis];
}
