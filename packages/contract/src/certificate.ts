import {
  AnyCertificateRequestSchema,
  type Attachment,
  CERTIFICATE_KINDS,
  CERTIFICATE_STATUSES,
  type CertificateRequest,
  CertificateRequestSchema,
  type ChildrensCertificateRequest,
  ChildrensCertificateRequestSchema,
  type EncodedAttachment,
  EncodedAttachmentSchema,
  LABEL_RESOLUTIONS,
  LABEL_SIZES,
  LABEL_WRITERS,
  type LabelFileFormat,
  type LabelFormat,
  MAX_ATTACHMENTS,
  RETEST_YEARS,
  type RetestPlan,
  WARNING_CODES,
} from '@compliance/core/entry';
import { z } from 'zod';

// The published library includes its own copy of zod. TypeScript treats that copy's types as different from the zod
// types that this package uses, so the library's schemas must be cast.

/**
 * Maximum total size of the files attached to a certificate that the service issues, in bytes. The limit is lower than
 * the library's, because the service holds the files of several requests in memory.
 */
export const MAX_UPLOADED_BYTES = 10_000_000;

/**
 * Maximum size of a request for a certificate with attached files, in bytes. Base64 encoding increases the size of the
 * files by one third.
 */
export const MAX_CERTIFICATE_REQUEST_BYTES = 14 * 1024 * 1024;

/** Request field for attached files. */
type WithAttachments = { attachments?: EncodedAttachment[] | undefined };

/** The request field `attachments`. Its schema must also come from the library's copy of zod. */
const attachments = EncodedAttachmentSchema.meta({ id: 'AttachmentUpload' })
  .array()
  .max(MAX_ATTACHMENTS)
  .optional()
  .meta({
    description:
      `Up to ${MAX_ATTACHMENTS} files to attach to the PDF, such as test reports, with a total size of up to ` +
      `${MAX_UPLOADED_BYTES / 1_000_000} MB before encoding. The certificate lists each file's name, size, and SHA-256 hash.`,
  });

/** A request for a General Certificate of Conformity. */
export const certificateRequest = (
  CertificateRequestSchema.extend({ attachments }) as unknown as z.ZodType<
    CertificateRequest & WithAttachments,
    CertificateRequest & WithAttachments
  >
).meta({ id: 'CertificateRequest' });

/** A request for a Children's Product Certificate. */
export const childrensCertificateRequest = (
  ChildrensCertificateRequestSchema.extend({ attachments }) as unknown as z.ZodType<
    ChildrensCertificateRequest & WithAttachments,
    ChildrensCertificateRequest & WithAttachments
  >
).meta({ id: 'ChildrensCertificateRequest' });

/** A request for a certificate of the type specified in `certificate_type`, with attached files. */
export const certificateWithAttachments = AnyCertificateRequestSchema.extend({ attachments }) as unknown as z.ZodType<
  (CertificateRequest | ChildrensCertificateRequest) & WithAttachments
>;

/** A request for a certificate of the type specified in `certificate_type`. */
export const anyCertificateRequest = (
  AnyCertificateRequestSchema as unknown as z.ZodType<CertificateRequest | ChildrensCertificateRequest>
).meta({ id: 'AnyCertificateRequest' });

/** A certificate status in requests and responses. */
export const certificateStatus = z.enum(CERTIFICATE_STATUSES).meta({
  id: 'CertificateStatus',
  description:
    "`draft`: the certifier hasn't attested to the certificate, or a children's product lacks a required test by a " +
    'CPSC-accepted laboratory. `incomplete`: attested, but with missing elements or contradictions. ' +
    "`complete`: the certificate has every element that 16 CFR 1110.11 requires. Accuracy isn't checked, and CPSC's acceptance of laboratories " +
    "is checked only if the service has CPSC's list of accepted laboratories. `superseded`: a complete certificate superseded " +
    'this one. `voided`: withdrawn. `superseded` and `voided` are final.',
});

/** The certificate ID in a path. */
export const certificateId = z
  .uuid('Enter a valid certificate ID (a UUID).')
  .meta({ format: 'uuid', description: 'The certificate ID.' });

const product = z
  .object({ name: z.string(), model: z.string().nullable(), sku: z.string().nullable() })
  .meta({ id: 'CertificateProduct' });

