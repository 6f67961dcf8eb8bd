import type { HomeView, Notice } from '../../../src/home/home.ts';
import type { Task } from '../../../src/home/inbox.ts';
import { storiesOf } from '../testing/story.ts';
import { Home } from './home.tsx';

const NOW = Date.UTC(2026, 10, 20, 15, 30);
const HOUR = 3_600_000;

/** A finding in the inbox. */
export const FINDING = {
  ...{ kind: 'finding', urgency: 'error', fingerprint: 'a', title: 'Old tag' },
  ...{ place: 'snippets/tracking.liquid', regressed: true },
} satisfies HomeView['inbox'][number];
const TASKS: readonly Task[] = [
  ...(['traffic', 'changed', 'invalid', 'missing', 'needs_digits', 'incomplete', 'retest', 'voided'] as const),
  ...(['hit', 'in_scope', 'superseded', 'draft'] as const),
];
const INBOX: HomeView['inbox'] = [
  FINDING,
  { ...FINDING, urgency: 'warn', fingerprint: 'b', title: 'Two pixels', place: '/products/mug', regressed: false },
  { ...FINDING, urgency: 'warn', fingerprint: 'c', title: 'No location', place: null, regressed: false },
];
export const view: HomeView = {
  timeZone: 'America/New_York',
  now: NOW,
  live: null,
  notices: [],
  verdict: { kind: 'urgent', needs: 3, urgent: 1, at: NOW - 2 * HOUR, theme: 'Dawn', unknown: [] },
  knownThrough: '2026-10-09',
  score: { value: 79, before: 71, moved: [{ ruleId: 'x', title: 'Old tag', points: 8 }], browser: null },
  findings: { open: 4, since: -2 },
  refuted: 0,
  catalog: { total: 5000, decided: 4200, onList: 1 },
  certificates: { issued: 12, draft: 1, without: 28 },
  setup: [
    { step: 'scan', done: true },
    { step: 'catalog', done: true },
    { step: 'certificate', done: false },
    { step: 'schedule', done: false },
  ],
  inbox: INBOX,
  moreFindings: 0,
  checked: { pages: 4, files: 31 },
};
const never: HomeView = {
  ...view,
  verdict: { kind: 'none', needs: 0, urgent: 0, at: null, theme: null, unknown: ['unscanned', 'catalog'] },
  score: { value: null, before: null, moved: [], browser: null },
  findings: { open: 0, since: null },
  catalog: { total: 0, decided: 0, onList: 0 },
  certificates: { issued: 0, draft: 0, without: 0 },
  setup: view.setup.map(({ step }) => ({ step, done: false })),
  inbox: [],
  checked: null,
};
const clean: HomeView = {
  ...view,
  verdict: { ...view.verdict, kind: 'clear', needs: 0, urgent: 0 },
  score: { value: 100, before: 100, moved: [], browser: null },
  findings: { open: 0, since: 0 },
  inbox: [],
};
export const live = (step: 'shop' | 'storefront' | 'theme' | 'settling'): HomeView => ({
  ...view,
  live: { id: 'j', queued: false, progress: { step, done: 3, total: 12 } },
});
const NOTICES: readonly [Notice, string][] = [
  ['needs_reopening', 'Close the app and open it again from your Shopify admin.'],
  ['frozen', 'Shopify has frozen this store'],
  ['failed', 'Scan again. If the scan still fails, contact us.'],
  [
    'interrupted',
    'Any results found before the interruption have been saved. Scan again to get the remaining results.',
  ],
  ['throttled', 'The scan is paused and resumes automatically.'],
  ['password', 'remove the password under Online Store > Preferences'],
  ['not_reached', 'We couldn’t scan your home page'],
  ['no_scope', 'reopen the app and allow it to read themes'],
  ['partial', 'Anything we couldn’t scan is treated as unknown, never as fixed.'],
  ['stale', 'Scan now to get current results.'],
];

export const home = (view: HomeView) => <Home {...view} starting={false} onScan={() => {}} onDismissGuide={() => {}} />;

