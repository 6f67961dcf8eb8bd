import type { CatalogueRule } from '../citations/catalogue.ts';
import type { CertificateRequest } from '../request/schema.ts';

/** A test that one cited rule rests on. `lab` counts from 0 = `testing_lab`; it is 0 when the request names none. */
export interface RuleTest {
  test_date: string;
  lab: number;
  standard: string | null;
  report_id: string | null;
  report_url: string | null;
  component: string | null;
}

/**
 * One cited rule. `standing` says whether the catalogue knows it (`confirmed`, `recalled`) or not (`unknown`); then `citation`
 * is the text as cited. An `exclusion` stands in for the test of this rule (16 CFR 1110.11(c)).
 */
export interface CitedRule {
  as_cited: string;
  citation: string;
  subject: string | null;
  detail: string;
  standing: CatalogueRule['standing'] | 'unknown';
  role: CatalogueRule['role'] | null;
  certificates: readonly ('GCC' | 'CPC')[];
  tests: readonly RuleTest[];
  exclusion: { basis: string; code: string | null } | null;
}

/** Who certifies: the party the request names, or the manufacturer of goods made in the US (16 CFR 1110.7(b)). */
export type CertifyingParty = Omit<NonNullable<CertificateRequest['certifier']>, 'importer_of_record_number'>;

/**
 * What a certificate states, before it is judged. `certifying_party` is null while nobody may be printed as certifier: a
 * foreign manufacturer never is.
 */
export interface RecordFacts {
  format: 'gcc-1';
  id: string;
  issued_at: string;
  verification_url: string;
  request: CertificateRequest;
  /** ISO 3166-1 alpha-2, or null when the place does not say it for certain. */
  country_of_manufacture: string | null;
  certifying_party: CertifyingParty | null;
  rules: readonly CitedRule[];
  attestation_version: string;
  catalogue: string;
}
