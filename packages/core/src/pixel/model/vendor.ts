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
