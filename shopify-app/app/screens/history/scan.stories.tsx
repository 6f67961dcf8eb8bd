import type { ScanFinding, ScanView } from '../../../src/history/history.ts';
import type { PageCoverage, ScanCoverage, ThemeCoverage } from '../../../src/scan/model/types.ts';
import { storiesOf } from '../testing/story.ts';
import { ScanScreen } from './scan.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const scan: ScanView['scan'] = {
  ...{ id: 's2', trigger: 'merchant', state: 'complete', reason: null, startedAt: AT, finishedAt: AT },
  ...{ score: 79, scoreVersion: 1, counts: { error: 1, warn: 2, info: 0 }, theme: { id: '7', name: 'Dawn' } },
};
export const page = (changes: Partial<PageCoverage>): PageCoverage => ({
  ...{ kind: 'home', path: '/', state: 'read', reason: null, status: null, scripts: 3, scriptsNotRead: 0, remarks: [] },
  ...changes,
});
export const theme: ThemeCoverage = {
  ...{ state: 'read', fault: null, theme: { id: '7', name: 'Dawn' }, files: 31, filesRead: 31, notRead: [] },
};
export const coverage: ScanCoverage = {
  host: 'shop.example',
  pages: [page({})],
  theme,
  unseen: [
    { what: 'tag_manager', names: ['GTM-1'] },
    { what: 'pixel_sandbox', names: [] },
    { what: 'checkout', names: [] },
  ],
};
export const finding = (fingerprint: string, title: string): ScanFinding => ({
  ...{ fingerprint, title, severity: 'warn', message: `About ${title}`, messageLanguage: 'en' },
});
export const view: ScanView = {
  timeZone: 'UTC',
  scan,
  coverage,
  lines: [
    { title: 'Old tag', count: 2, points: 15, kind: 'rule' },
    { title: 'Slow tag', count: 1, points: 3, kind: 'rule' },
    { title: 'one_error', count: null, points: 3, kind: 'cap' },
  ],
  against: { ...scan, id: 's1', finishedAt: AT - 86_400_000 },
  appeared: [finding('a', 'Old tag')],
  missing: [finding('b', 'Gone tag'), finding('c', 'Gone too')],
  same: [],
  more: { appeared: 0, missing: 0, same: 0 },
  browser: null,
  others: [{ id: 's1', finishedAt: AT - 86_400_000 }],
};
const of = (changes: Partial<ScanCoverage>): ScanView => ({ ...view, coverage: { ...coverage, ...changes } });
const failed: ScanView = {
  ...view,
  scan: { ...scan, state: 'failed', score: null, reason: 'unreachable' },
  lines: [],
};

export const scanned = (view: ScanView) => <ScanScreen {...view} />;

export const STORIES = storiesOf(scanned, [
  [
    'compared with the previous scan',
    view,
    [
      'Complete',
      '79 / 100',
      'Old tag × 2 -15',
      'Slow tag -3',
      'Maximum score with one or more urgent issues: 79 -3',
      'New in this scan (1) Warning Old tag About Old tag',
      'Not seen in this scan (2)',
      'In both scans (0) No findings',
    ],
  ],
  [
    'with a browser check',
    { ...view, browser: { at: AT, isPartial: true, score: 86, refuted: 1, traffic: 2 } },
    [
      'Browser check Checked Nov 2, 2026, 9:00',
      'Partial',
      '86 / 100, measured in a browser',
      '1 finding refuted.',
      'A browser check found 2 more problems',
      'View browser check',
    ],
  ],
  [
    'the first scan',
    { ...view, against: null, appeared: [], missing: [], same: [finding('a', 'Old tag')], others: [] },
    ['There’s no earlier complete scan to compare with this one.', 'Findings (1) Warning Old tag'],
  ],
  [
    'the first of several scans',
    { ...view, against: null, appeared: [], missing: [], same: [] },
    ['Select a scan', 'Nov 1, 2026, 9:00'],
  ],
  [
    'with more findings than are listed',
    { ...view, same: [finding('d', 'Still there')], more: { appeared: 0, missing: 1300, same: 1 } },
    ['Not seen in this scan (1,302)', 'View 1,300 more findings', 'In both scans (2)', 'View 1 more finding'],
  ],
  [
    'compared with a scan that is not among the latest',
    { ...view, others: [{ id: 's9', finishedAt: AT + 1 }] },
    ['Nov 1, 2026, 9:00'],
  ],
  ['failed', failed, ['Failed', 'No score', 'Started manually · unreachable']],
  [
    'with more errors than the score can reflect',
    { ...view, lines: [{ title: null, count: null, points: -4, kind: 'floor' }] },
    ['Lowest possible score: 0 +4'],
  ],
  [
    'with pages of every kind',
    of({
      pages: [
        page({ scripts: 1 }),
        page({
          kind: 'product',
          path: '/products/mug',
          state: 'cut',
          reason: 'too_large',
          scripts: 2,
          scriptsNotRead: 2,
        }),
        page({ kind: 'collection', path: null, state: 'absent' }),
        page({ kind: 'cart', path: '/cart', state: 'kept_out', reason: 'robots' }),
        page({ kind: 'product', path: '/products/gone', state: 'gone' }),
        page({ kind: 'product', path: '/products/slow', state: 'not_read', reason: 'timed_out' }),
        page({ kind: 'product', path: '/products/locked', state: 'password' }),
      ],
    }),
    [
      'Home page /: scanned, 1 script',
      'Product /products/mug: partially scanned (too large), 2 scripts, 2 scripts not scanned',
      'Collection: not in your store',
      'Cart /cart: not scanned (disallowed by robots.txt)',
      '/products/gone: page no longer exists',
      '/products/slow: not scanned (timed out)',
      '/products/locked: password protected',
    ],
  ],
  [
    'with a complete theme',
    view,
    ['Dawn: all 31 code files scanned', 'Tag manager containers that couldn’t be read: GTM-1'],
  ],
  [
    'with a partially scanned theme',
    of({
      theme: {
        ...{ ...theme, state: 'partial', filesRead: 27 },
        notRead: [
          { name: 'a.liquid', reason: 'failed' },
          { name: 'b.liquid', reason: 'not_text' },
          { name: 'c.liquid', reason: 'too_large' },
          { name: 'd.liquid', reason: 'too_complex' },
        ],
      },
    }),
    [
      'Dawn: 27 of 31 code files scanned',
      'a.liquid: Shopify didn’t return this file',
      'b.liquid: not a text file',
      'c.liquid: too large',
      'd.liquid: too complex',
    ],
  ],
  [
    'without permission to read the theme',
    of({ theme: { ...theme, state: 'no_scope', theme: null } }),
    ['Published theme: not scanned (no permission to read themes)'],
  ],
  [
    'without a theme',
    of({ theme: { ...theme, state: 'absent', theme: null } }),
    ['Published theme: not in your store'],
  ],
  [
    'without a response for the theme',
    of({ theme: { ...theme, state: 'not_read' } }),
    ['Dawn: not scanned (we couldn’t read the files)'],
  ],
]);
