import { certificateVerification, verifyRequest } from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.gcc.verify',
  method: 'get',
  path: '/api/v1/entry/gcc/{id}/verify',
  scope: 'entry',
  clientArguments: ['id'],
  summary: 'Verify a certificate',
  description:
    "Returns the status and hashes of any certificate that this service issued, even if it isn't in your account, and optionally compares " +
    "a PDF's hash with the certificate's hashes. The service doesn't receive the file itself and doesn't check whether the statements on the " +
    'certificate are true. Anyone with the certificate ID can get the status and hashes without a key from `GET /gcc/{id}/verification` or from the certificate page.',
  request: verifyRequest,
  response: certificateVerification,
  errors: ['certificate_not_found', 'unavailable'],
  examples: [
    {
      name: 'a PDF file',
      request: {
        id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
    { name: 'a status', request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' } },
  ],
  async handler({ id, sha256 }, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.verify(id, sha256 ?? null, caller);
  },
});
