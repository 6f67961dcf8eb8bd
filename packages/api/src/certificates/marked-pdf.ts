import { type CertificateEnd, type Fonts, hasEnded, markEnded, readRecord } from '@compliance/core/entry';
import type { Certificate, Store } from '@compliance/store';

/** Maximum number of marked PDFs in memory. */
const MAX_MARKED = 100;

/** Returns a certificate's PDF as links deliver it. */
export type DeliverPdf = (certificate: Certificate) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Creates the function that returns a certificate's PDF as links deliver it: as issued, or, if the certificate is superseded or
 * voided, with a mark on every page. A marked PDF starts with the bytes of the PDF as issued.
 */
export function createDelivery({ certificates }: Store, fonts: Fonts): DeliverPdf {
  const marked = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  async function mark(certificate: Certificate): Promise<Uint8Array<ArrayBuffer>> {
    const [pdf, end] = await Promise.all([certificates.pdf(certificate.id), endOf(certificate)]);
    return end ? new Uint8Array(await markEnded(pdf, end, fonts)) : pdf;
  }

  async function endOf({ status, voidedAt, supersededBy, record }: Certificate): Promise<CertificateEnd | null> {
    const { verification_url: verificationUrl } = readRecord(record);
    if (status === 'voided') return { status, at: new Date(voidedAt!).toISOString(), verificationUrl };
    const successor = supersededBy && (await certificates.get(supersededBy));
    if (!successor) return null;
    const at = new Date(successor.createdAt).toISOString();
    return { status: 'superseded', at, verificationUrl, successor: successor.id };
  }

  return certificate => {
    const { id, status } = certificate;
    if (!hasEnded(status)) return certificates.pdf(id);
    // A superseded or voided certificate never changes again, so the marked PDF stays the same.
    const known = marked.get(id);
    if (known) return known;
    const made = mark(certificate);
    marked.set(id, made);
    made.catch(() => marked.delete(id));
    const [oldest] = marked.keys();
    if (marked.size > MAX_MARKED) marked.delete(oldest!);
    return made;
  };
}
