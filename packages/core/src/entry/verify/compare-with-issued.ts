import { z } from 'zod';
import { sha256Of } from '../attachments/attachments.ts';
import { CERTIFICATE_KINDS } from '../kinds/kinds.ts';
import { CERTIFICATE_STATUSES } from '../record/status.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);

/**
 * A service's response to `GET /gcc/{id}/verification`. Unknown fields are allowed, because newer versions of the
 * service can add fields.
 */
const IssuedCertificateSchema = z.object({
  gcc_id: z.uuid(),
  certificate_type: z.enum(CERTIFICATE_KINDS),
  status: z.enum(CERTIFICATE_STATUSES),
  issued_at: time,
  sha256,
  size: z.int().positive(),
  pdf_sha256: sha256,
  superseded_by: z.string().max(64).nullable(),
  voided_at: time.nullable(),
  void_reason: z.string().max(2_000).nullable(),
});

/**
 * Public facts about a certificate issued by a service. `sha256` and `size` describe the PDF as issued. `pdf_sha256`
 * is the hash of the PDF that the service currently serves, which differs from `sha256` if the certificate is
 * superseded or voided.
 */
export type IssuedCertificate = z.output<typeof IssuedCertificateSchema>;

/**
 * Parses a service's response about an issued certificate.
 *
 * @throws RangeError if the response is invalid. The message names the first invalid field.
 * @example parseIssuedCertificate(await response.json()).status // 'complete'
 */
export function parseIssuedCertificate(value: unknown): IssuedCertificate {
  const { success, data, error } = IssuedCertificateSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new RangeError(`${issue!.path.join('.') || 'response'}: ${issue!.message}`);
}

/**
 * How a file relates to an issued certificate:
 *
 * - `unchanged`: the file is the PDF as issued.
 * - `unchanged_marked`: the file is the PDF as issued with the service's current status mark.
 * - `extended`: the file is the PDF as issued followed by other content, which can change what the pages show.
 * - `changed`: the file isn't the PDF as issued.
 */
export type IssuedComparison = 'unchanged' | 'unchanged_marked' | 'extended' | 'changed';

/**
 * Compares a file with the certificate issued by a service.
 *
 * @example compareWithIssued(pdf, parseIssuedCertificate(await response.json())) // 'unchanged'
 */
export function compareWithIssued(pdf: Uint8Array, issued: IssuedCertificate): IssuedComparison {
  const hash = sha256Of(pdf);
  if (hash === issued.sha256) return 'unchanged';
  if (hash === issued.pdf_sha256) return 'unchanged_marked';
  const startsAsIssued = pdf.length > issued.size && sha256Of(pdf.subarray(0, issued.size)) === issued.sha256;
  return startsAsIssued ? 'extended' : 'changed';
}
