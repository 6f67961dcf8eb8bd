import {
  certificateDetails,
  certificateRequest,
  MAX_CERTIFICATE_REQUEST_BYTES,
} from '@compliance/contract/certificate';
import { SAMPLE_REQUEST } from '@compliance/core/entry';
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
    'Generates and stores a General Certificate of Conformity (16 CFR part 1110) as a PDF. Possible legal problems are reported as warnings, which ' +
    "aren't printed on the certificate. A draft or incomplete certificate is marked as such on its PDF. Only a complete " +
    'certificate supersedes the certificate in `supersedes`. To retry safely, send an `Idempotency-Key` header: a repeated ' +
    'request with the same key and body returns the same certificate.',
  request: certificateRequest,
  maxBodyBytes: MAX_CERTIFICATE_REQUEST_BYTES,
  response: certificateDetails,
  errors: ['idempotency_running', 'idempotency_mismatch', 'unavailable'],
  // The core library validates the request and reports issues with its own codes.
  parse: body => body as never,
  examples: [{ name: 'a bicycle helmet', request: SAMPLE_REQUEST }],
  async handler(body, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.issue('GCC', body, caller);
  },
});
