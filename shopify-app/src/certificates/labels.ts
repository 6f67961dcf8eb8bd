import { certificateKind, LABEL_RESOLUTIONS, LABEL_SIZES, LABEL_WRITERS, readRecord } from '@compliance/core/entry';
import { z } from 'zod';
import { drawingCaller, type IssuingContext, ownCertificate } from './certificate-context.ts';
import { fileResponse } from './file-response.ts';

const keysOf = <Key extends string>(object: Readonly<Record<Key, unknown>>) => Object.keys(object) as Key[];

const formatSchema = z.object({
  size: z.enum(keysOf(LABEL_SIZES)),
  dpi: z.coerce.number().pipe(z.literal(LABEL_RESOLUTIONS)),
  file: z.enum(keysOf(LABEL_WRITERS)),
});

/**
 * Returns a printable label with a certificate's identifier and QR code. Unless the certificate is complete, the label
 * starts with the certificate's current status.
 *
 * @param query untrusted `size`, `dpi`, and `file`
 * @returns the file, a response with status 422 if the content doesn't fit on the label, or null if the format is
 * invalid or the shop has no certificate with this ID
 */
export async function labelFile(context: IssuingContext, id: string, query: URLSearchParams): Promise<Response | null> {
  const { data } = formatSchema.safeParse(Object.fromEntries(query));
  const certificate = data && (await ownCertificate(context, id));
  if (!certificate) return null;
  const { file, ...format } = data;
  try {
    const job = { record: readRecord(certificate.record), status: certificate.status, format, file };
    return fileResponse(await context.drawing.label(job, drawingCaller(context)), `label-${id}`, file);
  } catch (error) {
    if (error instanceof RangeError) return new Response(null, { status: 422 });
    throw error;
  }
}

/**
 * Returns a tracking label sheet, which lists the information that must be permanently marked on a children's product.
 *
 * @returns the sheet as a PDF, or null if the shop has no Children's Product Certificate with this ID
 */
export async function trackingLabelFile(context: IssuingContext, id: string): Promise<Response | null> {
  const certificate = await ownCertificate(context, id);
  const record = certificate && readRecord(certificate.record);
  if (!record || certificateKind(record) !== 'CPC') return null;
  const sheet = await context.drawing.trackingLabel(record, drawingCaller(context));
  return fileResponse(sheet, `tracking-label-${id}`, 'pdf');
}
