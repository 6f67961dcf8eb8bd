import type { Attachment } from '../attachments/attachments.ts';
import type { ChildrensFacts } from '../childrens/facts.ts';
import type { CitedRule } from '../request/cited-rules.ts';
import type { CertificateRequest } from '../request/schema.ts';

/** The certifier: the party named in the request, or the manufacturer of goods made in the U.S. (16 CFR 1110.7(b)). */
export type CertifyingParty = Omit<NonNullable<CertificateRequest['certifier']>, 'importer_of_record_number'>;

/**
 * The facts that a certificate states, excluding warnings and completeness. `certifying_party` is null if no party
 * qualifies as the certifier. A foreign manufacturer never qualifies.
 */
export interface RecordFacts {
  format: 'gcc-1' | 'cpc-1';
  id: string;
  issued_at: string;
  /** The permanent URL of the certificate's page, or null if the certificate isn't published. */
  verification_url: string | null;
  request: CertificateRequest;
  /** ISO 3166-1 alpha-2 code for the country of manufacture, or null if the country is ambiguous or unknown. */
  country_of_manufacture: string | null;
  certifying_party: CertifyingParty | null;
  rules: readonly CitedRule[];
  /** Facts specific to a Children's Product Certificate. */
  childrens?: ChildrensFacts;
  /** The files attached to the PDF, if any. */
  attachments?: readonly Attachment[];
  attestation_version: string;
  catalogue: string;
}