/** Home screen stories, each with its expected text. */
export const STORIES = storiesOf(home, [
  [
    'before the first scan',
    never,
    ['Your store hasn’t been scanned yet', 'You’ll get a score after we scan', '0 of 4 tasks complete'],
  ],
  [
    'with urgent issues',
    view,
    [
      '3 issues need attention, 1 of them urgent',
      'Last scanned 2 hours ago (Nov 20, 2026, 8:30',
      'Published theme: Dawn.',
    ],
  ],
  ['with a changed score', view, ['79 / 100', '+8 points since the previous scan.', '+8 Old tag']],
  [
    'with metrics',
    view,
    [
      '-2 since the previous scan',
      '4,200 / 5,000',
      '1 variant is covered as a',
      '28 products don’t have a certificate',
    ],
  ],
  ['with a finding that reappeared', view, ['snippets/tracking.liquid · reappeared']],
  [
    'with one issue that is not urgent',
    { ...view, verdict: { ...view.verdict, kind: 'attention', needs: 1, urgent: 0 } },
    ['1 issue needs attention Last scanned'],
  ],
  [
    'with only urgent issues',
    { ...view, verdict: { ...view.verdict, needs: 2, urgent: 2 } },
    ['2 urgent issues need attention Last scanned'],
  ],
  [
    'without issues',
    clean,
    [
      'Nothing needs your attention right now',
      'No issues found. Storefront pages scanned: 4. Theme files scanned: 31.',
      'No change since the previous scan.',
      'No change since the previous scan',
    ],
  ],
  [
    'after a scan without a score',
    {
      ...never,
      verdict: {
        kind: 'unknown',
        needs: 0,
        urgent: 0,
        at: NOW - HOUR,
        theme: null,
        unknown: ['storefront', 'catalog'],
      },
    },
    [
      'No known issues, but we couldn’t check everything',
      'The last scan couldn’t assess your storefront.',
      'Your catalog hasn’t been synced yet.',
      'Last scanned 1 hour ago',
      'No issues to show yet.',
    ],
  ],
  [
    'with outdated lists and an incomplete scan',
    {
      ...clean,
      verdict: {
        ...clean.verdict,
        kind: 'unknown',
        unknown: ['scan', 'browser', 'sync', 'recheck', 'duties', 'certificates', 'lists'],
      },
    },
    [
      'The last catalog sync failed or was incomplete.',
      'The duty on some covered variants is unknown. Some certificates haven’t been checked yet.',
      'The last scan was incomplete or is outdated. We haven’t been able to check your storefront in a browser recently.',
      'The tariff lists don’t include changes after Oct 9, 2026.',
    ],
  ],
  [
    'with all tasks',
    {
      ...view,
      inbox: [
        ...INBOX,
        ...TASKS.map(task => ({
          ...({ kind: 'task', urgency: 'warn', task, count: task === 'changed' ? null : 2 } as const),
          duty: task === 'hit' ? { min: 240, max: 1200, unknown: 1 } : null,
        })),
      ],
      moreFindings: 4,
    },
    [
      'A browser check found 2 problems with your storefront’s tracking Review browser check',
      'New tariff lists changed some of your results Review changed results',
      '2 variants have an invalid HTS code Correct HTS codes',
      '2 variants don’t have an HTS code Add HTS codes',
      '2 variants need a 10-digit HTS code Complete HTS codes',
      '2 products have an incomplete certificate Complete certificates',
      '2 products need a new test soon Review tests that are due',
      '2 products have only voided certificates Issue new certificates',
      '2 variants are covered as derivative articles Estimated total duty on one unit of each variant: 240.00 to 1,200.00.',
      'The duty on 1 variant is unknown. Review duties on derivative articles',
      '2 variants are covered by Section 232 Review Section 232 duties',
      '2 certificates were superseded outside the app Review superseded certificates',
      '2 certificate drafts haven’t been issued Finish drafts',
      'View 4 more findings',
    ],
  ],
  [
    'with nothing but an item to review',
    {
      ...clean,
      verdict: { ...clean.verdict, kind: 'review' },
      inbox: [{ kind: 'task', urgency: 'review', task: 'hit', count: 1, duty: null }],
    },
    ['No open issues, but 1 item to review', 'Review 1 variant is covered as a derivative article'],
  ],
  [
    'after a browser check that refuted findings',
    { ...view, score: { ...view.score, browser: { score: 86, at: NOW - 8 * HOUR } }, refuted: 2 },
    [
      '79 / 100 Based on your theme files and storefront pages. Measured in a browser (Nov 20, 2026): 86 / 100',
      '2 findings aren’t counted because a browser check showed that they aren’t problems. View refuted findings',
    ],
  ],
  [
    'with the first score',
    { ...view, score: { value: 79, before: null, moved: [], browser: null }, findings: { open: 4, since: null } },
    ['We can’t compare this score with an earlier score yet.', 'Open findings'],
  ],
  [
    'with one point less because of a score limit',
    { ...view, score: { value: 79, before: 80, moved: [{ ruleId: null, title: null, points: -1 }], browser: null } },
    ['-1 point since the previous scan.', '-1 Score limits'],
  ],
  [
    'with a queued scan',
    { ...never, live: { id: 'j', queued: true, progress: null } },
    ['The scan will start soon', 'You can leave this page. The scan will continue.'],
  ],
  ['with a scan that queries Shopify', live('shop'), ['Getting your store details from Shopify']],
  ['with a scan of the storefront', live('storefront'), ['Scanning your storefront']],
  ['with a scan of the theme', live('theme'), ['Scanning your theme files', '56%']],
  ['with a scan that compares its results', live('settling'), ['Comparing with the previous scan']],
  ...NOTICES.map(
    ([notice, sentence]) =>
      [`with the notice ${notice}`, { ...view, notices: [notice] }, [sentence]] satisfies [string, HomeView, string[]],
  ),
  [
    'with all notices at once',
    { ...view, notices: NOTICES.map(([notice]) => notice) },
    NOTICES.map(([, sentence]) => sentence),
  ],
]);
