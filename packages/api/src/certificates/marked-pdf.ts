import { type CertificateEnd, hasEnded, readRecord } from '@compliance/core/entry';
import type { Lane, PoolCaller } from '@compliance/crawler/pool';
import type { CertificateDrawing } from '@compliance/drawing';
import type { Certificate, Store } from '@compliance/store';
import { fromPoolError } from '../errors/from-pool-error.ts';
import { REQUEST_MS } from '../http/pool-caller.ts';

/** Maximum number of marked PDFs in memory. */
const MAX_MARKED = 100;

/**
 * Returns the PDF served through a certificate's links.
 *
 * @throws ApiError `unavailable` if the mark can't be added in time
 */
export type DeliverPdf = (certificate: Certificate, poolCaller: () => PoolCaller) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Creates a function that returns the PDF served through a certificate's links. If the certificate is superseded or
 * voided, every page is marked, and the file starts with the bytes of the PDF as issued.
 */
export function createDelivery({ certificates }: Store, drawing: CertificateDrawing): DeliverPdf {
  const marked = new Map<string, Uint8Array<ArrayBuffer>>();
  /**
   * PDF marking jobs in progress, by certificate ID. Each lane has its own map so that a caller never waits for a job
   * in the other lane.
   */
  const drawn: Record<Lane, Map<string, Promise<Uint8Array<ArrayBuffer>>>> = { keyed: new Map(), keyless: new Map() };

  async function mark(certificate: Certificate, caller: PoolCaller): Promise<Uint8Array<ArrayBuffer>> {
    const [pdf, end] = await Promise.all([certificates.pdf(certificate.id), endOf(certificate)]);
    if (!end) return pdf;
    try {
      return new Uint8Array(await drawing.markEnded(pdf, end, caller));
    } catch (error) {
      throw fromPoolError(error);
    }
  }

  async function endOf({ status, voidedAt, supersededBy, record }: Certificate): Promise<CertificateEnd | null> {
    const { verification_url: verificationUrl } = readRecord(record);
    if (status === 'voided') return { status, at: new Date(voidedAt!).toISOString(), verificationUrl };
    const successor = supersededBy && (await certificates.get(supersededBy));
    if (!successor) return null;
    const at = new Date(successor.createdAt).toISOString();
    return { status: 'superseded', at, verificationUrl, successor: successor.id };
  }

  async function markOnce(certificate: Certificate, { lane, tenant }: PoolCaller): Promise<Uint8Array<ArrayBuffer>> {
    const { id } = certificate;
    const inLane = drawn[lane];
    // Several callers can wait for the same job, so the job continues even if the first caller disconnects.
    const drawing = inLane.get(id) ?? mark(certificate, { lane, tenant, signal: AbortSignal.timeout(REQUEST_MS) });
    inLane.set(id, drawing);
    try {
      const pdf = await drawing;
      marked.set(id, pdf);
      const [oldest] = marked.keys();
      if (marked.size > MAX_MARKED) marked.delete(oldest!);
      return pdf;
    } finally {
      inLane.delete(id);
    }
  }

  return async (certificate, poolCaller) => {
    const { id, status } = certificate;
    if (!hasEnded(status)) return await certificates.pdf(id);
    // A superseded or voided certificate never changes again, so the marked PDF stays the same.
    return marked.get(id) ?? (await markOnce(certificate, poolCaller()));
  };
}
