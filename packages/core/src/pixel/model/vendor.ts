import { AD_COMPANIES, type AdVendor } from '../ad-pixels/ad-pixels.ts';

/** Vendors whose tags the scan recognizes. */
export type Vendor = 'meta' | 'google' | 'gtm' | AdVendor | 'hotjar' | 'other';

/** Vendor names used in messages. */
export const VENDOR_NAMES: Readonly<Record<Vendor, string>> = {
  meta: 'Meta',
  google: 'Google',
  gtm: 'Tag Manager',
  ...AD_COMPANIES,
  hotjar: 'Hotjar',
  other: 'other vendor',
};
