import type { CertificateRecord } from './certificate.ts';

/**
 * All statuses of a certificate. `draft`, `incomplete`, and `complete` follow from the record, and only a `complete`
 * certificate can supersede another one. `superseded` and `voided` are final.
 */
export const CERTIFICATE_STATUSES = ['draft', 'incomplete', 'complete', 'superseded', 'voided'] as const;

/** One of {@link CERTIFICATE_STATUSES}. */
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** Status of a certificate that hasn't been superseded or voided. */
export type InitialStatus = Exclude<CertificateStatus, 'superseded' | 'voided'>;

/**
 * Returns a certificate's status at the time of issue: `draft` if the certifier hasn't attested to it, `incomplete` if it's
 * attested but has missing elements or contradictions, otherwise `complete`.
 *
 * Source: 16 CFR 1110.11(a)(7), which requires the certifier's attestation.
 *
 * @example initialStatus(certificate(body, context)) // 'draft'
 */
export function initialStatus({
  request,
  completeness,
}: Pick<CertificateRecord, 'request' | 'completeness'>): InitialStatus {
  if (!request.attestation) return 'draft';
  return completeness.status;
}

/**
 * Returns whether a certificate is superseded or voided. Both statuses are final.
 *
 * @example hasEnded('voided') // true
 */
export function hasEnded(status: CertificateStatus): status is 'superseded' | 'voided' {
  return status === 'superseded' || status === 'voided';
}
