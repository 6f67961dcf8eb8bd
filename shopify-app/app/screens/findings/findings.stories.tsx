import type { FindingListItem, FindingsView } from '../../../src/findings/findings.ts';
import { storiesOf } from '../testing/story.ts';
import { Findings } from './findings.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
export const row: FindingListItem = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'error',
  message: 'The tag UA-1 no longer sends data.',
  messageLanguage: 'en',
  place: 'snippets/tracking.liquid:4',
  places: 3,
  firstSeen: SEEN,
  regressed: true,
  fixedAt: null,
  verdict: null,
};
export const view: FindingsView = {
  timeZone: 'UTC',
  rows: [row, { ...row, fingerprint: 'b', severity: 'warn', place: '/products/mug', places: 1, regressed: false }],
  next: null,
  counts: {
    ...{ open: 3, fixed: 7, accepted: 1, refuted: 0, bySeverity: { error: 1, warn: 1, info: 0 } },
    byRule: [{ ruleId: 'old_tag', count: 2 }],
    byPlace: [{ place: 'page:/products/mug', count: 2 }],
  },
  rules: [{ ruleId: 'old_tag', title: 'Old tag', count: 2 }],
  places: [{ place: 'page:/products/mug', count: 2 }],
  asked: { status: 'open' },
  scanned: true,
  traffic: 0,
};
const none: FindingsView = { ...view, rows: [] };

export const findings = (view: FindingsView) => <Findings {...view} faults={{}} busy={false} onAccept={() => {}} />;

export const STORIES = storiesOf(findings, [
  [
    'after a browser check',
    {
      ...view,
      rows: [
        { ...row, verdict: 'confirmed' },
        { ...row, fingerprint: 'b', verdict: 'unseen', regressed: false },
      ],
      counts: { ...view.counts, open: 5, refuted: 2 },
      traffic: 1,
    },
    [
      '2 open, 1 accepted, 7 fixed',
      '2 findings are hidden because a browser check refuted them',
      'A browser check found 1 more problem',
      'Confirmed in a browser',
      'Not verified in a browser',
    ],
  ],
  [
    'with refuted findings',
    { ...view, rows: [{ ...row, verdict: 'refuted' }], asked: { status: 'refuted' } },
    ['Urgent Reappeared Refuted in a browser Old tag'],
  ],
  ['without refuted findings', { ...none, asked: { status: 'refuted' } }, ['No refuted findings match your filters.']],
  [
    'with open findings',
    view,
    [
      '2 open, 1 accepted, 7 fixed',
      'Urgent Reappeared Old tag',
      'The tag UA-1 no longer sends data. snippets/tracking.liquid:4 · 2 more locations · first seen Nov 2, 2026',
      '/products/mug · first seen',
      'Old tag (2)',
      'Download CSV',
    ],
  ],
  [
    'with fixed findings',
    { ...view, rows: [{ ...row, fixedAt: SEEN, regressed: false }], asked: { status: 'fixed' } },
    ['first seen Nov 2, 2026 · fixed Nov 2, 2026'],
  ],
  [
    'with one finding selected',
    view,
    ['Accept 1 finding'],
    async page => {
      await page.getByRole('checkbox').first().check();
      await page.locator('textarea').first().waitFor();
    },
  ],
  ['with one more location', { ...view, rows: [{ ...row, places: 2 }] }, ['· 1 more location ·']],
  ['with accepted findings', { ...view, asked: { status: 'accepted' } }, ['Old tag']],
  ['on the first of several pages', { ...view, next: 'next' }, ['Next page']],
  ['on a later page', { ...view, asked: { status: 'open', cursor: 'c' } }, ['Back to first page']],
  [
    'before the first scan',
    { ...none, scanned: false },
    ['Your store hasn’t been scanned yet', 'Go to app home', 'Findings appear here after your first scan.'],
  ],
  ['without open findings', none, ['No open findings match your filters.']],
  [
    'without accepted findings',
    { ...none, asked: { status: 'accepted' } },
    ['No accepted findings match your filters.'],
  ],
  ['without fixed findings', { ...none, asked: { status: 'fixed' } }, ['No fixed findings match your filters.']],
]);
