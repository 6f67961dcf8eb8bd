import type { ScanFinding, ScanView } from '../../../src/history/history.ts';
import type { PageCoverage, ScanCoverage, ThemeCoverage } from '../../../src/scan/types.ts';
import { statesOf } from '../testing/state.ts';
import { Scan } from './scan.tsx';

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
  ...{ fingerprint, title, severity: 'warn', message: `About ${title}` },
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
  others: [{ id: 's1', finishedAt: AT - 86_400_000 }],
};
const of = (changes: Partial<ScanCoverage>): ScanView => ({ ...view, coverage: { ...coverage, ...changes } });
const failed: ScanView = {
  ...view,
  scan: { ...scan, state: 'failed', score: null, reason: 'unreachable' },
  lines: [],
};

export const scanned = (view: ScanView) => <Scan {...view} />;

export const STATES = statesOf(scanned, [
  [
    'beside the one before it',
    view,
    [
      'Complete',
      '79 / 100',
      'Old tag × 2 -15',
      'Slow tag -3',
      'With one certain error, at most 79 -3',
      'New in this scan (1) Warning Old tag About Old tag',
      'Not seen in this scan (2)',
      'In both (0) None.',
    ],
  ],
  [
    'the first of all',
    { ...view, against: null, appeared: [], missing: [], same: [finding('a', 'Old tag')], others: [] },
    ['There is no earlier complete scan to compare this one with.', 'Found (1) Warning Old tag'],
  ],
  [
    'the first of several',
    { ...view, against: null, appeared: [], missing: [], same: [] },
    ['Choose a scan', 'Nov 1, 2026, 9:00'],
  ],
  [
    'with more findings than are listed',
    { ...view, same: [finding('d', 'Still there')], more: { appeared: 0, missing: 1300, same: 1 } },
    ['Not seen in this scan (1,302)', 'And 1,300 more: to the findings', 'In both (2)', 'And 1 more: to the findings'],
  ],
  [
    'beside one that is not among the newest',
    { ...view, others: [{ id: 's9', finishedAt: AT + 1 }] },
    ['Nov 1, 2026, 9:00'],
  ],
  ['failed', failed, ['Failed', 'No score', 'You started it · not reachable']],
  [
    'of more errors than a score has room for',
    { ...view, lines: [{ title: null, count: null, points: -4, kind: 'floor' }] },
    ['Never below zero +4'],
  ],
  [
    'of pages of every kind',
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
        page({ kind: 'cart', path: '/cart', state: 'kept_out' }),
        page({ kind: 'product', path: '/products/gone', state: 'gone' }),
        page({ kind: 'product', path: '/products/slow', state: 'not_read', reason: 'timed_out' }),
        page({ kind: 'product', path: '/products/shut', state: 'password' }),
      ],
    }),
    [
      'Home page /: read, 1 script',
      'Product /products/mug: read in part (too large), 2 scripts, 2 scripts not read',
      'Collection: the store has none',
      'Cart /cart: not read, robots.txt asks to stay away',
      '/products/gone: there is no such page any more',
      '/products/slow: not read (no answer in time)',
      '/products/shut: behind the store’s password',
    ],
  ],
  ['of a whole theme', view, ['Dawn: all 31 files with code were read', 'What runs inside tag managers: GTM-1']],
  [
    'of a theme in part',
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
      'Dawn: 27 of 31 files were read',
      'a.liquid: Shopify did not give it',
      'b.liquid: it is no text',
      'c.liquid: too large',
      'd.liquid: too hard to read',
    ],
  ],
  [
    'of a theme that may not be read',
    of({ theme: { ...theme, state: 'no_scope', theme: null } }),
    ['Published theme: not read, the app may not read themes'],
  ],
  ['of no theme', of({ theme: { ...theme, state: 'absent', theme: null } }), ['there is no published theme']],
  [
    'of a theme without answer',
    of({ theme: { ...theme, state: 'not_read' } }),
    ['Dawn: not read, Shopify gave no answer'],
  ],
]);
