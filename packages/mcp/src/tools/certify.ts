import { certificateDetails, certificateWithAttachments } from '@compliance/contract/certificate';
import {
  AnyCertificateRequestSchema,
  type CertificateKind,
  catalog,
  EncodedAttachmentSchema,
  kindOfRequest,
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENTS,
} from '@compliance/core/entry';
import { z } from 'zod';
import type { OperationId } from '../operations.ts';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, summaryLines } from './tool.ts';

/** Maximum size of a PDF in a result, in bytes. */
const MAX_PDF_BYTES = 4 * 1024 * 1024;

const DESCRIPTION =
  'a PDF certificate for a product: a General Certificate of Conformity (16 CFR part 1110) or, with `certificate_type` `CPC`, a ' +
  'Children’s Product Certificate. Lists any required elements that are missing, and marks them on the PDF. A product for children 12 ' +
  'or younger needs a CPC. Never invent values, and never fill in `attestation` unless the certifier has attested: ' +
  'without an attestation, the certificate is a draft.';

const shared = {
  name: 'certify',
  // The core library's error messages are better than the schema's.
  operationValidates: true,
  performsOperation: true,
} as const;

type Details = z.output<typeof certificateDetails>;

/** Returns the operation for the kind of certificate in a request. */
function operationFor(request: unknown): OperationId {
  return kindOfRequest(request) === 'CPC' ? 'entry.cpc.generate' : 'entry.gcc.generate';
}

/** Catalog source IDs for the rules and required elements of each kind of certificate. */
const SOURCES: Record<CertificateKind, readonly string[]> = {
  GCC: ['cpsc-gcc-list', 'ecfr-1110'],
  CPC: ['cpsc-cpc-list', 'ecfr-1107', 'ecfr-1110'],
};

function provenanceOf(request: unknown) {
  return { ...sourcesOf(SOURCES[kindOfRequest(request)]), known_through: catalog.known_through };
}

/** Issues a certificate and stores it in the service. */
export const certifyTool = defineTool({
  ...shared,
  title: 'Issue a certificate',
  description: `Issues and stores ${DESCRIPTION} The result links to the PDF and to the public verification page.`,
  input: certificateWithAttachments,
  output: certificateDetails.extend(provenance),
  // A complete certificate can permanently supersede another one.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(request, { perform }) {
    const data = (await perform(operationFor(request), request)) as Details;
    const { gcc_id, gcc_pdf_url, verification_url, expires_at } = data;
    const origin = provenanceOf(request);
    return {
      data: { ...data, ...origin },
      text: [
        `Issued certificate ${gcc_id} (${data.status}): ${verification_url}`,
        `PDF until ${expires_at}: ${gcc_pdf_url}`,
        ...gapLines(data),
        ...provenanceLines(origin),
      ].join('\n'),
      attachments: [{ type: 'resource_link', uri: gcc_pdf_url, name: `${gcc_id}.pdf`, mimeType: 'application/pdf' }],
    };
  },
});

/** A certificate that was generated but not stored. */
interface DrawnCertificate {
  readonly data: z.output<typeof drawnCertificate>;
  readonly pdf: Uint8Array;
}

const { warnings, completeness, efiling_notice, product, certifier } = certificateDetails.shape;
const drawnCertificate = z.object({
  status: z.enum(['draft', 'incomplete', 'complete']),
  product,
  certifier,
  warnings,
  completeness,
  efiling_notice,
  record: z.object({ id: z.string(), issued_at: z.string() }).loose().meta({
    description: 'The certificate record, which is also attached to the PDF.',
  }),
  pdf: z.object({
    bytes: z.int().meta({ description: 'PDF size in bytes.' }),
    sha256: z.string().meta({ description: 'Hexadecimal SHA-256 hash of the PDF.' }),
    attached: z.boolean().meta({ description: 'False if the PDF is too large to attach.' }),
  }),
});

/** A request whose attachments can be files in the server's attachments folder. */
const localRequest = AnyCertificateRequestSchema.extend({
  attachments: EncodedAttachmentSchema.partial({ content: true })
    .array()
    .max(MAX_ATTACHMENTS)
    .optional()
    .meta({
      description:
        `Up to ${MAX_ATTACHMENTS} PDF, PNG, or JPEG files to attach to the PDF, such as test reports, with a total size of up to ` +
        `${MAX_ATTACHED_BYTES / 1_000_000} MB. Omit \`content\` to attach the file with this name from the server's attachments folder.`,
    }),
}) as unknown as z.ZodType<object>;

/** Generates a certificate without storing it. */
export const localCertifyTool = defineTool({
  ...shared,
  title: 'Generate a certificate',
  description: `Generates ${DESCRIPTION} The result contains the PDF. Nothing is stored or published, so the certificate can't be verified online.`,
  input: localRequest,
  output: drawnCertificate.extend(provenance),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(request, { perform }) {
    const { data, pdf } = (await perform(operationFor(request), request)) as DrawnCertificate;
    const origin = provenanceOf(request);
    const attached = pdf.byteLength <= MAX_PDF_BYTES;
    const name = `${data.record.id}.pdf`;
    const resource = { uri: `compliance://certificates/${name}`, mimeType: 'application/pdf', blob: base64(pdf) };
    return {
      data: { ...data, pdf: { ...data.pdf, attached }, ...origin },
      text: [
        `Generated a certificate PDF (${data.status}, ${pdf.byteLength} bytes). It isn't stored or published.`,
        ...(attached ? [] : [`The PDF is larger than ${MAX_PDF_BYTES} bytes, so it isn't attached.`]),
        ...gapLines(data),
        ...provenanceLines(origin),
      ].join('\n'),
      ...(attached && { attachments: [{ type: 'resource', resource }] }),
    };
  },
});

function gapLines({
  completeness,
  warnings,
  efiling_notice,
}: Pick<Details, 'completeness' | 'warnings' | 'efiling_notice'>) {
  const missing = completeness.missing as { path?: string; message?: string; element?: string }[];
  return [
    ...summaryLines(missing.map(({ path, message, element }) => `- Missing: ${message}. Field ${path} (${element})`)),
    ...summaryLines(completeness.contradictions.map(({ path, message }) => `- Contradiction in ${path}: ${message}`)),
    ...summaryLines(
      warnings.map(({ path, message, citation }) => `- Review ${path}: ${message}${citation ? ` (${citation})` : ''}`),
    ),
    ...(efiling_notice === null ? [] : [efiling_notice]),
  ];
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