/** A certificate in a list. */
export const certificateSummary = z
  .object({
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate ID.' }),
    certificate_type: z.enum(CERTIFICATE_KINDS).meta({
      description: "`GCC`: General Certificate of Conformity. `CPC`: Children's Product Certificate.",
    }),
    status: certificateStatus,
    verification_url: z
      .string()
      .meta({ format: 'uri', description: 'Permanent URL of the certificate page, printed on the certificate.' }),
    sha256: z.string().meta({ description: 'Hexadecimal SHA-256 hash of the PDF as issued.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    product,
    certifier: z
      .string()
      .nullable()
      .meta({ description: "The certifier's name; null if no party qualifies as the certifier." }),
    supersedes: z.string().nullable().meta({ description: 'ID of the certificate that this one supersedes.' }),
    superseded_by: z.string().nullable().meta({ description: 'ID of the certificate that supersedes this one.' }),
    voided_at: z.string().nullable().meta({ format: 'date-time' }),
    void_reason: z.string().nullable(),
  })
  .meta({ id: 'CertificateSummary' });

/** A file attached to a certificate. */
const attachment = z
  .object({
    filename: z.string(),
    media_type: z.enum(['application/pdf', 'image/png', 'image/jpeg'] satisfies Attachment['media_type'][]),
    size: z.int().meta({ description: 'Size in bytes.' }),
    sha256: z.string().meta({ description: 'Hexadecimal SHA-256 hash of the file.' }),
  })
  .meta({ id: 'CertificateAttachment' });

/** A certificate. */
export const certificateDetails = z
  .object({
    gcc_pdf_url: z.string().meta({
      format: 'uri',
      description:
        'Signed link to the PDF, valid until `expires_at`. The PDF of a superseded or voided certificate is marked as such on every page.',
    }),
    ...certificateSummary.shape,
    expires_at: z.string().meta({ format: 'date-time' }),
    pdf_sha256: z.string().meta({
      description:
        'SHA-256 hash of the PDF at `gcc_pdf_url`. The hash differs from `sha256` only if the certificate is superseded or voided. ' +
        'In that case, the marked PDF starts with the bytes of the PDF as issued.',
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
          "Possible legal problems. Warnings don't prevent a certificate from being issued and aren't printed on it.",
      }),
    completeness: z
      .object({
        status: z.enum(['complete', 'incomplete']),
        missing: z.array(z.object({}).loose()),
        contradictions: z
          .array(z.object({ code: z.string(), path: z.string(), message: z.string(), citation: z.string() }))
          .meta({
            description:
              "Values that can't meet the legal requirements, such as placeholders, and values that conflict, such as an " +
              'attestation that predates the last test. Each contradiction makes the certificate incomplete.',
          }),
      })
      .meta({
        description: 'Completeness status under 16 CFR 1110.11, with a list of missing elements.',
      }),
    childrens_product: z
      .object({
        age_grading: z.object({
          decision: z.enum(['CPC', 'GCC', 'undetermined']),
          separate: z.enum(['CPC', 'GCC']).nullable().meta({
            description:
              'The certificate type that the other product in the set requires; null if there is no other product.',
          }),
          reasons: z.array(z.object({ text: z.string(), citation: z.string() })),
        }),
        lab_list: z
          .object({ as_of: z.string(), source: z.string() })
          .nullable()
          .meta({
            description:
              "The list of CPSC-accepted laboratories used to check the certificate's laboratories; null if CPSC's acceptance " +
              "wasn't checked.",
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
              'The rules that apply based on the stated facts; null if no product type is stated. Other rules can also apply.',
          }),
      })
      .nullable()
      .meta({
        description:
          "Facts that apply only to a Children's Product Certificate; null for a General Certificate of Conformity.",
      }),
    attachments: z.array(attachment).meta({ description: 'The files attached to the PDF, in order.' }),
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

const labelFileType = z
  .enum(Object.keys(LABEL_WRITERS) as [LabelFileFormat, ...LabelFileFormat[]])
  .meta({ id: 'LabelFileType', description: 'File format of a label. `zpl` is for Zebra and compatible printers.' });
const labelSize = z
  .enum(Object.keys(LABEL_SIZES) as [LabelFormat['size'], ...LabelFormat['size'][]])
  .meta({ id: 'LabelSize', description: 'Label size: `carton` is 4 × 3 inches, and `product` is 2 × 1 inches.' });

/** The resolution of a label printer, in dots per inch. */
export const labelResolution = z
  .int()
  .refine(dpi => LABEL_RESOLUTIONS.some(each => each === dpi), `Enter ${LABEL_RESOLUTIONS.join(' or ')}.`)
  .meta({ enum: [...LABEL_RESOLUTIONS], description: "The printer's resolution in dots per inch." });

/** A request for a certificate label. */
export const labelRequest = z.strictObject({
  id: certificateId,
  file_type: labelFileType.default('pdf'),
  size: labelSize.default('carton'),
  dpi: labelResolution.default(203),
});

/** A certificate label. */
export const certificateLabel = z
  .object({
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate ID.' }),
    status: certificateStatus,
    file_type: labelFileType,
    size: labelSize,
    dpi: z.int().meta({ description: "The printer's resolution in dots per inch." }),
    encoding: z.enum(['utf-8', 'base64']).meta({
      description: 'Encoding of `content`: `utf-8` for SVG and ZPL files, and `base64` for PDF files.',
    }),
    content: z.string().meta({ description: 'The file, as text or as Base64-encoded bytes.' }),
  })
  .meta({ id: 'CertificateLabel' });

/** A request for a tracking label sheet. */
export const trackingLabelRequest = z.strictObject({ id: certificateId });

/** A tracking label sheet for a Children's Product Certificate. */
export const trackingLabelSheet = z
  .object({
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate ID.' }),
    status: certificateStatus,
    file_type: z.literal('pdf'),
    encoding: z.literal('base64'),
    content: z.string().meta({ description: 'The Base64-encoded PDF file.' }),
  })
  .meta({ id: 'TrackingLabelSheet' });

const RETEST_PLANS = Object.keys(RETEST_YEARS) as [RetestPlan, ...RetestPlan[]];
const MAX_DAYS = 3_650;

const retestPlan = z.enum(RETEST_PLANS).meta({
  id: 'RetestPlan',
  description:
    'Test plan that sets the maximum interval between tests under 16 CFR 1107.21: `periodic` (1 year), `production` (2 years), or ' +
    '`accredited` (3 years).',
});

/** A request for one page of certificates with periodic tests that are due. */
export const dueTestsRequest = z.strictObject({
  within: z
    .int('Enter a whole number.')
    .min(0, `Enter a number of days from 0 to ${MAX_DAYS}.`)
    .max(MAX_DAYS, `Enter a number of days from 0 to ${MAX_DAYS}.`)
    .default(60)
    .meta({ description: 'Number of days from today. Overdue tests are always included.' }),
  plan: retestPlan.default('periodic'),
  limit: z
    .int('Enter a whole number.')
    .min(1, 'Enter a number from 1 to 100.')
    .max(100, 'Enter a number from 1 to 100.')
    .default(50)
    .meta({ description: 'Maximum number of certificates per page.' }),
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ pattern: '^[A-Za-z0-9_-]{48}$', description: '`next_cursor` from the previous page.' }),
});

/** One page of certificates with periodic tests that are due. */
export const dueTests = z
  .object({
    plan: retestPlan,
    until: z
      .string()
      .meta({ format: 'date', description: 'Latest due date included in the results, in US Eastern time.' }),
    certificates: z.array(
      z
        .object({
          gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate ID.' }),
          status: certificateStatus,
          product,
          verification_url: z.string().meta({ format: 'uri' }),
          tests: z
            .array(
              z.object({
                citation: z.string(),
                subject: z.string().nullable(),
                tested: z.string().meta({ format: 'date', description: 'Date of the latest test for the rule.' }),
                due: z.string().meta({
                  format: 'date',
                  description:
                    'Due date of the next test. If the product changes materially, a new test is required sooner.',
                }),
                overdue: z.boolean(),
              }),
            )
            .meta({ description: 'Tests that are due, earliest first.' }),
        })
        .meta({ id: 'DueCertificate' }),
    ),
    next_cursor: z.string().nullable().meta({
      description:
        'Cursor for the next page; null on the last page. To get the next page, send this value unchanged as `cursor`.',
    }),
  })
  .meta({ id: 'DueTests' });

/** A request to verify an issued certificate, optionally with a PDF's hash to compare. */
export const verifyRequest = z.strictObject({
  id: certificateId,
  sha256: z
    .string()
    .regex(/^[\da-f]{64}$/, 'Enter the SHA-256 hash of the file as 64 lowercase hexadecimal digits.')
    .optional()
    .meta({
      description: 'SHA-256 hash of the PDF as 64 lowercase hexadecimal digits. If omitted, `comparison` is null.',
    }),
});

/** Publicly available information about a certificate. */
export const issuedCertificate = z
  .object({
    gcc_id: z.string().meta({ format: 'uuid', description: 'The certificate ID.' }),
    certificate_type: z.enum(CERTIFICATE_KINDS),
    status: certificateStatus,
    issued_at: z.string().meta({ format: 'date-time' }),
    sha256: z.string().meta({ description: 'Hexadecimal SHA-256 hash of the PDF as issued.' }),
    size: z.int().meta({ description: 'Size of the PDF as issued, in bytes.' }),
    pdf_sha256: z.string().meta({
      description:
        'SHA-256 hash of the PDF that the service currently serves. The hash differs from `sha256` only if the certificate is superseded ' +
        'or voided.',
    }),
    superseded_by: z.string().nullable().meta({ description: 'ID of the certificate that supersedes this one.' }),
    voided_at: z.string().nullable().meta({ format: 'date-time' }),
    void_reason: z.string().nullable(),
  })
  .meta({ id: 'IssuedCertificate' });

/** Public facts about a certificate, and the result of the PDF hash comparison. */
export const certificateVerification = z
  .object({
    ...issuedCertificate.shape,
    comparison: z
      .enum(['unchanged', 'unchanged_marked', 'changed'])
      .nullable()
      .meta({
        description:
          '`unchanged`: the file is the PDF as issued. `unchanged_marked`: the file is the PDF with the current status mark. `changed`: the ' +
          "file matches neither PDF, so its pages might have been changed. `null`: the request doesn't include a hash.",
      }),
  })
  .meta({ id: 'CertificateVerification' });
