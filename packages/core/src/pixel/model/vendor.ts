/** Vendors whose tags the scan recognizes. */
export type Vendor =
  | 'meta'
  | 'google'
  | 'gtm'
  | 'tiktok'
  | 'pinterest'
  | 'klaviyo'
  | 'snapchat'
  | 'microsoft'
  | 'x'
  | 'reddit'
  | 'linkedin'
  | 'hotjar'
  | 'other';

/** Names of vendors in messages. */
export const VENDOR_NAMES: Readonly<Record<Vendor, string>> = {
  meta: 'Meta',
  google: 'Google',
  gtm: 'Tag Manager',
  tiktok: 'TikTok',
  pinterest: 'Pinterest',
  klaviyo: 'Klaviyo',
  snapchat: 'Snapchat',
  microsoft: 'Microsoft',
  x: 'X',
  reddit: 'Reddit',
  linkedin: 'LinkedIn',
  hotjar: 'Hotjar',
  other: 'other vendor',
};
