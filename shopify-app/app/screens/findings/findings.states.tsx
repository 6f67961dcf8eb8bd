import type { FindingRow, FindingsView } from '../../../src/findings/findings.ts';
import { statesOf } from '../testing/state.ts';
import { Findings } from './findings.tsx';

const SEEN = Date.UTC(2026, 10, 2, 9);
export const row: FindingRow = {
  fingerprint: 'a',
  ruleId: 'old_tag',
  title: 'Old tag',
  severity: 'error',
  message: 'The tag UA-1 sends nothing any more.',
  place: 'snippets/tracking.liquid:4',
  places: 3,
  firstSeen: SEEN,
  regressed: true,
  fixedAt: null,
};
export const view: FindingsView = {
  timeZone: 'UTC',
  rows: [row, { ...row, fingerprint: 'b', severity: 'warn', place: '/products/mug', places: 1, regressed: false }],
  next: null,
  counts: {
    ...{ open: 3, fixed: 7, accepted: 1, bySeverity: { error: 1, warn: 1, info: 0 } },
    byRule: [{ ruleId: 'old_tag', count: 2 }],
    byPlace: [{ place: 'page:/products/mug', count: 2 }],
  },
  rules: [{ ruleId: 'old_tag', title: 'Old tag', count: 2 }],
  places: [{ place: 'page:/products/mug', count: 2 }],
  asked: { status: 'open' },
  scanned: true,
};
const none: FindingsView = { ...view, rows: [] };

export const findings = (view: FindingsView) => <Findings {...view} faults={{}} busy={false} onAccept={() => {}} />;

export const STATES = statesOf(findings, [
  [
    'open ones',
    view,
    [
      'Open: 2, accepted: 1, fixed: 7',
      'Urgent Came back Old tag',
      'The tag UA-1 sends nothing any more. snippets/tracking.liquid:4 · 2 more places · known since Nov 2, 2026',
      '/products/mug · known since',
      'Old tag (2)',
      'Download as CSV',
    ],
  ],
  [
    'fixed ones',
    { ...view, rows: [{ ...row, fixedAt: SEEN, regressed: false }], asked: { status: 'fixed' } },
    ['known since Nov 2, 2026 · fixed on Nov 2, 2026'],
  ],
  [
    'one of them chosen',
    view,
    ['Accept 1 finding'],
    async page => {
      await page.getByRole('checkbox').first().check();
      await page.locator('textarea').first().waitFor();
    },
  ],
  ['one more place', { ...view, rows: [{ ...row, places: 2 }] }, ['· 1 more place ·']],
  ['accepted ones', { ...view, asked: { status: 'accepted' } }, ['Old tag']],
  ['a first page', { ...view, next: 'next' }, ['Next page']],
  ['a later page', { ...view, asked: { status: 'open', cursor: 'c' } }, ['Back to the first page']],
  [
    'before the first scan',
    { ...none, scanned: false },
    ['Your store has not been scanned yet', 'Go to the start', 'Findings appear here after the first scan.'],
  ],
  ['nothing open', none, ['Nothing is open that fits what you asked for.']],
  ['nothing accepted', { ...none, asked: { status: 'accepted' } }, ['You have accepted nothing that fits']],
  ['nothing fixed', { ...none, asked: { status: 'fixed' } }, ['Nothing has been fixed yet that fits']],
]);
