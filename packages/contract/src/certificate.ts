import {
  AnyCertificateRequestSchema,
  CERTIFICATE_KINDS,
  CERTIFICATE_STATUSES,
  type CertificateRequest,
  CertificateRequestSchema,
  type ChildrensCertificateRequest,
  ChildrensCertificateRequestSchema,
  WARNING_CODES,
} from '@compliance/core/entry';
import { z } from 'zod';

// The published library includes its own copy of zod. TypeScript treats that copy's types as different from the zod
// types that this package uses, so the schemas need a cast.

/** A request for a General Certificate of Conformity. */
export const certificateRequest = (
  CertificateRequestSchema as unknown as z.ZodType<CertificateRequest, CertificateRequest>
).meta({ id: 'CertificateRequest' });

/** A request for a Children's Product Certificate. */
export const childrensCertificateRequest = (
  ChildrensCertificateRequestSchema as unknown as z.ZodType<ChildrensCertificateRequest, ChildrensCertificateRequest>
).meta({ id: 'ChildrensCertificateRequest' });

/** A request for either kind of certificate, in which `certificate_type` states the kind. */
export const anyCertificateRequest = (
  AnyCertificateRequestSchema as unknown as z.ZodType<CertificateRequest | ChildrensCertificateRequest>
).meta({ id: 'AnyCertificateRequest' });

/** A certificate status in requests and responses. */
export const certificateStatus = z.enum(CERTIFICATE_STATUSES).meta({
  id: 'CertificateStatus',
  description:
    "`draft`: the certifier hasn't attested to the certificate, or a children's product lacks a test by a CPSC-accepted " +
    'laboratory. `incomplete`: attested, but with missing elements or contradictions. ' +
    '`complete`: has every element that 16 CFR 1110.11 requires. `superseded`: a complete certificate superseded this one. ' +
    '`voided`: withdrawn. `superseded` and `voided` are final.',
});

/** The certificate number in a path. */
export const certificateId = z
  .uuid('Enter a certificate number, which is a UUID.')
  .meta({ format: 'uuid', description: 'The certificate number.' });

const product = z
  .object({ name: z.string(), model: z.string().nullable(), sku: z.string().nullable() })
  .meta({ id: 'CertificateProduct' });

/** A certificate in a list. */
export const certificateSummary = z
  .object({
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate number.' }),
    certificate_type: z.enum(CERTIFICATE_KINDS).meta({
      description: "`GCC`: General Certificate of Conformity. `CPC`: Children's Product Certificate.",
    }),
    status: certificateStatus,
    verification_url: z
      .string()
      .meta({ format: 'uri', description: 'Permanent URL of the certificate page, printed on the certificate.' }),
    sha256: z.string().meta({ description: 'SHA-256 hash of the PDF as issued, as a hexadecimal string.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    product,
    certifier: z.string().nullable().meta({ description: "The certifier's name; null if no party qualifies." }),
    supersedes: z.string().nullable().meta({ description: 'Number of the certificate that this one supersedes.' }),
    superseded_by: z.string().nullable().meta({ description: 'Number of the certificate that supersedes this one.' }),
    voided_at: z.string().nullable().meta({ format: 'date-time' }),
    void_reason: z.string().nullable(),
  })
  .meta({ id: 'CertificateSummary' });

/** A certificate. */
export const certificateDetails = z
  .object({
    gcc_pdf_url: z.string().meta({
      format: 'uri',
      description:
        'Signed PDF link, valid until `expires_at`. The PDF of a superseded or voided certificate is marked as such on every page.',
    }),
    ...certificateSummary.shape,
    expires_at: z.string().meta({ format: 'date-time' }),
    pdf_sha256: z.string().meta({
      description:
        'SHA-256 hash of the PDF at `gcc_pdf_url`. The hash differs from `sha256` only if the certificate is superseded or voided: ' +
        'the marked PDF then starts with the bytes of the PDF as issued.',
    }),
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
              "Values that can't satisfy the law, such as placeholders, and values that can't all be true, such as an " +
              'attestation before the last test. Each contradiction makes the certificate incomplete.',
          }),
      })
      .meta({
        description: 'Completeness status under 16 CFR 1110.11, with a list of missing content.',
      }),
    childrens_product: z
      .object({
        age_grading: z.object({
          decision: z.enum(['CPC', 'GCC', 'undetermined']),
          separate: z.enum(['CPC', 'GCC']).nullable().meta({
            description:
              'The certificate type that the other product in the set needs; null if there is no other product.',
          }),
          reasons: z.array(z.object({ text: z.string(), citation: z.string() })),
        }),
        lab_list: z
          .object({ as_of: z.string(), source: z.string() })
          .nullable()
          .meta({
            description:
              "The list of CPSC-accepted laboratories that the certificate's laboratories were compared with; null if CPSC's " +
              "acceptance wasn't checked.",
          }),
        labs: z.array(
          z.object({
            cpsc_lab_id: z.string().nullable(),
            status: z.enum(['no_id', 'invalid_id', 'not_checked', 'not_listed', 'accepted']),
          }),
        ),
        third_party_testing: z
          .array(
            z.object({
              citation: z.string(),
              result: z.enum([
                ...(['accepted', 'scope_not_checked', 'not_checked', 'not_accepted'] as const),
                ...(['small_batch', 'excluded', 'not_required', 'unknown'] as const),
              ]),
            }),
          )
          .meta({ description: 'For each cited rule, the status of third-party testing under 15 U.S.C. 2063(a)(2).' }),
        expected_rules: z
          .array(z.object({ citation: z.string(), subject: z.string(), cited: z.boolean() }))
          .nullable()
          .meta({
            description:
              'The rules that the stated facts call for; null if no product type is stated. Other rules can apply.',
          }),
      })
      .nullable()
      .meta({
        description: "The facts that only a Children's Product Certificate has; null for a general certificate.",
      }),
    efiling_notice: z
      .string()
      .nullable()
      .meta({
        description:
          'Requirements for imports under 16 CFR 1110.9(c) and 1110.13(a)(1) in addition to this PDF, such as filing in ACE; null for ' +
          'goods made in the U.S. and for certificates issued before July 8, 2026.',
      }),
  })
  .meta({ id: 'CertificateResponse' });
