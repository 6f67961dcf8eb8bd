import type { CatalogRule } from '../citations/catalog.ts';
import type { CertificateRequest } from '../request/schema.ts';

/**
 * A test for compliance with a cited rule. `lab` is the lab's index: 0 (the default) is `testing_lab`, and 1 is the
 * first lab in `other_labs`.
 */
export interface RuleTest {
  test_date: string;
  lab: number;
  standard: string | null;
  report_id: string | null;
  report_url: string | null;
  component: string | null;
}

/**
 * A cited rule. If the catalog contains the rule, `standing` is `confirmed` or `recalled`. Otherwise, `standing` is
 * `unknown`, and `citation` is the text from the request. `entry` is the index in `cpsc_rules_cited` of the text that names
 * the rule. A rule with an `exclusion` doesn't require a test (16 CFR 1110.11(c)).
 */
export interface CitedRule {
  entry: number;
  as_cited: string;
  citation: string;
  subject: string | null;
  detail: string;
  standing: CatalogRule['standing'] | 'unknown';
  role: CatalogRule['role'] | null;
  certificates: readonly ('GCC' | 'CPC')[];
  tests: readonly RuleTest[];
  exclusion: { basis: string; code: string | null } | null;
}

/** The certifier: the party named in the request, or the manufacturer of goods made in the U.S. (16 CFR 1110.7(b)). */
export type CertifyingParty = Omit<NonNullable<CertificateRequest['certifier']>, 'importer_of_record_number'>;

/**
 * The facts that a certificate states, excluding warnings and completeness. `certifying_party` is null if no party
 * qualifies as the certifier. A foreign manufacturer never qualifies.
 */
export interface RecordFacts {
  format: 'gcc-1';
  id: string;
  issued_at: string;
  /** The permanent URL of the certificate's page, or null if the certificate isn't published. */
  verification_url: string | null;
  request: CertificateRequest;
  /** ISO 3166-1 alpha-2 code for the country of manufacture, or null if the location is ambiguous. */
  country_of_manufacture: string | null;
  certifying_party: CertifyingParty | null;
  rules: readonly CitedRule[];
  attestation_version: string;
  catalogue: string;
}
