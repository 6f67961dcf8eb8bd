import type { ScanTranslation } from '../localization/localize.ts';
import { formatMessage, type MessageValues } from '../model/message.ts';
import type { RenderingTranslation } from '../rendered/messages.ts';

/**
 * English strings for reports and terminal output, by ID. Strings whose IDs end in `_one` and `_other` are the singular
 * and plural forms of the same string.
 */
export const REPORT_TEXTS = {
  page_title: 'Pixel scan of {host}',
  site_title: 'Site scan of {host}',
  with_theme: '{url}, theme {theme}',
  page_not_scored: "This page couldn't be scored: {reason}.",
  site_not_scored: "The site couldn't be scored, because none of its pages could be scanned.",
  errors_found_one: '1 problem causes data to be lost, incorrect, or exposed. Fix it first.',
  errors_found_other: '{count} problems cause data to be lost, incorrect, or exposed. Fix them first.',
  page_warnings: 'Nothing is broken, but some issues are worth fixing.',
  page_clear: 'Nothing to fix on this page.',
  site_warnings: 'No errors found, but some issues are worth fixing.',
  site_clear: 'Nothing to fix on the scanned pages.',
  page_types_missing_one: "1 page type couldn't be scanned.",
  page_types_missing_other: "{count} page types couldn't be scanned.",
  page_coverage_one:
    "The scan analyzed 1 script on the page as served, without running any code. A scan can't see the contents of custom pixels.",
  page_coverage_other:
    "The scan analyzed {count} scripts on the page as served, without running any code. A scan can't see the contents of custom pixels.",
  site_coverage:
    "The scan analyzed the pages as served, without running any code (pages: {pages}, scripts: {scripts}). The score doesn't cover the page types that weren't scanned. A scan can't see the contents of custom pixels.",
  rendered_title: 'Rendered scan of {host}',
  rendered_verdict:
    'Events sent by the browser: {events}. Problems seen only in the browser: {problems}. Problems in the code: {confirmed} confirmed, {refuted} refuted, {unseen} not verified in the browser.',
  rendered_coverage:
    'The score reflects confirmed findings, findings not verified in the browser, and problems seen only in the browser. Based on the code alone, the score is {score}. The events were recorded, not delivered.',
  rendered_stubbed: 'The page is a saved copy, so missing libraries were replaced with stubs.',
  rendered_cut: 'Rendering ended early, so events might be missing.',

  only_in_browser: 'Seen only in the browser',
  not_counted: 'not counted, because another finding in this report already covers this problem',
  not_seen: 'Not covered by this scan',
  refuted_title: 'Refuted in the browser',
  refuted_text:
    'The code appears to have these problems, but the browser check showed that they don’t occur. These problems don’t lower the score.',
  timeline: 'Events, step by step',
  phase_load: 'Before consent',
  phase_deny: 'After declining',
  phase_accept: 'After accepting',
  phase_and_step: '{phase}, {step}',
  step_skipped: 'skipped: {reason}',
  skipped_not_found: 'not found',
  skipped_robots: 'not allowed by robots.txt',
  skipped_personal_data: 'the form asks for personal data',
  skipped_saved: 'not part of the saved page',
  no_choice_made: 'the scan couldn’t accept or decline tracking',
  in_banner: 'in the {banner} banner',
  cookies_one: '1 cookie',
  cookies_other: '{count} cookies',
  step_incomplete: 'incomplete',
  step_picture: 'The page: {step}',
  no_events: 'The page didn’t send any events to known vendors.',
  cookie_names: 'Cookies: {count}',
  storage_names: 'Browser storage: {count}',
  more_names: '{names}, and {count} more',
  event_time: '{seconds} s',
  unnamed_event: 'unnamed event',
  event_id: 'event ID {id}',
  without_consent: 'without consent',

  rendered_events_one: 'Rendered in a browser: 1 event, recorded but not delivered.',
  rendered_events_other: 'Rendered in a browser: {count} events, recorded but not delivered.',
  cut_by_crash: 'Rendering ended early because the browser crashed.',
  cut_by_limit: 'Rendering ended early because it reached a limit: {limit}.',
  might_be_delivered_one: 'However, 1 event couldn’t be intercepted and might have been delivered.',
  might_be_delivered_other: 'However, {count} events couldn’t be intercepted and might have been delivered.',
  time: 'Time',
  event: 'Event',
  findings: 'Findings',
  finding_confirmed: '{rule}: confirmed. {evidence}',
  finding_refuted: '{rule}: refuted. {evidence}',
  counted_above: 'already covered by a finding above',
  findings_unseen: 'Findings that the recorded events didn’t confirm or refute: {unseen} of {count}.',
  refuted_hidden: 'Refuted findings don’t lower the score and aren’t in the scan report above.',
  rendered_score: 'Score after rendering: {score} of 100. Score based on the code alone: {code_score}.',
  all_layers: 'Every isolation layer was active.',
  some_layers: 'Active isolation layers other than the proxy: {active}. Missing: {missing}.',
  no_layers: 'No isolation layers other than the proxy were active. Missing: {missing}.',

  footer: 'Portfolio Compliance, score version {version}. Not legal advice.',

  error: 'Error',
  warn: 'Warning',
  info: 'Note',
  errors_one: '1 error',
  errors_other: '{count} errors',
  warnings_one: '1 warning',
  warnings_other: '{count} warnings',
  notes_one: '1 note',
  notes_other: '{count} notes',
  heading_error: 'Data is lost, incorrect, or exposed',
  heading_warn: 'Worth fixing',
  heading_info: 'Good to know',

  confirmed: 'Confirmed',
  fix: 'Fix',
  possible: "{message} (possible: can't be confirmed from the page alone)",
  location: 'Location',
  line_and_column: '{source}, line {line}, column {column}',
  on_page: '{location} on {url}',
  seen_on: 'Seen on',
  fix_in: 'Where to fix it',
  since: 'In effect since',
  escalates: 'Severity increases',
  rule: 'Rule',
  owner_theme: 'Theme code',
  owner_shopify_admin: 'Shopify admin',
  owner_app: 'App settings',
  owner_gtm: 'Tag Manager container',
  owner_checkout: 'Checkout settings',

  tags_page: 'Tags on the page',
  tags_site: 'Tags on the site',
  no_tags: 'No tags found.',
  vendor: 'Vendor',
  kind: 'Kind',
  id: 'ID',
  source: 'Source',
  state: 'State',
  unreadable: 'unreadable',
  other_vendor: 'other',
  state_run: 'runs when the page loads',
  state_later: 'runs after an event or a delay',
  state_gated: 'waits for consent',
  state_config: 'is loaded by Shopify',
  state_inert: 'does not run',
  state_never_runs: 'never runs',
  channel_theme: 'theme',
  channel_app_pixel: 'app pixel',
  channel_custom_pixel: 'custom pixel',
  channel_trekkie: 'Shopify analytics (trekkie)',
  channel_script_tag: 'script tag',
  channel_noscript: 'noscript fallback',
  channel_amp: 'AMP',
  channel_gtm: 'Tag Manager container',
  channel_platform: 'Shopify',

  third_parties_page: 'Third parties that the page contacts',
  third_parties_site: 'Third parties that the site contacts',
  company: 'Company',
  host: 'Host',
  category_ad: 'advertising',
  category_analytics: 'analytics',
  category_cdn: 'content delivery network',
  'category_consent-provider': 'consent tool',
  category_content: 'content',
  'category_customer-success': 'customer support',
  category_hosting: 'hosting',
  category_marketing: 'marketing',
  category_other: 'other',
  category_social: 'social media',
  'category_tag-manager': 'tag manager',
  category_utility: 'developer tool',
  category_video: 'video',
  category_unknown: 'unknown',

  score: 'Score',
  score_breakdown: 'Score breakdown',
  maximum_score: 'Maximum score',
  score_of: 'Score {score} of 100',
  of_100: 'of 100',
  cap_not_all_seen_page: "The scan couldn't see the whole page",
  cap_not_all_seen_site: "Parts of the site couldn't be scanned",
  cap_one_error: 'One error keeps the score below 80',
  cap_two_errors: 'Two errors keep the score below 70',
  floor: 'Scores never go below 0',
  repeated: '{title} ({count} times)',
  two_sentences: '{first} {second}',

  pages: 'Pages',
  type: 'Type',
  page: 'Page',
  result: 'Result',
  home: 'Home',
  collection: 'Collection',
  product: 'Product',
  cart: 'Cart',
  search: 'Search',
  blog: 'Blog',
  locale: 'Other locale',
  no_problems: 'No errors or warnings',
  partially_scanned: '{result}; partially scanned',
  not_scanned: 'Not scanned: {reason}',
  with_status: '{reason} (HTTP {status})',

  reason_invalid_url: 'The URL must use HTTP or HTTPS on port 80 or 443 and must not contain a username or password.',
  reason_refused_address:
    'The URL or one of its redirects does not point to a public web server, so the scanner did not connect to it.',
  reason_unreachable: 'The web server could not be reached.',
  reason_tls: 'The server does not have a valid certificate for this domain.',
  reason_timed_out: 'The server did not respond in time.',
  reason_too_many_redirects: 'The URL redirects in a loop or too many times.',
  reason_robots: "The site's robots.txt does not allow automated visits to this page, or could not be read.",
  reason_blocked: 'The site blocked the scanner (bot protection, sign-in, or rate limit).',
  reason_http_error: 'The server responded with an error instead of a page.',
  reason_not_html: 'The URL does not return an HTML page.',
  reason_too_large: 'The response headers exceed the size limit.',
  reason_too_complex: 'The page is too complex to scan.',
  reason_over_limit: 'The scan reached its request or time limit.',
  reason_target_busy: 'This site was scanned too often in the last minute. Try again later.',
  reason_broken_response: 'The server sent an invalid or incomplete HTTP response.',
  reason_no_egress: 'The service could not connect to the internet.',
  reason_not_found: 'No link to a page of this type was found.',
  reason_password: 'The store is password-protected.',
  reason_redirected: 'The URL redirects to another site or to a page that was already fetched.',
  reason_not_confirmed:
    "The page is on another host and doesn't list this site as an alternate, so it might belong to another shop.",

  'cause_not HTML': 'not HTML',
  'cause_empty page': 'empty page',
  'cause_bot challenge': 'bot challenge',
  'cause_password page': 'password page',
  'cause_different page type': 'different page type',
  'cause_not scanned': 'not scanned',
  'cause_not in the baseline': 'not in the baseline',

  severity: 'Severity',
  finding: 'Finding',
  change: 'Change',
  tag: 'Tag',
  points: '{score} of 100',
  not_scored: 'not scored: {reason}',
  no_page_scored: 'not scored: no page could be scanned',
  scripts_analyzed_one: '1 script analyzed',
  scripts_analyzed_other: '{count} scripts analyzed',
  page_types_scanned: '{scanned} of {count} page types scanned',
  partially_analyzed: 'the page was only partially analyzed',
  seen_on_pages: 'Seen on: {pages}',
  every_page: 'every scanned page',
  not_compared: 'Not compared with the baseline: {reason}.',
  compared_none: 'No changes since the baseline.',
  compared_changed: 'Changed since the baseline.',
  compared_broken: 'Broken since the baseline.',
  page_limits:
    "Custom pixels aren't analyzed, and neither are Tag Manager containers that weren't fetched. Not legal advice.",
  site_limits: "The score covers only scanned pages. Custom pixels aren't analyzed. Not legal advice.",
} as const;

