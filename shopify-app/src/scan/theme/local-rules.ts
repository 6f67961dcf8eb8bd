/**
 * Rules that a part of a page can answer to: what they find is wrong wherever it stands. All others need the page: that
 * something is missing, doubled, too late or in the wrong place shows only when the parts are together.
 */
export const localRules: ReadonlySet<string> = new Set([
  'ga_analytics_js_legacy',
  'ga_js_legacy',
  'ga_measurement_protocol_v1',
  'ga_optimize_sunset',
  'ga_universal_id',
  'ga_urchin_legacy',
  'ga4_api_secret_exposed',
  'google_ads_legacy_tags',
  'google_consent_incomplete',
  'google_placeholder_id',
  'meta_capi_token_exposed',
  'meta_pixel_invalid_id',
  'meta_pixel_legacy_call',
  'meta_pixel_legacy_library',
  'meta_pixel_legacy_noscript',
  'meta_pixel_nonstandard_event',
  'meta_pixel_raw_pii',
  'shopify_checkout_liquid',
  'shopify_internal_analytics_api',
  'shopify_legacy_cookie_read',
  'shopify_order_status_script',
]);
