import type { DiffLine } from '@compliance/core/pixel';
import type { AcceptFaults } from '../../../src/findings/accept.ts';
import type { FindingView } from '../../../src/findings/findings.ts';
import type { FileFix, FindingOrigin } from '../../../src/scan/model/types.ts';
import { storiesOf } from '../testing/story.ts';
import { FindingScreen } from './finding.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
export const view: FindingView = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'warn',
  message: 'The tag UA-1 no longer sends data.',
  messageLanguage: 'en',
  language: 'en',
  place: 'snippets/tracking.liquid:4',
  places: 1,
  firstSeen: SEEN,
  regressed: false,
  fixedAt: null,
  verdict: null,
  browser: null,
  timeZone: 'Asia/Tokyo',
  status: 'open',
  lastSeen: SEEN + 86_400_000,
  regressedAt: null,
  accepted: false,
  acceptance: null,
  snippet: "ga('create', 'UA-1');",
  ids: ['UA-1', 'UA-2'],
  what: 'The tag of a service that was shut down.',
  why: 'It slows down the page.',
  steps: ['Open the file.', 'Remove the tag.'],
  sources: ['https://support.example/ua'],
  pages: [{ path: '/products/mug', url: 'https://shop.example/products/mug' }],
  files: [
    {
      ...{ themeId: '7', name: 'snippets/tracking.liquid', line: 4, column: 2 },
      editorUrl: 'https://admin.shopify.com/store/found/themes/7?key=snippets%2Ftracking.liquid',
    },
  ],
  origin: 'file',
  context: null,
  escalatesOn: null,
  rechecking: false,
  fix: null,
  watching: false,
  checked: null,
};
const same = (text: string, before: number, after: number): DiffLine => ({ kind: 'same', text, before, after });
const removed = (text: string, before: number): DiffLine => ({ kind: 'removed', text, before, after: null });
const added = (text: string, after: number): DiffLine => ({ kind: 'added', text, before: null, after });
const FILE = { themeId: '7', name: 'snippets/tracking.liquid', removes: [], corrected: null } as const;
const DELETES: FileFix = {
  ...FILE,
  hunks: [
    [
      same('<!-- Pasted by an agency -->', 1, 1),
      ...['<script>', "  ga('create', 'UA-1', 'auto');", "  ga('send', 'pageview');", '</script>'].map((text, i) =>
        removed(text, i + 2),
      ),
      same('<p>Thank you</p>', 6, 2),
    ],
  ],
  added: [],
  removes: ['ga'],
  corrected: '<!-- Pasted by an agency -->\n<p>Thank you</p>\n',
};
const REPLACES: FileFix = {
  ...FILE,
  hunks: [
    [removed("gtag('event', 'add_to_chart')", 12), added("gtag('event', 'add_to_cart')", 12)],
    [
      removed(`gtag('event', 'add_to_chart', { items: [${"'a_long_item_name', ".repeat(20)}] })`, 340),
      added(`gtag('event', 'add_to_cart', { items: [${"'a_long_item_name', ".repeat(20)}] })`, 340),
    ],
  ],
  added: [
    { line: 12, text: "gtag('event', 'add_to_cart')" },
    { line: 340, text: "gtag('event', 'add_to_cart', …)" },
  ],
};
const ADDS: FileFix = {
  ...FILE,
  hunks: [[same("fbq('init', '1')", 2, 2), added("fbq('track', 'PageView');", 3)]],
  added: [{ line: 3, text: "fbq('track', 'PageView');" }],
};
export const acceptance = { reason: 'Our agency needs it', until: null, by: '42', at: SEEN };
const elsewhere = (origin: FindingOrigin): FindingView => ({ ...view, origin, files: [] });

export const finding = (view: FindingView, faults: AcceptFaults = {}) => (
  <FindingScreen
    {...view}
    faults={faults}
    busy={false}
    onAccept={() => {}}
    onUnaccept={() => {}}
    onRecheck={() => {}}
    onEdit={() => {}}
  />
);

