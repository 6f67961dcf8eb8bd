import { type CertificateContext, type CertificateRecord, certificate, hasEnded } from '@compliance/core/entry';
import { StoreError } from '../errors.ts';
import type { Certificate, CertificateChange, Certificates } from './certificates.ts';

/** Dependencies for {@link issueCertificate}. */
export interface IssuerDeps {
  /** Draws the PDF, such as `render` from `@compliance/core/entry` in a worker process. */
  readonly render: (record: CertificateRecord) => Promise<Uint8Array>;
  /**
   * Public URL of the verification service, without a trailing slash. The verification URL on each certificate starts
   * with this URL.
   */
  readonly baseUrl: string;
}

/** A request for a certificate. */
export interface IssueRequest extends CertificateChange {
  /**
   * Request body from the client, not yet validated. If the body contains `supersedes`, a complete new certificate
   * supersedes another certificate in the same family.
   */
  readonly body: unknown;
  /** UUID of the certificate. Repeating a request with the same ID returns the existing certificate. */
  readonly id: string;
  readonly family: string;
  /** ms since the Unix epoch. */
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
 * Issues a certificate: validates the body, renders the PDF, and stores both. After a crash at any point, the caller
 * can repeat the request. A draft or incomplete certificate never supersedes another one, even if its body contains
 * `supersedes`: it's issued with a warning, and the other certificate doesn't change. A family can supersede only its own certificates and can't find out whether other families'
 * certificates exist.
 *
 * @throws InvalidRequest from `@compliance/core`, with every validation issue
 * @throws StoreError with `certificate_unknown` if `supersedes` isn't a certificate in the family, `certificate_ended`
 * if the certificate to supersede is already voided or superseded, or `certificate_exists` if another family already
 * uses the ID. Other codes: `blobs_unavailable`, `config_invalid`
 * @example
 * const { id, sha256 } = await issueCertificate(store.certificates, { render, baseUrl }, { body, id, family, now, actor });
 */
export async function issueCertificate(
  certificates: Certificates,
  { render, baseUrl }: IssuerDeps,
  { body, id, family, now, actor, requestId }: IssueRequest,
): Promise<Certificate> {
  const record = certificate(body, certificateContext(baseUrl, id, now));
  const pdf = await render(record);
  const { supersedes, product_info } = record.request;
  const names = [product_info.name, product_info.model ?? '', product_info.sku ?? ''].filter(Boolean);
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
    // An earlier run of this request may have issued the certificate but died before responding.
    const made =
      error.code === 'certificate_exists' || error.code === 'certificate_ended' ? await certificates.get(id) : null;
    if (made?.family === family) return made;
    throw error;
  }
}
