import { certificateDetails, certificateId } from '@compliance/contract/certificate';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

const MAX_REASON = 300;

const SPACES = String.raw`\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff`;
const FORBIDDEN = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
/** The characters that `trim` removes. */
const TRIMMED = String.raw`\u0009-\u000d\u2028\u2029${SPACES}`;
/** JSON Schema pattern for a reason. */
const REASON_PATTERN = `^[${TRIMMED}]*[^${FORBIDDEN}${SPACES}][^${FORBIDDEN}]*[${TRIMMED}]*$`;

/** One line of text without control characters, because the public page shows the reason. */
const reason = z
  .string()
  .trim()
  .min(1, 'Enter a reason for voiding the certificate.')
  .max(MAX_REASON, `Use at most ${MAX_REASON} characters.`)
  .refine(text => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text), 'Use one line of text without control characters.')
  .meta({
    minLength: 1,
    maxLength: MAX_REASON,
    pattern: REASON_PATTERN,
    description: 'Reason, shown to anyone who opens the certificate page.',
  });

export default defineOperation({
  id: 'entry.gcc.void',
  method: 'post',
  path: '/api/v1/entry/gcc/{id}/void',
  scope: 'entry',
  clientArguments: ['reason'],
  summary: 'Void a certificate',
  description:
    "Permanently voids one of your account's certificates. The certificate page shows the reason. The PDF remains available and " +
    'is marked as voided on every page. Voiding a certificate again for the same reason returns the voided certificate.',
  params: z.strictObject({ id: certificateId }),
  request: z.strictObject({ reason }).meta({ id: 'CertificateVoidRequest' }),
  response: certificateDetails,
  errors: [
    ...(['certificate_not_found', 'certificate_void', 'certificate_superseded'] as const),
    ...(['idempotency_running', 'idempotency_mismatch', 'unavailable'] as const),
  ],
  examples: [
    {
      name: 'a wrong laboratory',
      params: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' },
      request: { reason: 'The certificate names the wrong laboratory.' },
    },
  ],
  async handler({ reason }, { certificates, caller }, { id }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.void(id, reason, caller);
  },
});
