import type { CitedRule } from '../request/cited-rules.ts';
import type { ChildrensCertificateRequest } from '../request/schema.ts';
import { type ChildrensFacts, catalogRule } from './facts.ts';
import { THIRD_PARTY_TESTING } from './third-party-testing.ts';

/** Codes for the warnings that only a Children's Product Certificate can have. */
export const CHILDRENS_WARNING_CODES = [
  'LAB_ACCEPTANCE_NOT_CHECKED',
  'FIREWALLED_LAB',
  'SMALL_BATCH_UNCONFIRMED',
  'THIRD_PARTY_TESTING_UNKNOWN',
  'GENERAL_RULE_CITED',
  'RULES_NOT_CHECKED',
  'TOY_SECTIONS_NOT_CHECKED',
  'PARTIAL_EXCLUSION',
  'NO_TRACKING_COHORT',
  'SEPARATE_CERTIFICATE',
] as const;

type Add = (
  code: (typeof CHILDRENS_WARNING_CODES)[number],
  path: string,
  message: string,
  citation: string | null,
) => void;

/** Adds the warnings that only a Children's Product Certificate can have. */
export function addChildrensWarnings(
  request: ChildrensCertificateRequest,
  facts: ChildrensFacts,
  rules: readonly CitedRule[],
  add: Add,
): void {
  if (facts.age_grading.separate)
    add(
      'SEPARATE_CERTIFICATE',
      'age_grading.sold_with_other_audience',
      'This certificate covers only the children’s product. If a rule applies to the other product in the set, issue a separate General Certificate of Conformity for that product.',
      '16 CFR 1110.13(a)',
    );
  aboutRules(request, facts, rules, add);
  aboutTesting(request, facts, rules, add);
  if (!request.tracking_label?.cohort && !request.product_info.lot_number)
    add(
      'NO_TRACKING_COHORT',
      'tracking_label.cohort',
      'The tracking label needs a batch or run number, or another identifying characteristic.',
      '15 U.S.C. 2063(a)(5)',
    );
}

function aboutRules(
  { childrens_product: product, age_grading, toy_standard }: ChildrensCertificateRequest,
  { expected_rules }: ChildrensFacts,
  rules: readonly CitedRule[],
  add: Add,
): void {
  const unknown = (path: string, message: string) => add('RULES_NOT_CHECKED', path, message, '16 CFR 1110.11(a)(2)');
  if (expected_rules === null)
    unknown('childrens_product.types', 'The product type isn’t stated, so we didn’t check which rules apply.');
  else {
    if (product?.surface_coating === undefined)
      unknown(
        'childrens_product.surface_coating',
        'The request doesn’t state whether the product has paint or a similar coating, so we didn’t check whether 16 CFR 1303 applies.',
      );
    if (product?.types?.includes('sleepwear') && !product.sleepwear_sizes)
      unknown(
        'childrens_product.sleepwear_sizes',
        'The sizes aren’t stated, so we didn’t check whether 16 CFR 1615 or 16 CFR 1616 applies.',
      );
    if (product?.types?.some(type => type === 'toy' || type === 'sleepwear') && !age_grading?.ages)
      unknown(
        'age_grading.ages',
        'The ages aren’t stated, so we didn’t check the rules that apply to products for children age 3 or younger.',
      );
  }
  for (const rule of rules) {
    const path = `cpsc_rules_cited.${rule.entry}`;
    if (rule.role === 'rule' && !catalogRule(rule)?.third_party_testing)
      add(
        'GENERAL_RULE_CITED',
        path,
        `${rule.citation} isn’t on CPSC’s list of children’s product safety rules. Make sure that the rule applies to a children’s product.`,
        THIRD_PARTY_TESTING,
      );
    if (rule.exclusion?.part)
      add(
        'PARTIAL_EXCLUSION',
        path,
        `The exclusion covers only ${rule.exclusion.part}. The rest of ${rule.citation} still requires testing.`,
        '16 CFR 1110.11(c)',
      );
  }
  if (toy_standard)
    add(
      'TOY_SECTIONS_NOT_CHECKED',
      'toy_standard.sections',
      'Our catalog doesn’t contain CPSC’s list of ASTM F963 sections that require third-party testing. Compare the sections with that list.',
      '16 CFR 1112.15',
    );
}

function aboutTesting(
  { testing_lab, other_labs = [], small_batch }: ChildrensCertificateRequest,
  { labs, third_party_testing }: ChildrensFacts,
  rules: readonly CitedRule[],
  add: Add,
): void {
  const of = (...wanted: readonly ChildrensFacts['third_party_testing'][number][]) =>
    rules.filter((_, at) => wanted.includes(third_party_testing[at]!));
  const named = (which: readonly CitedRule[]) => which.map(({ citation }) => citation).join(', ');
  const unchecked = of('not_checked');
  if (unchecked.length > 0)
    add(
      'LAB_ACCEPTANCE_NOT_CHECKED',
      'testing_lab.cpsc_lab_id',
      `No list of CPSC-accepted laboratories was supplied, so we didn’t check whether the laboratories are accepted for ${named(unchecked)}.`,
      THIRD_PARTY_TESTING,
    );
  const unscoped = of('scope_not_checked');
  if (unscoped.length > 0)
    add(
      'LAB_ACCEPTANCE_NOT_CHECKED',
      'testing_lab.cpsc_lab_id',
      `The supplied list doesn’t specify which rules each laboratory is accepted for, so we didn’t check laboratory acceptance for ${named(unscoped)}.`,
      '16 CFR 1112.19',
    );
  for (const [at, lab] of [testing_lab, ...other_labs].entries())
    if (lab?.type === 'first_party' && labs[at]?.cpsc_lab_id)
      add(
        'FIREWALLED_LAB',
        `${at === 0 ? 'testing_lab' : `other_labs.${at - 1}`}.type`,
        'CPSC accepts a manufacturer’s own laboratory only if the laboratory is protected from undue influence. We didn’t check this requirement.',
        '16 CFR 1112.11(b)',
      );
  if (small_batch && of('small_batch').length > 0)
    add(
      'SMALL_BATCH_UNCONFIRMED',
      'small_batch.registration_id',
      `According to copies of CPSC’s Group B list, registered small batch manufacturers don’t need third-party testing for ${named(of('small_batch'))}. We didn’t check the registration, its format, or CPSC’s current list.`,
      '15 U.S.C. 2063(d)(4)',
    );
  for (const { citation, entry } of of('unknown'))
    add(
      'THIRD_PARTY_TESTING_UNKNOWN',
      `cpsc_rules_cited.${entry}`,
      `We don’t know whether ${citation} requires third-party testing.`,
      THIRD_PARTY_TESTING,
    );
}
