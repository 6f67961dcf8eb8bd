import type { RecordFacts } from './facts.ts';

/** Start date of the requirement to file certificate data electronically for imports. */
const EFILING_SINCE = '2026-07-08';

/**
 * Returns the legal requirements that apply to imports in addition to the certificate itself, or null for goods made in
 * the U.S. and for certificates issued before July 8, 2026. Also returns the requirements if the country of manufacture
 * is unknown, because the goods might be imported.
 *
 * Source: 16 CFR 1110.9(c) and 1110.13(a)(1), as amended effective 2026-07-08 (2027-01-08 for foreign trade zones).
 *
 * @example efilingNotice(record) // 'For goods imported on or after July 8, 2026 …'
 */
export function efilingNotice({
  country_of_manufacture,
  issued_at,
}: Pick<RecordFacts, 'country_of_manufacture' | 'issued_at'>): string | null {
  if (country_of_manufacture === 'US' || issued_at < EFILING_SINCE) return null;
  return (
    'For goods imported on or after July 8, 2026 (or, from a foreign trade zone, on or after January 8, 2027), the ' +
    'importer must also file the certificate data electronically in ACE at entry (16 CFR 1110.13(a)(1)). ' +
    "The certificate's identifier must be on the product, the shipping carton, or the invoice (16 CFR 1110.9(c)). " +
    'This PDF meets neither requirement.'
  );
}
