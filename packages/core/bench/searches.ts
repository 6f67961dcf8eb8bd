const twice =
  (pattern: RegExp) =>
  (html: string): boolean => {
    const found = [...html.matchAll(pattern)].map(m => m[1]);
    return new Set(found).size < found.length;
  };
const several =
  (pattern: RegExp) =>
  (html: string): boolean =>
    new Set([...html.matchAll(pattern)].map(m => m[1])).size > 1;
const has =
  (pattern: RegExp) =>
  (html: string): boolean =>
    pattern.test(html);
const both =
  (a: RegExp, b: RegExp) =>
  (html: string): boolean =>
    a.test(html) && b.test(html);
const without =
  (a: RegExp, b: RegExp) =>
  (html: string): boolean =>
    a.test(html) && !b.test(html);

/**
 * Text searches, keyed by rule ID. Each search applies regular expressions to an entire page. The searches serve as a
 * baseline for evaluating scans.
 */
export const searches: Readonly<Record<string, (html: string) => boolean>> = {
  meta_pixel_legacy_call: has(/_fbq\.push\(\s*\[\s*['"](?:track|addPixelId)/),
  meta_pixel_legacy_library: has(/connect\.facebook\.net\/\w+\/(?:fbds|fp)\.js/),
  meta_pixel_trekkie_preferences: has(/"Facebook Pixel":\s*\{\s*"pixelIds"/),
  meta_pixel_duplicate_init: twice(/fbq\(\s*['"]init['"],\s*['"](\d+)/g),
  meta_pixel_multiple_ids: several(/fbq\(\s*['"]init['"],\s*['"](\d+)/g),
  meta_pixel_missing_pageview: without(/fbq\(\s*['"]init/, /['"]track['"],\s*['"]PageView/),
  meta_pixel_invalid_id: has(/"pixelIds":\["(?:\d{1,13}|\d{18,})"/),
  meta_pixel_image_outside_noscript: has(/(?<!<noscript>\s*)<img[^>]+facebook\.com\/tr\?id=/),
  meta_pixel_nonstandard_event: has(
    /fbq\(\s*['"]track['"],\s*['"](?!PageView|ViewContent|AddToCart|Purchase|Lead|Search|InitiateCheckout|CompleteRegistration)/,
  ),
  ga_js_legacy: has(/google-analytics\.com\/(?:ga|dc)\.js|_gaq\.push/),
  ga_analytics_js_legacy: has(/google-analytics\.com\/analytics\.js|GoogleAnalyticsObject/),
  ga_universal_id: has(/UA-\d{4,10}-\d{1,4}/),
  ga_universal_shopify_preferences: has(/"trackingId":\s*"UA-/),
  ga_optimize_sunset: has(/googleoptimize\.com|async-hide/),
  google_tag_duplicate_config: twice(/gtag\(\s*['"]config['"],\s*['"]([\w-]+)/g),
  ga4_multiple_ids: several(/['"=](G-[A-Z0-9]{8,12})\b/g),
  ga4_app_duplicate: both(/gtag\(\s*['"]config['"],\s*['"]G-/, /1780363/),
  gtm_not_in_head: html => html.indexOf('gtm.js') > html.indexOf('<body') && html.includes('<body'),
  gtm_noscript_problem: html => html.includes('gtm.js') !== html.includes('ns.html'),
  gtm_duplicate_container: twice(/['"](GTM-\w+)['"]\)/g),
  gtm_multiple_containers: several(/(GTM-[A-Z0-9]{4,9})/g),
  gtm_and_hardcoded_google_tag: both(/googletagmanager\.com\/gtm\.js/, /gtag\(\s*['"]config|ga\(\s*['"]create/),
  google_consent_default_late: html =>
    html.includes('consent') && html.search(/gtag\(\s*['"]config/) < html.search(/['"]consent['"],\s*['"]default/),
  google_consent_incomplete: without(/['"]consent['"],\s*['"]default/, /ad_user_data/),
  google_consent_default_missing: without(/googletagmanager\.com\/(?:gtm|gtag)/, /['"]consent['"],\s*['"]default/),
  google_ads_legacy_tags: has(/google_tag_params|google_conversion_id|pagead\/conversion(?:_async)?\.js/),
  shopify_script_tag_injected: has(/var urls = \["/),
  shopify_merchant_ga_script: has(/merchantGoogleAnalytics = function/),
};
