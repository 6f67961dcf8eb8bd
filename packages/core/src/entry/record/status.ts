import { THIRD_PARTY_TESTING } from '../childrens/third-party-testing.ts';
import { type EfilingMessage, efilingMessage, messageText } from '../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from './certificate.ts';

/**
 * All certificate statuses. The record determines whether the status is `draft`, `incomplete`, or `complete`, and only
 * a `complete` certificate can supersede another one. `superseded` and `voided` are final.
 */
export const CERTIFICATE_STATUSES = ['draft', 'incomplete', 'complete', 'superseded', 'voided'] as const;

/** One of {@link CERTIFICATE_STATUSES}. */
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** Status of a certificate that hasn't been superseded or voided. */
export type InitialStatus = Exclude<CertificateStatus, 'superseded' | 'voided'>;

/**
 * Returns a certificate's status at the time of issue:
 *
 * - `draft`: the certifier hasn't attested to the certificate, or a Children's Product Certificate lacks a required
 *   test by a CPSC-accepted laboratory.
 * - `incomplete`: the certificate has other missing elements or contradictions.
 * - `complete`: the certificate has no missing elements or contradictions.
 *
 * Source: 16 CFR 1110.11(a)(7), which requires the certifier's attestation, and 15 U.S.C. 2063(a)(2), which allows
 * children's products to be certified only on the basis of third-party testing.
 *
 * @example initialStatus(certificate(body, context)) // 'draft'
 */
export function initialStatus({
  request,
  completeness,
}: Pick<CertificateRecord, 'request' | 'completeness'>): InitialStatus {
  if (!request.attestation) return 'draft';
  return request.certificate_type === 'CPC' && lacksThirdPartyTesting(completeness) ? 'draft' : completeness.status;
}

function lacksThirdPartyTesting({ missing, contradictions }: CertificateRecord['completeness']): boolean {
  const gaps = [...missing.map(({ element }) => element), ...contradictions.map(({ citation }) => citation)];
  return gaps.includes(THIRD_PARTY_TESTING);
}

/**
 * Returns the warning to include in certificate data exports as a one-element array, or an empty array if the
 * certificate is complete.
 *
 * @example draftWarning(record) // ['This certificate is a draft, because …']
 */
export const draftWarning = (record: Pick<CertificateRecord, 'request' | 'completeness'>): readonly string[] =>
  draftMessages(record).map(message => messageText(message));

/** Returns the same warning as {@link draftWarning}, but as a message with an ID. */
export function draftMessages(record: Pick<CertificateRecord, 'request' | 'completeness'>): readonly EfilingMessage[] {
  const status = initialStatus(record);
  return status === 'complete' ? [] : [efilingMessage(`${status}_certificate`)];
}

/**
 * Returns whether a certificate is superseded or voided. Both statuses are final.
 *
 * @example hasEnded('voided') // true
 */
export function hasEnded(status: CertificateStatus): status is 'superseded' | 'voided' {
  return status === 'superseded' || status === 'voided';
}
