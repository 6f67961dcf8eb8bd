import type { AcceptFaults } from '../../../src/findings/accept.ts';
import type { FindingView } from '../../../src/findings/findings.ts';
import type { FindingOrigin } from '../../../src/scan/types.ts';
import { statesOf } from '../testing/state.ts';
import { Finding } from './finding.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
export const view: FindingView = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'warn',
  message: 'The tag UA-1 sends nothing any more.',
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
  what: 'A tag of a service that was shut down.',
  why: 'It costs time.',
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
  <Finding {...view} faults={faults} busy={false} onAccept={() => {}} onUnaccept={() => {}} onRecheck={() => {}} />
);

export const STATES = statesOf(finding, [
  [
    'open',
    view,
    [
      'The tag UA-1 sends nothing any more.',
      "ga('create', 'UA-1');",
      'Identifiers: UA-1, UA-2',
      'Sources support.example/ua',
      'It stands in this file of your theme: snippets/tracking.liquid, line 4',
      'Seen on these pages: /products/mug',
      'Why it matters A tag of a service that was shut down. It costs time.',
      'Open the file. Remove the tag.',
      'Open in the theme editor',
      'First seen Nov 2, 2026, 6:00',
      'Last seen Nov 3, 2026',
      'Live with it',
    ],
  ],
  ['fixed', { ...view, status: 'fixed', fixedAt: SEEN }, ['Fixed: not seen any more since Nov 2, 2026']],
  [
    'accepted for good',
    { ...view, accepted: true, acceptance },
    ['You accepted this finding Our agency needs it', 'Take that back'],
  ],
  [
    // The day that was chosen, wherever the shop is: in Tokyo the next one has begun by then.
    'accepted until a day',
    { ...view, accepted: true, acceptance: { ...acceptance, until: Date.parse('2027-01-31T23:59:59.999+09:00') } },
    ['You accepted this finding until Jan 31, 2027'],
  ],
  ['accepted once, which ran out', { ...view, acceptance: { ...acceptance, until: SEEN } }, ['Live with it']],
  ['come back', { ...view, regressed: true, regressedAt: SEEN }, ['Warning Came back', 'Came back Nov 2, 2026, 6:00']],
  [
    'about to become graver',
    { ...view, escalatesOn: '2027-03-01' },
    ['From Mar 1, 2027 on this counts as more severe.'],
  ],
  ['with what may explain it', { ...view, context: 'The theme was changed.' }, ['The theme was changed.']],
  ['under a look', { ...view, rechecking: true }, ['Check again']],
  [
    'in one of several files',
    {
      ...view,
      origin: 'candidates',
      files: [view.files[0]!, { ...view.files[0]!, name: 'layout/x.liquid', line: null }],
    },
    ['It stands in one of these files of your theme: snippets/tracking.liquid, line 4 layout/x.liquid'],
  ],
  ['of an app', elsewhere('app'), ['It is in no file of your theme: an app brings it.']],
  ['of a setting', elsewhere('shopify_admin'), ['a setting of Shopify brings it (Customer events, or Preferences']],
  ['of a tag manager', elsewhere('tag_manager'), ['a tag manager container brings it.']],
  ['of the checkout', elsewhere('checkout'), ['it belongs to the settings of the checkout.']],
  ['of unknown origin', elsewhere('unknown'), ['Where it comes from is unknown']],
  [
    'of a rule that is no more, on no page, without address',
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
