import { CertificateRequestSchema, WARNING_CODES } from '@compliance/core/entry';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

const response = z
  .object({
    gcc_pdf_url: z.string().meta({ format: 'uri', description: 'Signed PDF link, valid until `expires_at`.' }),
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate number.' }),
    verification_url: z
      .string()
      .meta({ format: 'uri', description: 'Permanent URL of the certificate page, printed on the certificate.' }),
    expires_at: z.string().meta({ format: 'date-time' }),
    sha256: z.string().meta({ description: 'SHA-256 hash of the PDF, as a hexadecimal string.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    warnings: z
      .array(
        z.object({
          code: z.enum(WARNING_CODES),
          path: z.string(),
          message: z.string(),
          citation: z.string().nullable(),
        }),
      )
      .meta({
        description:
          "Possible legal problems. Warnings don't prevent a certificate from being issued. Each warning is printed next to the related field.",
      }),
    completeness: z
      .object({
        status: z.enum(['complete', 'incomplete']),
        missing: z.array(z.object({}).loose()),
        contradictions: z
          .array(z.object({ code: z.string(), path: z.string(), message: z.string(), citation: z.string() }))
          .meta({
            description:
              "Values that can't be what the law requires, such as placeholders, and values that can't all be true, such as an " +
              'attestation before the last test. Each contradiction makes the certificate incomplete.',
          }),
      })
      .meta({
        description: 'Completeness status under 16 CFR 1110.11, with a list of missing content.',
      }),
  })
  .meta({ id: 'CertificateResponse' });

const IDEMPOTENCY_KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

export default defineOperation({
  id: 'entry.gcc.generate',
  method: 'post',
  path: '/api/v1/entry/gcc/generate',
  scope: 'entry',
  clientArguments: 'request',
  summary: 'Generate a General Certificate of Conformity',
  description:
    'Generates and stores a certificate under 16 CFR part 1110 as a PDF. Possible legal problems are reported as warnings and printed on the ' +
    'certificate. An incomplete certificate is marked as a draft. To retry safely, send an `Idempotency-Key` header: a repeated ' +
    'request with the same key and body returns the same certificate.',
  request: CertificateRequestSchema.meta({ id: 'CertificateRequest' }),
  response,
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
  async handler(body, { now, issuer, caller }) {
    if (!issuer) throw new ApiError('unavailable');
    const idempotencyKey = caller.idempotencyKey === null ? null : parseIdempotencyKey(caller.idempotencyKey);
    return (await issuer(body, { now, ...caller, idempotencyKey })) as unknown as z.output<typeof response>;
  },
});

/**
 * Parses the `Idempotency-Key` header. The draft standard requires a quoted string, but some clients send the key without
 * quotation marks.
 */
function parseIdempotencyKey(header: string): string {
  const [, quoted, bare] = IDEMPOTENCY_KEY.exec(header) ?? [];
  const text = quoted ?? bare;
  if (text !== undefined) return text;
  const message = 'Use 1 to 255 printable ASCII characters, with or without quotation marks.';
  throw new ApiError('invalid_request', {
    detail: { issues: [{ path: 'Idempotency-Key', code: 'INVALID_FORMAT', message }] },
  });
}
