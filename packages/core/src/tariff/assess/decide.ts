import { alternativesOf, appliesToOrigin, basisOf, canApply } from '../dataset/alternatives.ts';
import type { Fact, Test } from '../dataset/conditions.ts';
import type {
  AlternativeHeading,
  Dataset,
  DateBasis,
  RateType,
  TariffList,
  Term,
  ValueBasis,
} from '../dataset/dataset.ts';
import type { DatasetIndex } from '../dataset/dataset-index.ts';
import { METALS, type Program } from '../dataset/programs.ts';
import { pairRelation } from '../dataset/stacking.ts';
import type { Assumption } from './assumptions.ts';
import { factValuesOf } from './fact-values.ts';
import { type AssessFacts, type Knowledge, knowledgeOf, type Metal } from './facts.ts';
import {
  evaluateTest,
  type FactEvidence,
  type OpenFact,
  type Samples,
  samplesOf,
  splitSamples,
  type Verdict,
} from './open-facts.ts';
import type { ListedProvision } from './variants.ts';

/** A step in the reasoning behind a result, with a citation. */
export interface Step {
  text: string;
  citation: string;
}

/** A duty that applies, before its amount is computed. */
export interface DecidedDuty {
  readonly heading: string | null;
  readonly program: Program;
  readonly list: string;
  readonly rate_pct: number | null;
  readonly rate_type: RateType;
  readonly value_basis: ValueBasis;
  readonly us_content_cap_pct: number;
  readonly whole_rate: boolean;
  readonly exempt: boolean;
  readonly effective_from: string;
  readonly dated_by: DateBasis;
  readonly caveats: readonly string[];
  readonly citation: string;
  readonly steps: readonly Step[];
  /** Headings that would take precedence but don't apply, each with the condition that isn't met. */
  readonly rejected: readonly Step[];
}

/** A possible set of duties, and the assumptions about unknown facts on which those duties are based. */
export interface Decision {
  readonly duties: readonly DecidedDuty[];
  readonly notOwed: readonly Step[];
  readonly assumptions: readonly Assumption[];
}

/** All decisions for a code, with the unknown facts that distinguish them. */
export interface Decisions {
  readonly decisions: readonly Decision[];
  readonly openFacts: readonly { readonly open: OpenFact; readonly tests: readonly Test[] }[];
}

/** Provisions that share a single duty, and the headings that can apply to those provisions. */
interface DutyGroup {
  readonly programs: readonly Program[];
  readonly metals: readonly Metal[];
  readonly listed: readonly ListedProvision[];
  readonly alternatives: readonly AlternativeHeading[];
}

/**
 * Determines the duties for a code under every possible combination of values for the unknown facts. Programs are
 * evaluated in stacking order and headings in order of precedence, so only facts that affect the result become open
 * facts.
 */
export function decide(
  index: DatasetIndex,
  listed: readonly ListedProvision[],
  date: string,
  origin: string,
  facts: AssessFacts,
): Decisions {
  const { dataset } = index;
  const groups = groupsOf(index, listed, date, origin);
  const decisions: Decision[] = [];
  const openFacts = new Map<string, OpenFact>();
  let tests: Test[] = [];

  const explore = (assumed: Assumed): void => {
    const attempt = decideGroups(dataset, groups, date, facts, assumed);
    if ('duties' in attempt) {
      decisions.push(attempt);
      return;
    }
    const { key, fact, metals, comparison } = attempt;
    if (openFacts.size === 0) tests = testsOf(dataset, groups);
    openFacts.set(key, attempt);
    const samples =
      assumed.get(key) ?? samplesOf(fact, tests, knowledgeOf(facts, fact, metals, date, factValuesOf(dataset)));
    for (const part of splitSamples(comparison, samples)) explore(new Map(assumed).set(key, part));
  };
  explore(new Map());
  return { decisions, openFacts: [...openFacts.values()].map(open => ({ open, tests })) };
}

/** Maps each open fact's key to the sample values that are consistent with the assumptions. */
type Assumed = ReadonlyMap<string, Samples>;

