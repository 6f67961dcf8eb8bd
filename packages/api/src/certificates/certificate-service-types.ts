import type { CertificateRecord } from '@compliance/core/entry';

/** Request to issue a certificate. */
export interface IssueContext {
  now: number;
  family: string;
  keyId: string;
  requestId: string;
  /** The client's `Idempotency-Key`, or null. */
  idempotencyKey: string | null;
}

/** An issued certificate in the API response. */
export interface IssuedCertificate {
  gcc_pdf_url: string;
  gcc_id: string;
  verification_url: string;
  expires_at: string;
  sha256: string;
  created_at: string;
  warnings: CertificateRecord['warnings'];
  completeness: CertificateRecord['completeness'];
}

/**
 * Issues a certificate: builds the record, renders and stores the PDF, and signs the link. A request with the same idempotency
 * key and body returns the same certificate.
 */
export type Issuer = (body: unknown, context: IssueContext) => Promise<IssuedCertificate>;