/** ID of a string in {@link REPORT_TEXTS}. Singular and plural forms share one ID, without `_one` or `_other`. */
export type ReportTextId = keyof typeof REPORT_TEXTS extends infer Id
  ? Id extends `${infer Base}_one`
    ? Base
    : Id extends `${string}_other`
      ? Id extends PluralForm
        ? never
        : Id
      : Id
  : never;

/** ID of a plural form that also has a singular form, such as `errors_other`. */
type PluralForm = keyof typeof REPORT_TEXTS extends infer Id
  ? Id extends `${infer Base}_one`
    ? `${Base}_other`
    : never
  : never;

/** Strings for reports, rules, and findings in one language. A missing string is shown in English. */
export interface ReportTranslation extends ScanTranslation, RenderingTranslation {
  readonly report: Readonly<Partial<Record<string, string>>>;
}

/** Returns a string in the report's language, with its values inserted. `count` selects the singular or plural form. */
export type ReportText = (id: ReportTextId, values?: MessageValues) => string;

/**
 * Returns a function that looks up report strings in a language, or in English if `translation` is null.
 *
 * @example reportText(null)('errors', { count: 2 }) // '2 errors'
 */
export function reportText(translation: ReportTranslation | null): ReportText {
  return (id, values = {}) => {
    // The singular strings contain the number 1, so they can't be used for 0, even in languages where 0 is singular.
    const form = values.count === 1 ? 'one' : 'other';
    const text = textOf(id, translation) ?? textOf(`${id}_${form}`, translation) ?? id;
    return formatMessage(text, values, translation ?? undefined);
  };
}

/**
 * Returns the string for a code, such as the reason that a page wasn't scanned. Returns the fallback for an unknown
 * code, which a newer release might have added.
 *
 * @example knownText('reason_unreachable', 'Unreachable.', null) // 'The web server could not be reached.'
 */
export const knownText = (id: string, fallback: string, translation: ReportTranslation | null): string =>
  textOf(id, translation) ?? fallback;

const ENGLISH: Readonly<Record<string, string>> = REPORT_TEXTS;

function textOf(id: string, translation: ReportTranslation | null): string | undefined {
  const own = translation && Object.hasOwn(translation.report, id) ? translation.report[id] : undefined;
  return own ?? (Object.hasOwn(ENGLISH, id) ? ENGLISH[id] : undefined);
}
