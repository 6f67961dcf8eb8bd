import type { AcceptFaults } from '../../../src/findings/accept.ts';
import type { FindingView } from '../../../src/findings/findings.ts';
import type { FindingOrigin } from '../../../src/scan/model/types.ts';
import { storiesOf } from '../testing/story.ts';
import { FindingScreen } from './finding.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
export const view: FindingView = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'warn',
  message: 'The tag UA-1 no longer sends data.',
  place: 'snippets/tracking.liquid:4',
  places: 1,
  firstSeen: SEEN,
  regressed: false,
  fixedAt: null,
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
  ['fixed', { ...view, status: 'fixed', fixedAt: SEEN }, ['Fixed: not seen since Nov 2, 2026']],
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
  ['during a recheck', { ...view, rechecking: true }, ['Check again']],
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
    ['A tag manager container adds this code, so it isn’t in your theme files.'],
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
