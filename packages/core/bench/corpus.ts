/** Prints precision and recall per rule over the labelled pages, beside a search by regular expressions: `pnpm --filter @compliance/core corpus`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageRules, scan } from '@compliance/core/pixel';
import reviewed from '../src/pixel/corpus/reviewed.json' with { type: 'json' };
import { captureOf } from '../src/pixel/testing/capture-of.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const corpus = join(import.meta.dirname, '../../../../shared/data/pixel-corpus');
if (!existsSync(corpus)) {
  print('No saved pages beside the checkout (../shared/data/pixel-corpus): nothing measured.');
  process.exit(0);
}

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

/** What one would search the text of the page for. */
const searches: Readonly<Record<string, (html: string) => boolean>> = {
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

interface Tally {
  right: number;
  wrong: number;
  missed: number;
}
const empty = (): Tally => ({ right: 0, wrong: 0, missed: 0 });
const mine = new Map<string, Tally>();
const theirs = new Map<string, Tally>();
const pages = JSON.parse(readFileSync(join(corpus, 'labels.json'), 'utf8')).pages as {
  id: string;
  expected_rules: string[];
}[];

function count(tallies: Map<string, Tally>, rule: string, fired: boolean, expected: boolean): void {
  const tally = tallies.get(rule) ?? empty();
  tallies.set(rule, tally);
  if (fired && expected) tally.right++;
  else if (fired) tally.wrong++;
  else if (expected) tally.missed++;
}

for (const { id, expected_rules } of pages) {
  const html = readFileSync(join(corpus, 'pages', `${id}.html`), 'utf8');
  const fired = new Set(scan(captureOf(html), { asOf: '2026-11-21' }).findings.map(f => f.rule_id));
  // The labels are a lower bound: what a review found right counts as expected, for both sides.
  const expected = new Set([
    ...expected_rules,
    ...reviewed.flatMap(r => (r.page === id && r.verdict === 'right' ? [r.rule] : [])),
  ]);
  for (const { meta } of pageRules) count(mine, meta.id, fired.has(meta.id), expected.has(meta.id));
  for (const [rule, search] of Object.entries(searches)) count(theirs, rule, search(html), expected.has(rule));
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '   –' : `${Math.round((100 * part) / whole)}%`.padStart(4);
const row = (name: string, a: Tally, b: Tally | undefined): string =>
  [
    name.padEnd(36),
    String(a.right).padStart(3),
    String(a.wrong).padStart(3),
    String(a.missed).padStart(3),
    share(a.right, a.right + a.wrong),
    share(a.right, a.right + a.missed),
    '  |',
    b ? [b.right, b.wrong, b.missed].map(n => String(n).padStart(3)).join(' ') : '',
    b ? `${share(b.right, b.right + b.wrong)} ${share(b.right, b.right + b.missed)}` : '',
  ].join(' ');
const total = (tallies: Map<string, Tally>, only: (rule: string) => boolean): Tally => {
  const sum = empty();
  for (const [rule, t] of tallies) {
    if (!only(rule)) continue;
    sum.right += t.right;
    sum.wrong += t.wrong;
    sum.missed += t.missed;
  }
  return sum;
};

print(`${pages.length} pages. right, wrong, missed, precision, recall; the scan, then a search by regular expressions`);
for (const [rule, tally] of mine) {
  const other = theirs.get(rule);
  if (tally.right + tally.wrong + tally.missed + (other ? other.right + other.wrong : 0) > 0)
    print(row(rule, tally, other));
}
print(
  row(
    'rules both have',
    total(mine, r => r in searches),
    total(theirs, () => true),
  ),
);
print(
  row(
    'all rules',
    total(mine, () => true),
    undefined,
  ),
);
