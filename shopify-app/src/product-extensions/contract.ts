// JSON that the app sends to its admin UI extensions. The extensions import these types, and their type check doesn't
// include the app's packages, so this file doesn't import anything.

/** Whether Section 232 covers a code. A code that the app can't look up is `unknown`, never `not_covered`. */
export type TariffCoverage = 'covered' | 'not_covered' | 'unknown';

/** Classification of a variant, as in the catalog. */
type VariantStatus = 'hit' | 'in_scope' | 'adjacent' | 'clear' | 'needs_digits' | 'missing' | 'invalid';

/** A fact that determines which duty applies: the country of origin, or a condition in the given language. */
export type DecidingFact =
  | { readonly fact: 'origin' }
  | { readonly fact: 'condition'; readonly text: string; readonly language: string };

/** Additional duty under one listing that covers a code. */
export interface ListedDuty {
  readonly program: string;
  readonly role: 'article' | 'derivative';
  /** Rate as a percentage, or null if the sources don't state a rate. */
  readonly rate: number | null;
  readonly rateType: 'additional' | 'total_floor' | 'none';
  readonly basis: 'full_customs_value' | 'metal_content_value' | 'copper_content_value' | 'non_us_content_value';
  /** Start date of the duty, YYYY-MM-DD. */
  readonly from: string;
  /** Citation of the legal source, in English. */
  readonly citation: string;
  /** Facts that determine whether this duty or a different one applies. If the list is empty, this duty applies. */
  readonly decidedBy: readonly DecidingFact[];
}

/** Variants of a product that have the same code, origin, and result. */
export interface VariantResult {
  /** Numeric ID of the group's first variant, as used in the app's URLs. */
  readonly number: string;
  readonly count: number;
  /** Titles of the group's first variants. Empty for a product without options. */
  readonly titles: readonly string[];
  /** Code in HTS notation if the code is valid, otherwise the code as entered, or null. */
  readonly code: string | null;
  /** Country of origin: an ISO 3166-1 code, the value as entered, or null. */
  readonly origin: string | null;
  readonly status: VariantStatus;
  readonly coverage: TariffCoverage;
  readonly duties: readonly ListedDuty[];
}

/** Status of a certificate, as in the API. */
type CertificateStatus = 'draft' | 'incomplete' | 'complete' | 'superseded' | 'voided';

/** A product's newest certificate. */
export interface NewestCertificate {
  /** Status, which is `draft` if the product has only a draft, or null if it has no certificate and no draft. */
  readonly status: CertificateStatus | null;
  /** Certificate ID, or null if no certificate has been issued. */
  readonly id: string | null;
  /** Whether the product has a draft that hasn't been issued. */
  readonly hasDraft: boolean;
  /** Number of required elements that are missing from the certificate, or from the draft if there's no certificate. */
  readonly missing: number;
  /** Number of invalid fields and contradictions. */
  readonly faults: number;
  /**
   * Due date of the next test, in YYYY-MM-DD format, if the test is due within the reminder period or overdue.
   * Otherwise, null.
   */
  readonly retestDue: string | null;
  /** Public page that shows the certificate's current status, or null if no certificate has been issued. */
  readonly verificationUrl: string | null;
}

/** A product's tariff results and newest certificate. */
export interface ProductSummary {
  /** Groups of variants: covered first, then unknown, then not covered. */
  readonly groups: readonly VariantResult[];
  readonly variants: number;
  /** Whether the product has more variants than the app sends. */
  readonly isCut: boolean;
  /** Earliest time that a variant in this summary was checked, in milliseconds since the Unix epoch. */
  readonly checkedAt: number;
  /** Date through which the tariff lists are current, YYYY-MM-DD. */
  readonly listsKnownThrough: string;
  /** Whether every result is based on the app's newest lists. */
  readonly isCurrent: boolean;
  /** Whether the lists might have changed since `listsKnownThrough`. */
  readonly areListsOld: boolean;
  readonly certificate: NewestCertificate;
}

/** Body of a successful response. The summary is null if the product isn't in the app's catalog. */
export interface ProductResponse {
  readonly summary: ProductSummary | null;
}

/**
 * Reason that a request failed. `unknown_product` means that the product wasn't found. The other codes are the app's
 * Admin API error codes.
 */
type ProductFault = 'unknown_product' | 'throttled' | 'revoked' | 'forbidden' | 'frozen' | 'unavailable' | 'unexpected';

/** Body of an unsuccessful response. */
export interface ProductError {
  readonly error: ProductFault | 'rate_limited' | 'bad_request' | 'no_certificate';
}
