import { AD_COMPANIES, type AdVendor } from '../ad-pixels/ad-pixels.ts';
import { type MessageTerm, term } from './message.ts';

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

/**
 * Returns a vendor's name as a message value. Returns an unknown vendor unchanged, because it might be in a baseline
 * that a newer release saved.
 */
export const vendorName = (vendor: Vendor): string | MessageTerm =>
  vendor === 'other' ? term('other_vendor') : (VENDOR_NAMES[vendor] ?? vendor);

/** Compares two vendors by their English names. */
export const byVendorName = (a: Vendor, b: Vendor): number => (VENDOR_NAMES[a] < VENDOR_NAMES[b] ? -1 : 1);

/** Returns the name of an advertising vendor's pixel as a message value. */
export const pixelName = (vendor: AdVendor): MessageTerm => term(`ad_pixel_${vendor}`);
