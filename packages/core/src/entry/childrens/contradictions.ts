import type { CitedRule } from '../request/cited-rules.ts';
import type { ChildrensCertificateRequest } from '../request/schema.ts';
import type { ChildrensFacts } from './facts.ts';
import { THIRD_PARTY_TESTING } from './third-party-testing.ts';

/** Codes for the contradictions that only a Children's Product Certificate can have. */
export const CHILDRENS_CONTRADICTION_CODES = [
  'INVALID_LAB_ID',
  'LAB_NOT_ACCEPTED',
  'SMALL_BATCH_YEAR',
  'COMPONENT_NOT_IDENTICAL',
] as const;

type Add = (
  code: (typeof CHILDRENS_CONTRADICTION_CODES)[number],
  path: string,
  message: string,
  citation: string,
) => void;

/**
 * Reports values in a Children's Product Certificate that can't meet the legal requirements or that contradict each
 * other.
 */
export function addChildrensContradictions(
  request: ChildrensCertificateRequest,
  { labs, lab_list, third_party_testing }: ChildrensFacts,
  rules: readonly CitedRule[],
  add: Add,
): void {
  for (const [at, { cpsc_lab_id, status }] of labs.entries()) {
    const path = `${at === 0 ? 'testing_lab' : `other_labs.${at - 1}`}.cpsc_lab_id`;
    if (status === 'invalid_id')
      add(
        'INVALID_LAB_ID',
        path,
        'A CPSC lab ID has four digits. Enter accreditation numbers in accreditation_id.',
        THIRD_PARTY_TESTING,
      );
    if (status === 'not_listed')
      add(
        'LAB_NOT_ACCEPTED',
        path,
        `Laboratory ${cpsc_lab_id} isn’t on the list of accepted laboratories dated ${lab_list!.as_of}.`,
        THIRD_PARTY_TESTING,
      );
    const outside = rules.filter(
      ({ tests }, rule) => third_party_testing[rule] === 'not_accepted' && tests.some(test => test.lab === at),
    );
    if (status === 'accepted' && outside.length > 0)
      add(
        'LAB_NOT_ACCEPTED',
        path,
        `According to the list dated ${lab_list!.as_of}, laboratory ${cpsc_lab_id} isn’t accepted for ${outside.map(({ citation }) => citation).join(', ')}.`,
        THIRD_PARTY_TESTING,
      );
  }
  const { small_batch: batch, product_info, component_certificates = [] } = request;
  if (batch && !product_info.date_of_manufacture.startsWith(`${batch.year}-`))
    add(
      'SMALL_BATCH_YEAR',
      'small_batch.year',
      `The registration is for ${batch.year}, but the product was manufactured in ${product_info.date_of_manufacture.slice(0, 4)}. Small batch manufacturers must register every year.`,
      '15 U.S.C. 2063(d)(4)',
    );
  for (const [at, { identical }] of component_certificates.entries())
    if (identical === false)
      add(
        'COMPONENT_NOT_IDENTICAL',
        `component_certificates.${at}.identical`,
        'A component test can’t support the certificate if the tested component differs materially from the one in the product.',
        '16 CFR 1109.5(a)(2)',
      );
}
