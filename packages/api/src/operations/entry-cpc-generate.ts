import {
  certificateDetails,
  childrensCertificateRequest,
  MAX_CERTIFICATE_REQUEST_BYTES,
} from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.cpc.generate',
  method: 'post',
  path: '/api/v1/entry/cpc/generate',
  scope: 'entry',
  clientArguments: 'request',
  summary: "Generate a Children's Product Certificate",
  description:
    "Generates and stores a Children's Product Certificate (15 U.S.C. 2063(a)(2) and 16 CFR parts 1107, 1109, and 1110) as a PDF. " +
    "Requests for products that aren't intended primarily for children 12 or younger are rejected, because those products require a General " +
    "Certificate of Conformity. The certificate is a draft if the certifier hasn't attested to it, or if it doesn't list a test by a " +
    "laboratory with a CPSC lab ID for each rule that requires testing. If the operator supplied CPSC's list of accepted laboratories, the laboratory " +
    "must also be on that list. Without a list, the certificate states that laboratory acceptance wasn't checked. To get, list, and void " +
    'certificates of both types, use the `entry.gcc` operations. To retry safely, send an `Idempotency-Key` header.',
  request: childrensCertificateRequest,
  maxBodyBytes: MAX_CERTIFICATE_REQUEST_BYTES,
  response: certificateDetails,
  errors: ['idempotency_running', 'idempotency_mismatch', 'unavailable'],
  // The core library validates the request and reports issues under error codes that it defines.
  parse: body => body as never,
  examples: [
    {
      name: 'a wooden toy',
      request: {
        certificate_type: 'CPC',
        product_info: {
          name: 'Painted wooden train set',
          model: 'TR-12',
          date_of_manufacture: '2026-09-14',
          place_of_manufacture: 'Shenzhen, China',
          lot_number: 'L2026-37',
        },
        age_grading: { ages: { from_months: 36, to_months: 83 }, marketing: 'children' },
        childrens_product: { types: ['toy'], surface_coating: true },
        toy_standard: { edition: 'ASTM F963-23', sections: ['4.3.5', '4.6'] },
        manufacturer: {
          name: 'Shenzhen Little Oak Co., Ltd.',
          address: '88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China',
          contact_email: 'qa@littleoak.example',
        },
        testing_lab: { name: 'Harbor Toy Laboratories', cpsc_lab_id: '1234', test_date: '2026-08-30' },
        cpsc_rules_cited: ['16 CFR 1250', '16 CFR 1303', '15 U.S.C. 1278a', '16 CFR 1307'],
        tests: [
          { rule: '16 CFR 1250', test_date: '2026-08-30', report_id: 'HTL-26-1250' },
          { rule: '16 CFR 1303', test_date: '2026-08-30', report_id: 'HTL-26-1303' },
          { rule: '15 U.S.C. 1278a', test_date: '2026-08-30', report_id: 'HTL-26-1278' },
          { rule: '16 CFR 1307', test_date: '2026-08-30', report_id: 'HTL-26-1307' },
        ],
      },
    },
  ],
  async handler(body, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.issue('CPC', body, caller);
  },
});