/** Returns the decision under the given assumptions, or the next open fact that the decision depends on. */
function decideGroups(
  dataset: Dataset,
  groups: readonly DutyGroup[],
  date: string,
  facts: AssessFacts,
  assumed: Assumed,
): Decision | OpenFact {
  const duties: DecidedDuty[] = [];
  const notOwed: Step[] = [];
  const assumptions = new Map<string, Assumption>();
  for (const group of groups) {
    const evidence = evidenceFor(dataset, group, date, facts, assumed);
    const excluding = duties
      .filter(duty => !duty.exempt)
      .map(duty => group.programs.map(program => pairRelation(dataset.stacking, duty.program, program, date)))
      .flatMap(relations => relations.filter(each => each?.stacking.relation === 'excludes'))
      .at(0);
    if (excluding && !group.programs.includes(excluding.winner!)) {
      notOwed.push({ text: excluding.stacking.text, citation: excluding.stacking.citation });
      continue;
    }
    const decided = decideGroup(dataset, group, date, evidence, assumptions, assumed);
    if (decided && 'key' in decided) return decided;
    if (decided) duties.push(decided);
  }
  return { duties, notOwed, assumptions: [...assumptions.values()] };
}

/**
 * Returns the duty on a group of provisions, null if no duty applies, or the next open fact that the duty depends on.
 */
function decideGroup(
  dataset: Dataset,
  group: DutyGroup,
  date: string,
  evidence: FactEvidence,
  assumptions: Map<string, Assumption>,
  assumed: Assumed,
): DecidedDuty | OpenFact | null {
  const note = (id: string, holds: boolean): void => {
    const { test, text } = dataset.conditions[id]!;
    const isAssumed =
      assumed.size > 0 && typeof evaluateTest(test, { ...evidence, assumed: () => undefined }) !== 'boolean';
    if (isAssumed) assumptions.set(id, { id, text, holds });
  };
  // If at least one condition isn't met, undecided conditions don't matter.
  let failed = '';
  const check = (ids: readonly string[]): Verdict => {
    let open: OpenFact | null = null;
    for (const id of ids) {
      const verdict = evaluateTest(dataset.conditions[id]!.test, evidence);
      if (verdict === false) {
        note(id, false);
        failed = id;
        return false;
      }
      if (verdict !== true) open ??= verdict;
    }
    if (open) return open;
    for (const id of ids) note(id, true);
    return true;
  };

  const described: ListedProvision[] = [];
  for (const each of group.listed) {
    const verdict = check(conditionsOf(dataset, each.provision.conditions, each));
    if (typeof verdict !== 'boolean') return verdict;
    if (verdict) described.push(each);
  }
  const list = (each: ListedProvision): Step => ({
    text: `${each.isExample ? 'The HTS number' : each.provision.hts} is on the ${each.provision.list.id} list.`,
    citation: each.listing.citation,
  });

  const rejected: Step[] = [];
  for (const heading of group.alternatives) {
    const through = described.find(({ provision }) => heading.lists.includes(provision.list.id));
    if (!through) continue;
    const { term } = through.listing;
    const required = heading.when.length > 0 ? heading.when : (term.conditions ?? []);
    const ids = conditionsOf(dataset, required, through);
    const verdict = check(ids);
    if (typeof verdict !== 'boolean') return verdict;
    if (!verdict) {
      const { text } = dataset.conditions[failed]!;
      const name = heading.headings[0] ?? 'Another heading';
      rejected.push({ text: `${name} doesn't apply: it requires that ${text}.`, citation: heading.citation });
      continue;
    }
    const reasons = reasonsOf(dataset, ids, heading.citation);
    return decidedBy(heading, through, date, [list(through), ...reasons], rejected);
  }

  const own = mostSpecific(described);
  for (const each of own) {
    const ids = conditionsOf(dataset, each.listing.term.conditions ?? [], each);
    const verdict = check(ids);
    if (typeof verdict !== 'boolean') return verdict;
    if (!verdict) continue;
    const reasons = reasonsOf(dataset, ids, each.listing.term.citation);
    return decidedBy(each.listing.term, each, date, [list(each), ...reasons], rejected);
  }
  return null;
}

function decidedBy(
  source: AlternativeHeading | Term,
  { provision, listing }: ListedProvision,
  date: string,
  steps: Step[],
  rejected: Step[],
): DecidedDuty {
  const alternative = 'when' in source ? source : null;
  const verifiedFrom = provision.list.membership_verified_from;
  const basis = alternative?.value_basis ?? basisOf(listing.term, provision.prefix.slice(0, 2));
  const heading = source.headings[0] ?? null;
  const dated =
    'legal' in source.dated_by ? source.dated_by.legal : `first printed in ${source.dated_by.first_printed}`;
  return {
    heading,
    program: alternative?.program ?? provision.list.program,
    list: provision.list.id,
    rate_pct: source.rate_pct,
    rate_type: source.rate_type,
    value_basis: basis,
    us_content_cap_pct: alternative?.us_content_cap_pct ?? 100,
    whole_rate: alternative?.filed === 'whole_rate',
    exempt: alternative?.exempt ?? false,
    effective_from: source.effective_from,
    dated_by: source.dated_by,
    caveats: [
      ...provision.caveats,
      ...(provision.batch.caveats ?? []),
      ...(source.caveats ?? []),
      ...(verifiedFrom !== undefined && date < verifiedFrom ? ['membership_not_verified'] : []),
    ],
    citation: alternative ? alternative.citation : listing.citation,
    steps: [
      ...steps,
      {
        text: `${heading ?? 'The duty under an unpublished heading'} has applied since ${source.effective_from} (${dated}).`,
        citation: source.citation,
      },
    ],
    rejected,
  };
}

