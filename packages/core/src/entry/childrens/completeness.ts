import type { CitedRule } from '../request/cited-rules.ts';
import { componentsOf } from '../request/parse.ts';
import type { ChildrensCertificateRequest } from '../request/schema.ts';
import type { ChildrensFacts } from './facts.ts';
import { THIRD_PARTY_TESTING } from './third-party-testing.ts';

/** An element missing from a Children's Product Certificate, with the field that would provide it. */
interface ChildrensGap {
  element: string;
  path: string;
  message: string;
}

/**
 * Lists the elements missing from a Children's Product Certificate, other than those that every certificate needs.
 * Source: 15 U.S.C. 2063(a)(2), and 16 CFR parts 1109, 1110, and 1200.
 */
export function childrensGaps(
  request: ChildrensCertificateRequest,
  { age_grading, third_party_testing, expected_rules }: ChildrensFacts,
  rules: readonly CitedRule[],
): ChildrensGap[] {
  const gaps: ChildrensGap[] = [];
  const lack = (element: string, path: string, message: string) => gaps.push({ element, path, message });
  if (age_grading.decision === 'undetermined') {
    const { text } = age_grading.reasons.at(-1)!;
    lack('16 CFR 1200.2', 'age_grading', `Evidence that this is a children’s product. ${text.replace(/\.$/, '')}`);
  }
  for (const { citation, subject, cited } of expected_rules ?? [])
    if (cited === null)
      lack(
        '16 CFR 1110.11(a)(2)',
        'cpsc_rules_cited',
        `${citation} (${subject}), which applies based on the stated facts`,
      );
  if (rules.some(({ citation }) => citation === '16 CFR 1250') && !namesSections(request, rules))
    lack('16 CFR 1110.11(a)(2)', 'toy_standard', 'The sections of ASTM F963 that apply to the toy');
  for (const [at, { citation, entry }] of rules.entries())
    if (third_party_testing[at] === 'not_accepted')
      lack(
        THIRD_PARTY_TESTING,
        `cpsc_rules_cited.${entry}`,
        `A test for ${citation} by a CPSC-accepted laboratory, with the laboratory’s four-digit CPSC lab ID`,
      );
  for (const [at, { issuer, identical }] of componentsOf(request).entries()) {
    const path = `component_certificates.${at}`;
    for (const field of ['address', 'phone', 'email'] as const)
      if (!issuer[field])
        lack('16 CFR 1110.19', `${path}.issuer.${field}`, `Component certificate ${at + 1}: issuer’s ${NAMES[field]}`);
    if (identical !== true)
      lack(
        '16 CFR 1109.5(a)(2)',
        `${path}.identical`,
        `Component certificate ${at + 1}: the statement that the tested component is identical in all material respects to the one in the product`,
      );
  }
  return gaps;
}

const NAMES = { address: 'address', phone: 'phone number', email: 'email address' } as const;

/** Returns whether the certificate names sections of ASTM F963, in `toy_standard` or in a citation. */
const namesSections = ({ toy_standard }: ChildrensCertificateRequest, rules: readonly CitedRule[]) =>
  toy_standard !== undefined ||
  rules.some(
    ({ citation, detail, as_cited }) => citation === '16 CFR 1250' && /F ?963/i.test(as_cited) && /\d\.\d/.test(detail),
  );
