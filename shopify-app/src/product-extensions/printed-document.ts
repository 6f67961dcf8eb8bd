import { LABEL_SIZES, readRecord } from '@compliance/core/entry';
import type { Certificate } from '@compliance/store';
import { drawingCaller, type IssuingContext, ownCertificate, productGid } from '../certificates/certificate-context.ts';
import { loadProductCertificate } from '../certificates/drafts.ts';
import { certificatePdf } from '../certificates/issue.ts';
import { frameAncestors } from '../http/document-headers.ts';
import { isProductNumber } from './product-summary.ts';

/** Resolution of label printers in dots per inch. The text of a PDF label is sharp at any resolution. */
const LABEL_DPI = 300;

/**
 * Returns a PDF of the product's newest issued certificate: the certificate itself, or the label with its identifier
 * and QR code. The document can be framed only by this shop's Shopify admin.
 *
 * @param number untrusted numeric product ID
 * @param document `certificate`, `product_label`, or `carton_label`
 * @returns null if there's no such document or the shop has no certificate for the product
 * @example await printedDocument(context, '8', 'carton_label')
 */
export async function printedDocument(
  context: IssuingContext,
  number: string,
  document: string,
): Promise<Response | null> {
  if (!isProductNumber(number)) return null;
  const { gccId } = await loadProductCertificate(context, productGid(number));
  const certificate = gccId === null ? null : await ownCertificate(context, gccId);
  const pdf = certificate === null ? null : await draw(context, certificate, document);
  if (pdf === null) return null;
  return new Response(pdf, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${document}-${gccId}.pdf"`,
      'Content-Security-Policy': frameAncestors(context.merchant.domain),
    },
  });
}

async function draw(
  context: IssuingContext,
  { id, record, status }: Certificate,
  document: string,
): Promise<BodyInit | null> {
  if (document === 'certificate') return (await certificatePdf(context, id))?.body ?? null;
  const size = document.endsWith('_label') ? document.slice(0, -'_label'.length) : '';
  if (!isLabelSize(size)) return null;
  const job = { record: readRecord(record), status, format: { size, dpi: LABEL_DPI }, file: 'pdf' } as const;
  return Uint8Array.from(Buffer.from(await context.drawing.label(job, drawingCaller(context))));
}

const isLabelSize = (size: string): size is keyof typeof LABEL_SIZES => Object.hasOwn(LABEL_SIZES, size);
