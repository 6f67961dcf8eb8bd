// Written by `pnpm gen` from the folders in rules/. Do not edit.
import type { DriftRule, PageRule } from './rule.ts';
import drift_container_swapped from './rules/drift_container_swapped/rule.ts';
import drift_event_set_changed from './rules/drift_event_set_changed/rule.ts';
import drift_id_changed from './rules/drift_id_changed/rule.ts';
import drift_tag_added from './rules/drift_tag_added/rule.ts';
import drift_tag_moved from './rules/drift_tag_moved/rule.ts';
import drift_tag_removed from './rules/drift_tag_removed/rule.ts';
import ga_analytics_js_legacy from './rules/ga_analytics_js_legacy/rule.ts';
import ga_js_legacy from './rules/ga_js_legacy/rule.ts';
import ga_measurement_protocol_v1 from './rules/ga_measurement_protocol_v1/rule.ts';
import ga_optimize_sunset from './rules/ga_optimize_sunset/rule.ts';
import ga_universal_id from './rules/ga_universal_id/rule.ts';
import ga_universal_shopify_preferences from './rules/ga_universal_shopify_preferences/rule.ts';
import ga_urchin_legacy from './rules/ga_urchin_legacy/rule.ts';
import ga4_api_secret_exposed from './rules/ga4_api_secret_exposed/rule.ts';
import ga4_app_duplicate from './rules/ga4_app_duplicate/rule.ts';
import ga4_multiple_ids from './rules/ga4_multiple_ids/rule.ts';
import google_ads_legacy_tags from './rules/google_ads_legacy_tags/rule.ts';
import google_consent_default_late from './rules/google_consent_default_late/rule.ts';
import google_consent_default_missing from './rules/google_consent_default_missing/rule.ts';
import google_consent_incomplete from './rules/google_consent_incomplete/rule.ts';
import google_first_party_delivery from './rules/google_first_party_delivery/rule.ts';
import google_placeholder_id from './rules/google_placeholder_id/rule.ts';
import google_tag_config_without_loader from './rules/google_tag_config_without_loader/rule.ts';
import google_tag_duplicate_config from './rules/google_tag_duplicate_config/rule.ts';
import gtm_and_hardcoded_google_tag from './rules/gtm_and_hardcoded_google_tag/rule.ts';
import gtm_datalayer_name_mismatch from './rules/gtm_datalayer_name_mismatch/rule.ts';
import gtm_datalayer_overwritten from './rules/gtm_datalayer_overwritten/rule.ts';
import gtm_duplicate_container from './rules/gtm_duplicate_container/rule.ts';
import gtm_multiple_containers from './rules/gtm_multiple_containers/rule.ts';
import gtm_noscript_problem from './rules/gtm_noscript_problem/rule.ts';
import gtm_not_in_head from './rules/gtm_not_in_head/rule.ts';
import meta_capi_token_exposed from './rules/meta_capi_token_exposed/rule.ts';
import meta_pixel_app_duplicate from './rules/meta_pixel_app_duplicate/rule.ts';
import meta_pixel_app_theme_mismatch from './rules/meta_pixel_app_theme_mismatch/rule.ts';
import meta_pixel_consent_order from './rules/meta_pixel_consent_order/rule.ts';
import meta_pixel_duplicate_init from './rules/meta_pixel_duplicate_init/rule.ts';
import meta_pixel_image_outside_noscript from './rules/meta_pixel_image_outside_noscript/rule.ts';
import meta_pixel_invalid_id from './rules/meta_pixel_invalid_id/rule.ts';
import meta_pixel_legacy_call from './rules/meta_pixel_legacy_call/rule.ts';
import meta_pixel_legacy_library from './rules/meta_pixel_legacy_library/rule.ts';
import meta_pixel_legacy_noscript from './rules/meta_pixel_legacy_noscript/rule.ts';
import meta_pixel_missing_event_id from './rules/meta_pixel_missing_event_id/rule.ts';
import meta_pixel_missing_pageview from './rules/meta_pixel_missing_pageview/rule.ts';
import meta_pixel_multiple_ids from './rules/meta_pixel_multiple_ids/rule.ts';
import meta_pixel_nonstandard_event from './rules/meta_pixel_nonstandard_event/rule.ts';
import meta_pixel_noscript_only from './rules/meta_pixel_noscript_only/rule.ts';
import meta_pixel_raw_pii from './rules/meta_pixel_raw_pii/rule.ts';
import meta_pixel_theme_events_with_app from './rules/meta_pixel_theme_events_with_app/rule.ts';
import meta_pixel_track_without_init from './rules/meta_pixel_track_without_init/rule.ts';
import meta_pixel_trekkie_preferences from './rules/meta_pixel_trekkie_preferences/rule.ts';
import shopify_checkout_liquid from './rules/shopify_checkout_liquid/rule.ts';
import shopify_consent_bypass from './rules/shopify_consent_bypass/rule.ts';
import shopify_duplicate_web_pixels from './rules/shopify_duplicate_web_pixels/rule.ts';
import shopify_internal_analytics_api from './rules/shopify_internal_analytics_api/rule.ts';
import shopify_legacy_cookie_read from './rules/shopify_legacy_cookie_read/rule.ts';
import shopify_merchant_ga_script from './rules/shopify_merchant_ga_script/rule.ts';
import shopify_migrated_ga_custom_pixel from './rules/shopify_migrated_ga_custom_pixel/rule.ts';
import shopify_order_status_script from './rules/shopify_order_status_script/rule.ts';
import shopify_pixel_purposes_empty from './rules/shopify_pixel_purposes_empty/rule.ts';
import shopify_script_tag_injected from './rules/shopify_script_tag_injected/rule.ts';

