import type { CertificateRecord } from '@compliance/core/entry';

/** Who asks for a certificate, and how. */
export interface IssueContext {
  now: number;
  family: string;
  keyId: string;
  requestId: string;
  /** The caller's `Idempotency-Key`, if there is one. */
  idempotencyKey: string | null;
}

/** An issued certificate as the API answers it. */
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

/** Issues certificates: record, PDF, storage, links. The same idempotency key and body give the same certificate. */
export type Issuer = (body: unknown, context: IssueContext) => Promise<IssuedCertificate>;
