import { holds } from '../dates.ts';
import { type AlternativeHeading, type Duty, EDITION, type Term } from '../edition/edition.ts';
import type { Provision } from '../edition/provisions.ts';
import { includesOrigin } from './origins.ts';

/** A fact about the goods that a duty depends on. */
export interface Condition {
  id: string;
  text: string;
}

/** What is charged if every fact in `when` is true of the goods. An empty `when` is the case with no such fact. */
export interface Outcome extends Duty {
  when: Condition[];
  caveats: string[];
  citation: string;
}

/** The duty on a provision for one origin, or for an origin that is not known. */
export interface DutyAnswer {
  /** The duty with no special fact; for a known origin the one of that origin. */
  duty: Duty;
  /** What must be true of the goods for that duty. */
  conditions: Condition[];
  /** Every possible duty, the one above first. Empty while the origin is not known. */
  outcomes: Outcome[];
  /** The facts that would decide between outcomes: `origin` first if it is not known, then condition ids. */
  undecided: string[];
  caveats: string[];
}

const HEADINGS_OF_LIST = new Map<string, AlternativeHeading[]>();
for (const heading of EDITION.headings) {
  for (const list of heading.lists) {
    HEADINGS_OF_LIST.set(list, [...(HEADINGS_OF_LIST.get(list) ?? []), heading]);
  }
}

/**
 * The duty on a provision under a term on a date. An alternative heading that is bound to the origin alone takes the place
 * of the list's own; one that needs a further fact stands beside it as an outcome, and is never chosen here.
 */
export function dutyOn(provision: Provision, term: Term, date: string, origin: string | null): DutyAnswer {
  const chapter = provision.prefix.slice(0, 2);
  const possible = (HEADINGS_OF_LIST.get(provision.list.id) ?? []).filter(
    heading =>
      holds(heading, date) &&
      (heading.chapters?.includes(chapter) ?? true) &&
      heading.when.every(id => canMatter(id, chapter)),
  );
  const required = conditions([...provision.conditions, ...(term.conditions ?? [])], chapter);
  const own: Outcome = { ...dutyOf(term), when: required, caveats: [], citation: term.citation };

  if (origin === null) {
    const bound = possible.some(heading => heading.origins ?? heading.except_origins);
    return {
      duty: dutyOf(term),
      conditions: required,
      outcomes: [],
      undecided: [...(bound ? ['origin'] : []), ...factsOf(required, possible)],
      caveats: [],
    };
  }

  const applicable = possible.filter(
    heading =>
      (!heading.origins || includesOrigin(heading.origins, origin)) &&
      !(heading.except_origins && includesOrigin(heading.except_origins, origin)),
  );
  const forOrigin = applicable.find(heading => heading.when.length === 0);
  const base: Outcome = forOrigin ? { ...outcomeOf(forOrigin, term, chapter), when: required } : own;
  const others = applicable.filter(heading => heading.when.length > 0);
  return {
    duty: dutyOf(base),
    conditions: required,
    outcomes: [base, ...others.map(heading => outcomeOf(heading, term, chapter))],
    undecided: factsOf(required, others),
    caveats: base.caveats,
  };
}

function dutyOf({ headings, rate_pct, rate_type, value_basis }: Duty): Duty {
  return { headings, rate_pct, rate_type, value_basis };
}

function outcomeOf(heading: AlternativeHeading, term: Term, chapter: string): Outcome {
  return {
    headings: heading.headings,
    rate_pct: heading.rate_pct,
    rate_type: heading.rate_type,
    value_basis: heading.value_basis ?? term.value_basis,
    when: conditions(heading.when, chapter),
    caveats: heading.caveats ?? [],
    citation: heading.citation,
  };
}

function canMatter(id: string, chapter: string): boolean {
  return !EDITION.conditions[id]!.except_chapters?.includes(chapter);
}

/** The conditions of these ids that can matter in a chapter. */
function conditions(ids: readonly string[], chapter: string): Condition[] {
  return ids.filter(id => canMatter(id, chapter)).map(id => ({ id, text: EDITION.conditions[id]!.text }));
}

function factsOf(required: readonly Condition[], headings: readonly AlternativeHeading[]): string[] {
  const facts = new Set(required.map(({ id }) => id));
  for (const { when } of headings) for (const id of when) facts.add(id);
  return [...facts];
}