export const STORIES = storiesOf(finding, [
  [
    'open',
    view,
    [
      'The tag UA-1 no longer sends data.',
      "ga('create', 'UA-1');",
      'IDs: UA-1, UA-2',
      'Sources support.example/ua',
      'Found in this theme file: snippets/tracking.liquid, line 4',
      'Seen on these pages: /products/mug',
      'Why it matters The tag of a service that was shut down. It slows down the page.',
      'Open the file. Remove the tag.',
      'Open in code editor',
      'First seen Nov 2, 2026, 6:00',
      'Last seen Nov 3, 2026',
      'Accept this finding',
    ],
  ],
  [
    'fixed',
    { ...view, status: 'fixed', fixedAt: SEEN, checked: { is: 'fixed', at: SEEN } },
    ['Checked again: fixed. Not seen since Nov 2, 2026'],
  ],
  [
    'with lines to delete',
    { ...view, fix: DELETES },
    [
      'Delete the lines marked “−” from this theme file: snippets/tracking.liquid',
      "1 <!-- Pasted by an agency --> 2 − Removed <script> 3 − Removed ga('create', 'UA-1', 'auto');",
      'your theme will no longer define these functions or variables: ga.',
      'Copy corrected file',
    ],
  ],
  [
    'with lines to replace',
    { ...view, fix: REPLACES },
    [
      'Replace the lines marked “−” with the lines marked “+”',
      "12 − Removed gtag('event', 'add_to_chart') 12 + Added gtag('event', 'add_to_cart')",
      'Copy new lines starting at line 12 Copy new lines starting at line 340',
    ],
  ],
  ['with lines to add', { ...view, fix: ADDS }, ['Add the lines marked “+”', 'Copy new lines']],
  [
    'while the merchant edits the theme',
    { ...view, fix: ADDS, watching: true },
    ['We’re watching your published theme.'],
  ],
  [
    'checked again, and still there',
    { ...view, fix: ADDS, watching: true, checked: { is: 'still_there', at: SEEN } },
    ['Checked again Nov 2, 2026, 6:00 PM: the problem is still there.'],
  ],
  [
    'checked again, but not in every location',
    { ...view, fix: ADDS, checked: { is: 'not_read', at: SEEN } },
    ['but we couldn’t check every location where this finding appears. The problem might be fixed.'],
  ],
  [
    'without exact lines',
    { ...view, fix: { reason: 'needs_value' } },
    ['We can’t show the exact lines because the fix needs a value that only you know'],
  ],
  [
    'accepted permanently',
    { ...view, accepted: true, acceptance },
    ['This finding is accepted Our agency needs it', 'Undo'],
  ],
  [
    // An acceptance expires at the end of the selected day in the shop's time zone.
    'accepted until a date',
    { ...view, accepted: true, acceptance: { ...acceptance, until: Date.parse('2027-01-31T23:59:59.999+09:00') } },
    ['This finding is accepted until Jan 31, 2027'],
  ],
  ['with an expired acceptance', { ...view, acceptance: { ...acceptance, until: SEEN } }, ['Accept this finding']],
  [
    'reappeared',
    { ...view, regressed: true, regressedAt: SEEN },
    ['Warning Reappeared', 'Reappeared Nov 2, 2026, 6:00'],
  ],
  [
    'about to become more severe',
    { ...view, escalatesOn: '2027-03-01' },
    ['This finding’s severity increases on Mar 1, 2027.'],
  ],
  ['with a possible explanation', { ...view, context: 'The theme was changed.' }, ['The theme was changed.']],
  [
    'confirmed by a browser',
    { ...view, browser: { is: 'confirmed', at: SEEN } },
    ['On Nov 2, 2026, a browser check confirmed this problem on your storefront.', 'View browser check'],
  ],
  [
    'refuted by a browser',
    { ...view, browser: { is: 'refuted', at: SEEN } },
    [
      'On Nov 2, 2026, a browser check showed that this problem doesn’t occur on your storefront. This finding isn’t counted',
    ],
  ],
  [
    'refuted by a browser more than a week ago',
    { ...view, browser: { is: 'expired', at: SEEN } },
    ['That was more than a week ago, so this finding is counted again.'],
  ],
  [
    'not seen by a browser',
    { ...view, browser: { is: 'unseen', at: SEEN } },
    ['On Nov 2, 2026, a browser check neither confirmed nor refuted this finding.'],
  ],
  ['during a recheck', { ...view, rechecking: true }, ['Check again', 'Checking again…']],
  [
    'in one of several files',
    {
      ...view,
      origin: 'candidates',
      files: [view.files[0]!, { ...view.files[0]!, name: 'layout/x.liquid', line: null }],
    },
    ['Found in one of these theme files: snippets/tracking.liquid, line 4 layout/x.liquid'],
  ],
  ['from an app', elsewhere('app'), ['An app adds this code, so it isn’t in your theme files.']],
  [
    'from a setting',
    elsewhere('shopify_admin'),
    ['A Shopify setting (Customer events or Online Store preferences) adds this code'],
  ],
  [
    'from a tag manager',
    elsewhere('tag_manager'),
    ['A Tag Manager container adds this code, so it isn’t in your theme files.'],
  ],
  [
    'from the checkout',
    elsewhere('checkout'),
    ['This code is part of your checkout settings, so it isn’t in your theme files.'],
  ],
  ['of unknown origin', elsewhere('unknown'), ['We don’t know the source of this code']],
  [
    'of a removed rule, on a page without a URL',
    {
      ...elsewhere('unknown'),
      what: '',
      why: '',
      steps: [],
      sources: [],
      snippet: '',
      ids: [],
      pages: [{ path: '/', url: null }],
    },
    ['Seen on these pages: /'],
  ],
]);
