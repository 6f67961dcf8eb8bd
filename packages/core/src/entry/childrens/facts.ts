import { type CatalogRule, catalog, type ProductFact } from '../citations/catalog.ts';
import { resolveCitation } from '../citations/resolve.ts';
import { type AgeGrading, gradeAge } from '../request/age-grading.ts';
import type { CitedRule } from '../request/cited-rules.ts';
import { needsTest } from '../request/rules.ts';
import type { ChildrensCertificateRequest } from '../request/schema.ts';
import { type LabList, type LabStatus, labStatus } from './lab-list.ts';

/**
 * The result of checking a rule's tests against 15 U.S.C. 2063(a)(2):
 *
 * - `accepted`: the laboratory that performed the rule's test is accepted for the rule, according to the supplied list
 * - `scope_not_checked`: a laboratory on the supplied list performed the rule's test, but the list doesn't state which
 *   rules the acceptance covers
 * - `not_checked`: a laboratory with a CPSC lab ID performed the rule's test, but no list was supplied
 * - `not_accepted`: no laboratory with a valid ID performed the rule's test, or the supplied list doesn't show that
 *   such a laboratory is accepted for the rule
 * - `small_batch`: no accepted laboratory performed the rule's test, but a registered small batch manufacturer can rely
 *   on another laboratory's test
 * - `excluded`: a testing exclusion is claimed
 * - `not_required`: the rule isn't on CPSC's list of rules that require third-party testing
 * - `unknown`: the catalog doesn't contain the rule
 */
export type ThirdPartyTesting =
  | 'accepted'
  | 'scope_not_checked'
  | 'not_checked'
  | 'not_accepted'
  | 'small_batch'
  | 'excluded'
  | 'not_required'
  | 'unknown';

/**
 * A rule that the certificate is expected to cite, based on the stated facts. `cited` is the index of the cited rule
 * that covers the expected rule, or null.
 */
export interface ExpectedRule {
  citation: string;
  subject: string;
  facts: readonly ProductFact[];
  source: string;
  cited: number | null;
}

/** The facts that only a Children's Product Certificate contains. */
export interface ChildrensFacts {
  age_grading: AgeGrading;
  /** Date and source of the supplied list of CPSC-accepted laboratories, or null if acceptance wasn't checked. */
  lab_list: { as_of: string; source: string } | null;
  /** The acceptance status of each laboratory: `testing_lab`, followed by `other_labs`. */
  labs: readonly { cpsc_lab_id: string | null; status: LabStatus }[];
  /** Results of checking the tests for each cited rule, in the same order as the rules. */
  third_party_testing: readonly ThirdPartyTesting[];
  /**
   * The rules that the certificate is expected to cite, based on the stated facts. Null if no product type is stated,
   * because the rules depend on it.
   */
  expected_rules: readonly ExpectedRule[] | null;
}

/** Derives the facts in a Children's Product Certificate from the request and the cited rules. */
export function childrensFacts(
  request: ChildrensCertificateRequest,
  rules: readonly CitedRule[],
  list: LabList | null,
): ChildrensFacts {
  const labs = [request.testing_lab, ...(request.other_labs ?? [])].map(lab => ({
    cpsc_lab_id: lab?.cpsc_lab_id ?? null,
    status: labStatus(lab?.cpsc_lab_id, list),
  }));
  return {
    age_grading: gradeAge(request),
    lab_list: list && { as_of: list.as_of, source: list.source },
    labs,
    third_party_testing: rules.map(rule => testingOf(rule, { request, rules, labs, list })),
    expected_rules: expectedRules(request, rules),
  };
}

/** Returns a cited rule's catalog entry, or undefined. */
export const catalogRule = ({ citation }: Pick<CitedRule, 'citation'>): CatalogRule | undefined =>
  catalog.rules.find(rule => rule.citation === citation);

interface Evidence {
  readonly request: ChildrensCertificateRequest;
  readonly rules: readonly CitedRule[];
  readonly labs: ChildrensFacts['labs'];
  readonly list: LabList | null;
}

function testingOf(rule: CitedRule, { request, rules, labs, list }: Evidence): ThirdPartyTesting {
  if (!needsTest(rule)) return rule.exclusion ? 'excluded' : 'not_required';
  const known = catalogRule(rule);
  if (!known) return 'unknown';
  if (!known.third_party_testing) return 'not_required';
  // If only one rule is cited, its test date and laboratory can come from `testing_lab`.
  const tested = rule.tests.length === 0 && rules.length === 1 ? [0] : rule.tests.map(({ lab }) => lab);
  const found = tested.map(at => acceptanceOf(labs[at]!, known, list));
  const best = (['accepted', 'scope_not_checked', 'not_checked'] as const).find(each => found.includes(each));
  if (best) return best;
  const isRelieved = known.third_party_testing.small_batch?.group === 'B' && isRegistered(request);
  return isRelieved && tested.length > 0 ? 'small_batch' : 'not_accepted';
}

function acceptanceOf(
  { cpsc_lab_id: id, status }: ChildrensFacts['labs'][number],
  rule: CatalogRule,
  list: LabList | null,
): ThirdPartyTesting {
  if (status === 'not_checked') return 'not_checked';
  if (status !== 'accepted') return 'not_accepted';
  const scope = list?.labs.find(lab => lab.cpsc_lab_id === id)?.rules;
  if (!scope) return 'scope_not_checked';
  return scope.some(citation => resolveCitation(citation).rule === rule) ? 'accepted' : 'not_accepted';
}

/** Returns whether the request has a small batch registration for the year of manufacture. */
function isRegistered({ small_batch, product_info }: ChildrensCertificateRequest): boolean {
  return small_batch !== undefined && product_info.date_of_manufacture.startsWith(`${small_batch.year}-`);
}

const SIZES = { '0-6X': 'sizes_0_to_6x', '7-14': 'sizes_7_to_14' } as const;

/** Returns the facts that the request states. Makes no assumptions about facts that the request omits. */
function statedFacts({ childrens_product: product, age_grading }: ChildrensCertificateRequest): ProductFact[] {
  const youngest = age_grading?.ages?.from_months;
  return [
    'childrens_product',
    ...(product?.types ?? []),
    ...(product?.surface_coating ? (['surface_coating'] as const) : []),
    ...(product?.sleepwear_sizes ?? []).map(size => SIZES[size]),
    ...(youngest !== undefined && youngest < 36 ? (['under_3'] as const) : []),
    ...(youngest !== undefined && youngest < 48 ? (['age_3_or_younger'] as const) : []),
  ];
}

function expectedRules(request: ChildrensCertificateRequest, rules: readonly CitedRule[]): ExpectedRule[] | null {
  if (!request.childrens_product?.types) return null;
  const stated = new Set(statedFacts(request));
  return catalog.rules.flatMap(({ citation, subject, expected_for = [] }) => {
    const reason = expected_for.find(({ facts }) => facts.every(fact => stated.has(fact)));
    if (!reason) return [];
    const cited = rules.findIndex(rule => rule.citation === citation);
    return [{ citation, subject, ...reason, cited: cited < 0 ? null : cited }];
  });
}
