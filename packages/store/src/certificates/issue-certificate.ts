import { type CertificateContext, certificate, type Fonts, render } from '@compliance/core/entry';
import { StoreError } from '../errors.ts';
import type { Certificate, CertificateChange, Certificates } from './certificates.ts';

/** What certificates are made with. */
export interface Issuing {
  readonly fonts: Fonts;
  /** Where the service that verifies certificates is reached from outside, no slash at the end; it is printed on each. */
  readonly baseUrl: string;
}

/** A certificate that is asked for. */
export interface IssueRequest extends CertificateChange {
  /** The request as it came from outside. With `supersedes` the certificate takes the place of another of the family. */
  readonly body: unknown;
  /** A UUID. The same id is never issued twice: who asks again gets the certificate that there is. */
  readonly id: string;
  readonly family: string;
  /** ms since epoch. */
  readonly now: number;
}

/**
 * What the record of a certificate says of its making.
 *
 * @example
 * certificate(body, certificateContext('https://compliance.example', randomUUID(), Date.now()));
 */
export function certificateContext(baseUrl: string, id: string, now: number): CertificateContext {
  const issuedAt = new Date(now).toISOString();
  return { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl: `${baseUrl}/gcc/${id}` };
}

/**
 * Issues a certificate: record, PDF, storage. May be asked again after a crash at any point. A family can end certificates
 * of its own alone, and learns nothing of others.
 *
 * @throws InvalidRequest of core, with every issue
 * @throws StoreError `certificate_unknown` when `supersedes` names none of the family's, `certificate_ended` when it is void or
 *   superseded; `certificate_exists` when the id is another family's; `blobs_unavailable`, `config_invalid`
 * @example
 * const { id, sha256 } = await issueCertificate(store.certificates, { fonts, baseUrl }, { body, id, family, now, actor });
 */
export async function issueCertificate(
  certificates: Certificates,
  { fonts, baseUrl }: Issuing,
  { body, id, family, now, actor, requestId }: IssueRequest,
): Promise<Certificate> {
  const record = certificate(body, certificateContext(baseUrl, id, now));
  const pdf = await render(record, fonts);
  const { supersedes, product_info } = record.request;
  const names = [product_info.name, product_info.model ?? '', product_info.sku ?? ''].filter(Boolean);
  const kept = { id, record: JSON.stringify(record), pdf, names, actor, requestId };
  try {
    if (supersedes === undefined) return await certificates.issue({ ...kept, family });
    const predecessor = await certificates.get(supersedes);
    if (predecessor?.family !== family)
      throw new StoreError('certificate_unknown', 'There is no such certificate of yours.');
    return await certificates.supersede(supersedes, kept);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // An earlier run of the same request made it and died before it could answer.
    const made =
      error.code === 'certificate_exists' || error.code === 'certificate_ended' ? await certificates.get(id) : null;
    if (made?.family === family) return made;
    throw error;
  }
}
