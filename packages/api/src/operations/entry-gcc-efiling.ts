import { randomUUID } from 'node:crypto';
import { efilingRequest, efilingResponse } from '@compliance/contract/efiling';
import {
  type CertificateContext,
  type CertificateRecord,
  certificate,
  efilingPack,
  InvalidRequest,
  SAMPLE_REQUEST,
} from '@compliance/core/entry';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.gcc.efiling',
  method: 'post',
  path: '/api/v1/entry/gcc/efiling',
  scope: 'entry',
  clientArguments: 'request',
  summary: 'Export eFiling data',
  description:
    "Returns a certificate's data in the formats that CPSC's Product Registry and carriers use. Both certificate types are supported. Nothing is " +
    'issued, stored, or filed. If a target lacks a required value or citation code, the target has no content, and `gaps` lists the missing ' +
    'values. If a product has variants, the data contains a separate row or commodity for each one.',
  request: efilingRequest,
  response: efilingResponse,
  examples: [
    {
      name: 'a registered product',
      request: {
        certificate: {
          ...SAMPLE_REQUEST,
          efiling: { certifier_id: 'CASCADE-CYCLE', product_id: 'RB-200-M', version_id: '2026-1' },
        },
        targets: ['fedex_reference'],
      },
    },
    {
      name: 'a product that CPSC doesn’t regulate',
      request: {
        targets: ['fedex_disclaim'],
        disclaim: { code: 'A', intended_use_code: '130.000', product_id: 'MUG-1', product_id_type: 'SKU' },
      },
    },
  ],
  handler({ certificate: input, ...options }, { now, certificates }) {
    const context = { issuedAt: new Date(now).toISOString(), acceptedLabs: certificates?.acceptedLabs ?? null };
    const record = input === undefined ? null : recordOf(input, context);
    const targets = efilingPack(record, options);
    return { targets: targets.map(each => ({ ...each, gaps: [...each.gaps], notes: [...each.notes] })) };
  },
});

/** Creates a certificate record without issuing the certificate. @throws ApiError `invalid_request` */
function recordOf(
  input: object,
  { issuedAt, acceptedLabs }: Required<Pick<CertificateContext, 'issuedAt' | 'acceptedLabs'>>,
): CertificateRecord {
  try {
    return certificate(input, {
      ...{ id: randomUUID(), issuedAt, today: issuedAt.slice(0, 10), verificationUrl: null },
      acceptedLabs,
    });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new ApiError('invalid_request', { detail: { issues: error.within('certificate').issues } });
  }
}
