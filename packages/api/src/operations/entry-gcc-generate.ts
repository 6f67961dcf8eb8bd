import { certificateDetails, certificateRequest } from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.gcc.generate',
  method: 'post',
  path: '/api/v1/entry/gcc/generate',
  scope: 'entry',
  clientArguments: 'request',
  summary: 'Generate a General Certificate of Conformity',
  description:
    'Generates and stores a certificate under 16 CFR part 1110 as a PDF. Possible legal problems are reported as warnings and printed on the ' +
    'certificate. Only a complete certificate supersedes the one in `supersedes`. A draft or incomplete certificate is marked as such ' +
    'on the PDF and leaves the other certificate unchanged. To retry safely, send an `Idempotency-Key` header: a repeated ' +
    'request with the same key and body returns the same certificate.',
  request: certificateRequest,
  response: certificateDetails,
  errors: ['idempotency_running', 'idempotency_mismatch', 'unavailable'],
  // The core library validates the request and reports issues with its own codes.
  parse: body => body as never,
  examples: [
    {
      name: 'a bicycle helmet',
      request: {
        product_info: {
          name: 'Road Bicycle Helmet',
          model: 'RB-200',
          sku: 'RB-200-M',
          date_of_manufacture: '2026-09-14',
          place_of_manufacture: 'Shenzhen, China',
        },
        manufacturer: {
          name: 'Shenzhen Velo Safety Co., Ltd.',
          address: '88 Keyuan Road, Nanshan District, Shenzhen, Guangdong 518057, China',
          contact_email: 'compliance@velosafety.example',
        },
        testing_lab: {
          name: 'Pacific Test Laboratories',
          accreditation_id: 'ISO 17025 / 1234',
          test_date: '2026-08-30',
        },
        cpsc_rules_cited: ['16 CFR 1203'],
      },
    },
  ],
  async handler(body, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.issue('GCC', body, caller);
  },
});
