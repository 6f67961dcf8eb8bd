import type { AttachmentFile } from '../attachments/attachments.ts';
import { render } from '../pdf/render.ts';
import { type CertificateRecord, certificate } from '../record/certificate.ts';
import type { Fonts } from '../text/fonts.ts';
import { attachmentsIn, type CertificateFile } from './certificate-file.ts';

/**
 * How a file relates to the certificate that this version of the package creates from the file's own record:
 *
 * - `identical`: the bytes are the same.
 * - `extended`: the file starts with the same bytes, followed by content such as a status mark or a signature.
 * - `different`: the bytes differ. Either the file was changed, or another version of the package created it.
 * - `not_drawable`: the file has no record, or the record isn't valid in this version.
 */
export type DrawingComparison = 'identical' | 'extended' | 'different' | 'not_drawable';

/**
 * Re-creates the certificate from the record in a file and compares the bytes. This check doesn't need a service, but
 * it detects only changes to the file. It can't prove that a certificate was issued, because anyone can create one.
 *
 * @param pdf the file's bytes
 * @param file facts from `readCertificateFile`, for the same bytes
 * @param fonts a font set from `openFonts`
 * @throws Error if a required font can't be loaded
 * @example await compareWithDrawing(pdf, readCertificateFile(pdf), fonts) // 'identical'
 */
export async function compareWithDrawing(
  pdf: Uint8Array,
  { record }: CertificateFile,
  fonts: Fonts,
): Promise<DrawingComparison> {
  if (!record || !isValid(record)) return 'not_drawable';
  const files = attachmentsIn(pdf, record);
  if (files.length !== (record.attachments?.length ?? 0)) return 'different';
  const drawn = await drawUntrusted(record, fonts, files);
  if (!drawn) return 'not_drawable';
  if (pdf.length < drawn.length || drawn.some((byte, at) => byte !== pdf[at])) return 'different';
  return pdf.length === drawn.length ? 'identical' : 'extended';
}

/** Draws the certificate from an untrusted record, or returns null if the record is malformed. */
async function drawUntrusted(
  record: CertificateRecord,
  fonts: Fonts,
  files: readonly AttachmentFile[],
): Promise<Uint8Array | null> {
  try {
    return await render(record, fonts, files);
  } catch (error) {
    // A forged record can have an invalid value in any field, which causes one of these errors. Other errors are font
    // errors.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns whether the record's request is valid on the issue date in the record. */
function isValid({ id, issued_at, verification_url, request }: CertificateRecord): boolean {
  try {
    certificate(request, { id, issuedAt: issued_at, today: issued_at.slice(0, 10), verificationUrl: verification_url });
    return true;
  } catch {
    return false;
  }
}