/** Every rule over one page, by id. */
export const pageRules: readonly PageRule[] = [
  ga_analytics_js_legacy,
  ga_js_legacy,
  ga_measurement_protocol_v1,
  ga_optimize_sunset,
  ga_universal_id,
  ga_universal_shopify_preferences,
  ga_urchin_legacy,
  ga4_api_secret_exposed,
  ga4_app_duplicate,
  ga4_multiple_ids,
  google_ads_legacy_tags,
  google_consent_default_late,
  google_consent_default_missing,
  google_consent_incomplete,
  google_first_party_delivery,
  google_placeholder_id,
  google_tag_config_without_loader,
  google_tag_duplicate_config,
  gtm_and_hardcoded_google_tag,
  gtm_datalayer_name_mismatch,
  gtm_datalayer_overwritten,
  gtm_duplicate_container,
  gtm_multiple_containers,
  gtm_noscript_problem,
  gtm_not_in_head,
  meta_capi_token_exposed,
  meta_pixel_app_duplicate,
  meta_pixel_app_theme_mismatch,
  meta_pixel_consent_order,
  meta_pixel_duplicate_init,
  meta_pixel_image_outside_noscript,
  meta_pixel_invalid_id,
  meta_pixel_legacy_call,
  meta_pixel_legacy_library,
  meta_pixel_legacy_noscript,
  meta_pixel_missing_event_id,
  meta_pixel_missing_pageview,
  meta_pixel_multiple_ids,
  meta_pixel_nonstandard_event,
  meta_pixel_noscript_only,
  meta_pixel_raw_pii,
  meta_pixel_theme_events_with_app,
  meta_pixel_track_without_init,
  meta_pixel_trekkie_preferences,
  shopify_checkout_liquid,
  shopify_consent_bypass,
  shopify_duplicate_web_pixels,
  shopify_internal_analytics_api,
  shopify_legacy_cookie_read,
  shopify_merchant_ga_script,
  shopify_migrated_ga_custom_pixel,
  shopify_order_status_script,
  shopify_pixel_purposes_empty,
  shopify_script_tag_injected,
];

/** Every rule over two inventories, by id. */
export const driftRules: readonly DriftRule[] = [
  drift_container_swapped,
  drift_event_set_changed,
  drift_id_changed,
  drift_tag_added,
  drift_tag_moved,
  drift_tag_removed,
];
