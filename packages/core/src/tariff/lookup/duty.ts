import { alternativesOf, appliesToOrigin, basisOf, canApply } from '../dataset/alternatives.ts';
import type { AlternativeHeading, Dataset, DateBasis, Duty, TariffList } from '../dataset/dataset.ts';
import type { DatasetIndex } from '../dataset/dataset-index.ts';
import type { Program } from '../dataset/programs.ts';
import { type Listing, laterStart, type Provision } from '../dataset/provisions.ts';

/** A fact about the goods that determines whether a duty applies. */
export interface Condition {
  id: string;
  text: string;
}

/**
 * A possible duty on the goods. The default duty applies if no other duty applies and the goods meet the listing's
 * conditions, which are in the duty's `when`. Any other duty applies if every fact in its `when` is true of the goods.
 */
export interface Outcome extends Duty {
  /**
   * The duty's program, which differs from the match's program if the article can be certified as a part under another
   * program.
   */
  program: Program;
  when: Condition[];
  caveats: string[];
  /** Effective date of the heading or term, with the basis for that date. */
  effective_from: string;
  dated_by: DateBasis;
  citation: string;
}

/** The duty on a provision for one origin, or for an unknown origin. */
export interface DutyAssessment {
  /** The default duty for the origin, or the list's default duty if the origin is unknown. */
  duty: Duty;
  /**
   * Start date of the default duty for the provision: the effective date of the duty's heading or of the listing,
   * whichever is later.
   */
  duty_from: string;
  /** Basis for the date in `duty_from`. */
  duty_dated_by: DateBasis;
  /** Facts that must be true of the goods for the default duty to apply. */
  conditions: Condition[];
  /** Every possible duty, with the default first. Empty if the origin is unknown. */
  outcomes: Outcome[];
  /**
   * Condition IDs of the facts that determine which outcome applies. If the origin is unknown and can change the duty,
   * the first item is `origin`.
   */
  undecided: string[];
  caveats: string[];
}

/**
 * Returns the duty that a listing imposes on a provision on a given date. An alternative heading that depends only on
 * the origin replaces the list's own heading. A heading that depends on any other fact is added as an outcome but never
 * becomes the default.
 */
export function dutyOn(
  index: DatasetIndex,
  provision: Provision,
  listing: Listing,
  date: string,
  origin: string | null,
  lists: readonly TariffList[],
): DutyAssessment {
  const { dataset } = index;
  const { term } = listing;
  const chapter = provision.prefix.slice(0, 2);
  const possible = alternativesOf(index, provision.list.id, provision.prefix, date, lists);
  const required = conditions(dataset, [...provision.conditions, ...(term.conditions ?? [])], chapter);
  const { effective_from, dated_by, citation } = term;
  const own: Outcome = {
    ...dutyOf(term),
    value_basis: basisOf(term, chapter),
    program: provision.list.program,
    when: required,
    caveats: [],
    effective_from,
    dated_by,
    citation,
  };

  if (origin === null) {
    const bound = possible.some(heading => heading.origins ?? heading.except_origins);
    return {
      duty: dutyOf(own),
      ...startOf(own, listing),
      conditions: required,
      outcomes: [],
      undecided: [...(bound ? ['origin'] : []), ...factsOf(required, possible)],
      caveats: [],
    };
  }

  const applicable = possible.filter(heading => appliesToOrigin(heading, origin));
  const forOrigin = applicable.find(heading => heading.when.length === 0);
  const base: Outcome = forOrigin ? { ...outcomeOf(dataset, forOrigin, own, chapter), when: required } : own;
  const others = reachable(applicable.filter(heading => heading.when.length > 0));
  return {
    duty: dutyOf(base),
    ...startOf(base, listing),
    conditions: required,
    outcomes: [base, ...others.map(heading => outcomeOf(dataset, heading, own, chapter))],
    undecided: factsOf(required, others),
    caveats: base.caveats,
  };
}

/**
 * Returns the headings that can apply. A heading never applies if its conditions include all conditions of an earlier
 * heading.
 */
function reachable(headings: readonly AlternativeHeading[]): AlternativeHeading[] {
  return headings.filter(
    (heading, at) => !headings.slice(0, at).some(({ when }) => when.every(id => heading.when.includes(id))),
  );
}

function dutyOf({ headings, rate_pct, rate_type, value_basis }: Duty): Duty {
  return { headings, rate_pct, rate_type, value_basis };
}

/** Returns the start date of a duty for a listing, with the basis for that date. */
function startOf(outcome: Outcome, listing: Listing): Pick<DutyAssessment, 'duty_from' | 'duty_dated_by'> {
  const { effective_from, dated_by } = laterStart(outcome, listing);
  return { duty_from: effective_from, duty_dated_by: dated_by };
}

function outcomeOf(dataset: Dataset, heading: AlternativeHeading, own: Outcome, chapter: string): Outcome {
  return {
    headings: heading.headings,
    rate_pct: heading.rate_pct,
    rate_type: heading.rate_type,
    value_basis: heading.value_basis ?? own.value_basis,
    program: heading.program ?? own.program,
    when: conditions(dataset, heading.when, chapter),
    caveats: heading.caveats ?? [],
    effective_from: heading.effective_from,
    dated_by: heading.dated_by,
    citation: heading.citation,
  };
}

/** Returns the conditions with the given IDs that can apply in a chapter. */
function conditions(dataset: Dataset, ids: readonly string[], chapter: string): Condition[] {
  return ids.filter(id => canApply(dataset, id, chapter)).map(id => ({ id, text: dataset.conditions[id]!.text }));
}

function factsOf(required: readonly Condition[], headings: readonly AlternativeHeading[]): string[] {
  const facts = new Set(required.map(({ id }) => id));
  for (const { when } of headings) for (const id of when) facts.add(id);
  return [...facts];
}
