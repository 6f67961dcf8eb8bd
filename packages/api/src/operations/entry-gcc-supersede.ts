import { certificateDetails, certificateId, MAX_CERTIFICATE_REQUEST_BYTES } from '@compliance/contract/certificate';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import generate from './entry-gcc-generate.ts';
import { defineOperation } from './operation.ts';

const OFFICE = { address: '410 Alder Street', city: 'Portland', state_province: 'Oregon', country: 'US' };

const { product_info, manufacturer, testing_lab, cpsc_rules_cited } = generate.examples[0]!.request;
/** The `generate` example with its missing elements added. */
const complete: (typeof generate.examples)[0]['request'] = {
  product_info: { ...product_info, description: 'In-mold road helmet with 18 vents, size M, matte black' },
  manufacturer: { ...manufacturer, phone: '+86 755 8321 1234' },
  testing_lab: {
    ...testing_lab!,
    address: '1200 Harbor Way, Long Beach, CA 90802, USA',
    phone: '+1 562 555 0199',
    email: 'reports@pacifictest.example',
  },
  cpsc_rules_cited,
  certifier: {
    role: 'importer',
    name: 'Cascade Cycle Imports LLC',
    ...OFFICE,
    phone: '+1 503 555 0142',
    email: 'certificates@cascadecycle.example',
  },
  records_contact: {
    position: 'Compliance manager',
    ...OFFICE,
    phone: '+1 503 555 0143',
    email: 'records@cascadecycle.example',
  },
  attestation: {
    attested_by: 'Dana Whitfield',
    attested_at: '2026-09-30',
    text_version: '16cfr1110.11-2026-07-08',
  },
};

export default defineOperation({
  id: 'entry.gcc.supersede',
  method: 'post',
  path: '/api/v1/entry/gcc/{id}/supersede',
  scope: 'entry',
  clientArguments: 'request',
  summary: 'Supersede a certificate',
  description:
    "Issues a complete General Certificate of Conformity that supersedes one of your account's certificates, and returns the new " +
    'certificate. If the new certificate would be a draft or incomplete, the request fails without changing anything, and `issues` ' +
    'lists the missing elements and contradictions. To supersede a certificate with a Children’s Product Certificate, use ' +
    '`entry.cpc.generate` with `supersedes`. ' +
    "The superseded certificate's PDF and page remain available, and the page links to the new certificate.",
  params: z.strictObject({ id: certificateId }),
  request: generate.request,
  maxBodyBytes: MAX_CERTIFICATE_REQUEST_BYTES,
  response: certificateDetails,
  errors: [
    ...(['certificate_not_found', 'certificate_void', 'certificate_superseded'] as const),
    ...(['idempotency_running', 'idempotency_mismatch', 'unavailable'] as const),
  ],
  // The core library validates the request and reports issues with its own codes.
  parse: body => body as never,
  examples: [
    {
      name: 'a bicycle helmet',
      params: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' },
      request: complete,
    },
  ],
  async handler(body, { certificates, caller }, { id }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.supersede(id, body, caller);
  },
});
