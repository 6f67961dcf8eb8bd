import type { CertificateContext, CertificateRecord } from '@compliance/core/entry';
import { hasEnded } from '@compliance/core/entry/status';
import { StoreError } from '../errors.ts';
import type { Certificate, CertificateChange, Certificates } from './certificates.ts';

/** Dependencies for {@link issueCertificate}. */
export interface IssuerDeps {
  /**
   * Function that validates the body and creates the PDF, such as `draw` from `@compliance/drawing`.
   *
   * @throws InvalidRequest
   */
  readonly draw: (body: unknown, context: CertificateContext) => Promise<DrawnCertificate>;
  /**
   * Public URL of the verification service, without a trailing slash. The verification URL on each certificate starts
   * with this URL.
   */
  readonly baseUrl: string;
}

/** A certificate's record and its PDF. */
interface DrawnCertificate {
  readonly record: CertificateRecord;
  readonly pdf: Uint8Array;
}

/** A request for a certificate. */
export interface IssueRequest extends CertificateChange {
  /**
   * Request body from the client, not yet validated. If the body contains `supersedes` and the new certificate is
   * complete, the new one supersedes the certificate with that ID, which must be in the same family.
   */
  readonly body: unknown;
  /** UUID of the certificate. Repeating a request with the same ID returns the existing certificate. */
  readonly id: string;
  readonly family: string;
  /** Time of issue, in milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Returns the ID, time, and verification URL of a new certificate.
 *
 * @example
 * certificate(body, certificateContext('https://compliance.example', randomUUID(), Date.now()));
 */
export function certificateContext(baseUrl: string, id: string, now: number): CertificateContext {
  const issuedAt = new Date(now).toISOString();
  return { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl: `${baseUrl}/gcc/${id}` };
}

/**
 * Issues a certificate: validates the body, creates the PDF, and stores the record and the PDF. After a crash at any
 * point, the caller can repeat the request. A draft or incomplete certificate never supersedes another one, even if its
 * body contains `supersedes`: it's issued with a warning, and the other certificate doesn't change. A family can
 * supersede only its own certificates. If `supersedes` is another family's certificate, the error is the same as for an
 * unknown ID.
 *
 * @throws InvalidRequest from `@compliance/core`, with every validation issue
 * @throws StoreError with `certificate_unknown` if `supersedes` isn't a certificate in the family, `certificate_ended`
 * if the certificate to supersede is already voided or superseded, or `certificate_exists` if another family already
 * uses the ID. Other codes: `storage_full`, `storage_read_only`, `blobs_unavailable`, `config_invalid`
 * @example
 * const { id, sha256 } = await issueCertificate(store.certificates, { draw, baseUrl }, { body, id, family, now, actor });
 */
export async function issueCertificate(
  certificates: Certificates,
  { draw, baseUrl }: IssuerDeps,
  { body, id, family, now, actor, requestId }: IssueRequest,
): Promise<Certificate> {
  const { record, pdf } = await draw(body, certificateContext(baseUrl, id, now));
  const { supersedes, product_info } = record.request;
  const items = [product_info, ...(product_info.variants ?? [])];
  const names = items.flatMap(({ name, model, sku }) => [name, model, sku]).filter(each => each !== undefined);
  const kept = { id, record: JSON.stringify(record), pdf, names, actor, requestId };
  try {
    if (supersedes === undefined) return await certificates.issue({ ...kept, family });
    const predecessor = await certificates.get(supersedes);
    if (predecessor?.family !== family)
      throw new StoreError('certificate_unknown', 'Your account doesn’t have a certificate with this ID.');
    if (record.completeness.status === 'complete') return await certificates.supersede(supersedes, kept);
    if (hasEnded(predecessor.status))
      throw new StoreError('certificate_ended', `Certificate ${supersedes} is already ${predecessor.status}.`);
    return await certificates.issue({ ...kept, family });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // An earlier run of this request might have issued the certificate and died before responding.
    const made =
      error.code === 'certificate_exists' || error.code === 'certificate_ended' ? await certificates.get(id) : null;
    if (made?.family === family) return made;
    throw error;
  }
}