/**
 * Groups the listed provisions in stacking order. If a group's duties can exclude another group's duty, the excluding
 * group comes first.
 */
function groupsOf(index: DatasetIndex, listed: readonly ListedProvision[], date: string, origin: string): DutyGroup[] {
  const { headings, stacking } = index.dataset;
  const groups: ListedProvision[][] = [];
  for (const each of listed) {
    const { program } = each.provision.list;
    const same = groups.find(group =>
      group.some(({ provision: { list } }) => {
        if (list.program === program) return true;
        return pairRelation(stacking, list.program, program, date)?.stacking.relation === 'one_heading';
      }),
    );
    if (same) same.push(each);
    else groups.push([each]);
  }
  const lists: TariffList[] = listed.map(({ provision }) => provision.list);
  const built = groups.map((group): DutyGroup => {
    const programs = [...new Set(group.map(({ provision }) => provision.list.program))];
    const possible = new Set(
      group.flatMap(({ provision: { list, prefix } }) => alternativesOf(index, list.id, prefix, date, lists)),
    );
    return {
      programs,
      metals: programs.filter((program): program is Metal => METALS.includes(program)),
      listed: group,
      alternatives: headings.filter(heading => possible.has(heading) && appliesToOrigin(heading, origin)),
    };
  });
  const excluders = (group: DutyGroup) =>
    built.filter(other =>
      other.programs.some(a =>
        group.programs.some(b => pairRelation(stacking, a, b, date)?.winner === a && !group.programs.includes(a)),
      ),
    ).length;
  return built
    .map((group, index) => ({ group, index, order: excluders(group) }))
    .sort((a, b) => a.order - b.order || a.index - b.index)
    .map(({ group }) => group);
}

/** Sorts provisions from the most digits to the fewest, so that the most specific provision is checked first. */
function mostSpecific(listed: readonly ListedProvision[]): readonly ListedProvision[] {
  return listed.toSorted((a, b) => b.provision.prefix.length - a.provision.prefix.length);
}

/** Returns the tests for all conditions that the groups refer to. */
function testsOf({ conditions }: Dataset, groups: readonly DutyGroup[]): Test[] {
  const ids = groups.flatMap(({ listed, alternatives }) => [
    ...listed.flatMap(each => [...each.provision.conditions, ...(each.listing.term.conditions ?? [])]),
    ...alternatives.flatMap(({ when }) => when),
  ]);
  return [...new Set(ids)].map(id => conditions[id]!.test);
}

function conditionsOf(dataset: Dataset, ids: readonly string[], { provision }: ListedProvision): string[] {
  return ids.filter(id => canApply(dataset, id, provision.prefix.slice(0, 2)));
}

function evidenceFor(
  dataset: Dataset,
  { metals }: DutyGroup,
  date: string,
  facts: AssessFacts,
  assumed: Assumed,
): FactEvidence {
  const key = (fact: string) => (fact.includes('metal') ? `${fact} ${metals.join()}` : fact);
  const known = new Map<Fact, Knowledge>();
  return {
    known(fact) {
      if (!known.has(fact)) known.set(fact, knowledgeOf(facts, fact, metals, date, factValuesOf(dataset)));
      return known.get(fact)!;
    },
    assumed: fact => (assumed.size === 0 ? undefined : assumed.get(key(fact))),
    open: comparison => ({ key: key(comparison.fact), fact: comparison.fact, metals, comparison }),
  };
}

/** Returns a step for each condition that is met, with the condition as the step's text. */
function reasonsOf({ conditions }: Dataset, ids: readonly string[], citation: string): Step[] {
  return ids.map(id => {
    const { text } = conditions[id]!;
    return { text: `${text[0]!.toUpperCase()}${text.slice(1)}.`, citation };
  });
}
