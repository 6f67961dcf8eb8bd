import { CertificateRequestSchema, WARNING_CODES } from '@compliance/core/entry';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { defineOperation } from './operation.ts';

const response = z
  .object({
    gcc_pdf_url: z.string().meta({ format: 'uri', description: 'Signed link to the PDF; ends at `expires_at`.' }),
    gcc_id: z.string().meta({ format: 'uuid', description: 'The number of the certificate.' }),
    verification_url: z.string().meta({ format: 'uri', description: 'Stable page of the certificate, printed on it.' }),
    expires_at: z.string().meta({ format: 'date-time' }),
    sha256: z.string().meta({ description: 'Of the PDF, in hexadecimal.' }),
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
      .meta({ description: 'Legal gaps. They never stop a certificate; each is printed where it is.' }),
    completeness: z
      .object({ status: z.enum(['complete', 'incomplete']), missing: z.array(z.object({}).loose()) })
      .meta({ description: 'What 16 CFR 1110.11 asks for and the certificate lacks.' }),
  })
  .meta({ id: 'CertificateResponse' });

const IDEMPOTENCY_KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

export default defineOperation({
  id: 'entry.gcc.generate',
  method: 'post',
  path: '/api/v1/entry/gcc/generate',
  scope: 'entry',
  clientsTake: 'request',
  summary: 'Generate a General Certificate of Conformity',
  description:
    'Makes the certificate of 16 CFR part 1110 as a PDF and keeps it. Legal gaps are warnings, printed on the certificate, which ' +
    'stays marked as a draft while it lacks something. An `Idempotency-Key` header gives the same certificate for the same body.',
  request: CertificateRequestSchema.meta({ id: 'CertificateRequest' }),
  response,
  errors: ['idempotency_running', 'idempotency_mismatch', 'unavailable'],
  // The library names the faults of a request by its own closed list of codes.
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
  async handle(body, { now, issuer, caller }) {
    if (!issuer) throw new ApiError('unavailable');
    const idempotencyKey = caller.idempotencyKey === null ? null : keyText(caller.idempotencyKey);
    return (await issuer(body, { now, ...caller, idempotencyKey })) as unknown as z.output<typeof response>;
  },
});

/** The draft standard writes the key as a quoted string; callers also send it bare. */
function keyText(header: string): string {
  const [, quoted, bare] = IDEMPOTENCY_KEY.exec(header) ?? [];
  const text = quoted ?? bare;
  if (text !== undefined) return text;
  const message = 'Give 1 to 255 printable ASCII characters, quoted or bare.';
  throw new ApiError('invalid_request', {
    detail: { issues: [{ path: 'Idempotency-Key', code: 'INVALID_FORMAT', message }] },
  });
}
