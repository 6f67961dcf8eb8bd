import { certificateDetails, certificateId } from '@compliance/contract/certificate';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.gcc.get',
  method: 'get',
  path: '/api/v1/entry/gcc/{id}',
  scope: 'entry',
  clientArguments: ['id'],
  summary: 'Get a certificate',
  description:
    "Returns one of your account's certificates with its status and a new signed PDF link. The PDF of a superseded or voided " +
    'certificate is marked as such on every page.',
  request: z.strictObject({ id: certificateId }),
  response: certificateDetails,
  errors: ['certificate_not_found', 'unavailable'],
  examples: [{ name: 'a certificate', request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' } }],
  async handler({ id }, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.get(id, caller);
  },
});
