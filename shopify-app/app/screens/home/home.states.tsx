import type { HomeView, Notice } from '../../../src/home/home.ts';
import { statesOf } from '../testing/state.ts';
import { Home } from './home.tsx';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const HOUR = 3_600_000;

export const FIRST: HomeView['first'] = [
  { fingerprint: 'a', severity: 'error', title: 'Old tag', place: 'snippets/tracking.liquid', regressed: true },
  { fingerprint: 'b', severity: 'warn', title: 'Two pixels', place: '/products/mug', regressed: false },
  { fingerprint: 'c', severity: 'warn', title: 'No place', place: null, regressed: false },
];
export const view: HomeView = {
  timeZone: 'America/New_York',
  now: NOW,
  live: null,
  notices: [],
  verdict: { kind: 'urgent', needs: 3, urgent: 1, at: NOW - 2 * HOUR, theme: 'Dawn' },
  score: { value: 79, before: 71, moved: [{ ruleId: 'x', title: 'Old tag', points: 8 }] },
  findings: { open: 4, since: -2 },
  catalog: { total: 5000, decided: 4200, onList: 1 },
  certificates: { issued: 12, draft: 1, without: 28 },
  setup: [
    { step: 'scan', done: true },
    { step: 'catalog', done: true },
    { step: 'certificate', done: false },
    { step: 'schedule', done: false },
  ],
  first: FIRST,
  checked: { pages: 4, files: 31 },
};
const never: HomeView = {
  ...view,
  verdict: { kind: 'none', needs: 0, urgent: 0, at: null, theme: null },
  score: { value: null, before: null, moved: [] },
  findings: { open: 0, since: null },
  catalog: { total: 0, decided: 0, onList: 0 },
  certificates: { issued: 0, draft: 0, without: 0 },
  setup: view.setup.map(({ step }) => ({ step, done: false })),
  first: [],
  checked: null,
};
const clean: HomeView = {
  ...view,
  verdict: { ...view.verdict, kind: 'clear', needs: 0, urgent: 0 },
  score: { value: 100, before: 100, moved: [] },
  findings: { open: 0, since: 0 },
  first: [],
};
export const live = (step: 'shop' | 'storefront' | 'theme' | 'settling'): HomeView => ({
  ...view,
  live: { id: 'j', queued: false, progress: { step, done: 3, total: 12 } },
});
const NOTICES: readonly [Notice, string][] = [
  ['needs_reopening', 'Close the app and open it again from your Shopify admin.'],
  ['frozen', 'Shopify has paused this store'],
  ['failed', 'Scan again; if it fails again, write to us.'],
  ['interrupted', 'What was read is kept; scan again to have the rest.'],
  ['throttled', 'The scan waits and goes on by itself.'],
  ['password', 'Remove the password under Online Store, Preferences'],
  ['not_reached', 'Your home page could not be read'],
  ['no_scope', 'Allow the app to read themes'],
  ['partial', 'What was not read counts as unknown, never as fixed.'],
  ['stale', 'Scan now to see how it stands.'],
];

export const home = (view: HomeView) => <Home {...view} starting={false} onScan={() => {}} onDismissGuide={() => {}} />;

/** What Home can be, and what a merchant reads then. */
export const STATES = statesOf(home, [
  ['before the first scan', never, ['Your store has not been scanned yet.', 'There is no score until', '0 of 4 done']],
  [
    'urgent',
    view,
    ['3 things need you. 1 is urgent.', 'Last scan 2 hours ago (Nov 20, 2026, 8:30', 'Published theme: Dawn.'],
  ],
  ['what moved the score', view, ['79 / 100', '+8 points since the scan before.', '+8 Old tag']],
  [
    'the numbers',
    view,
    ['-2 since the scan before', '4,200 / 5,000', '1 variant is on a', '28 products are without one'],
  ],
  ['what came back', view, ['snippets/tracking.liquid · came back']],
  [
    'one thing that is not urgent',
    { ...view, verdict: { ...view.verdict, kind: 'attention', needs: 1, urgent: 0 } },
    ['1 thing needs you. Last scan'],
  ],
  [
    'clean',
    clean,
    [
      'Nothing needs you right now.',
      'Nothing was found. Pages of your storefront that were read: 4; files of your theme: 31.',
      'The same as in the scan before.',
      'As many as in the scan before',
    ],
  ],
  [
    'a scan without a score',
    { ...never, verdict: { kind: 'unknown', needs: 0, urgent: 0, at: NOW - HOUR, theme: null } },
    ['The last scan could not judge your store.', 'Last scan 1 hour ago', 'There is nothing here yet.'],
  ],
  [
    'the first score',
    { ...view, score: { value: 79, before: null, moved: [] }, findings: { open: 4, since: null } },
    ['This is the first score. The next scan will say what changed.', 'Open findings that you have not accepted'],
  ],
  [
    'one point less, by a limit',
    { ...view, score: { value: 79, before: 80, moved: [{ ruleId: null, title: null, points: -1 }] } },
    ['-1 point since the scan before.', '-1 Limits for stores with errors'],
  ],
  [
    'a scan that waits',
    { ...never, live: { id: 'j', queued: true, progress: null } },
    ['The scan is about to start', 'You can leave this page; the scan goes on.'],
  ],
  ['a scan that asks Shopify', live('shop'), ['Asking Shopify about your store']],
  ['a scan of the storefront', live('storefront'), ['Reading your storefront']],
  ['a scan of the theme', live('theme'), ['Reading the files of your theme', '56%']],
  ['a scan that settles', live('settling'), ['Comparing with the scan before']],
  ...NOTICES.map(
    ([notice, sentence]) => [notice, { ...view, notices: [notice] }, [sentence]] satisfies [string, HomeView, string[]],
  ),
  ['all notices at once', { ...view, notices: NOTICES.map(([notice]) => notice) }, NOTICES.map(([, said]) => said)],
]);
