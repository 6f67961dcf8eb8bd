import type { HistoryView } from '../../../src/history/history.ts';
import { statesOf } from '../testing/state.ts';
import { History } from './history.tsx';

const AT = Date.UTC(2026, 10, 2, 9);
const row: HistoryView['rows'][number] = {
  ...{ id: 's2', trigger: 'merchant', state: 'complete', reason: null, startedAt: AT, finishedAt: AT + 60_000 },
  ...{ score: 79, scoreVersion: 1, counts: { error: 1, warn: 2, info: 0 }, theme: { id: '7', name: 'Dawn' } },
  changes: { new: ['a'], fixed: [], regressed: [], same: 0, unseen: 0 },
  changed: { new: 1, fixed: 4, regressed: 0 },
};
export const point = (id: string, score: number | null): HistoryView['trend'][number] => ({
  ...{ id, score, finishedAt: AT, state: 'complete', scoreVersion: 1, counts: row.counts },
});
export const view: HistoryView = {
  timeZone: 'UTC',
  rows: [row],
  next: null,
  isFirstPage: true,
  trend: [point('s0', 60), point('s1', null), point('s2', 79)],
};

const one = (changes: Partial<typeof row>): HistoryView => ({ ...view, rows: [{ ...row, ...changes }] });

export const history = (view: HistoryView) => <History {...view} />;

export const STATES = statesOf(history, [
  ['no scan yet', { ...view, rows: [], trend: [] }, ['Scans appear here once the first one is done.']],
  [
    'a complete scan',
    view,
    [
      'Nov 2, 2026, 9:01',
      'Complete 79 / 100 You started it',
      'Urgent: 1, warnings: 2, notes: 0 · New: 1, fixed: 4, came back: 0',
      'Download as CSV',
    ],
  ],
  [
    'one that was read in part',
    one({ state: 'partial', reason: 'no_scope', trigger: 'theme_published' }),
    ['Partial', 'A theme was published · the app may not read themes'],
  ],
  [
    'one that failed',
    one({ state: 'failed', reason: 'timed_out', score: null, trigger: 'schedule' }),
    ['Failed No score', 'By schedule, or because theme files changed · no answer in time'],
  ],
  [
    'one behind a password',
    one({ state: 'partial', reason: 'password', trigger: 'install' }),
    ['The app was installed · behind the store’s password'],
  ],
  ['one with a reason that this release has no words for', one({ reason: 'moon' }), ['You started it · moon']],
  ['a first page', { ...view, next: 'n' }, ['Next page']],
  ['a later page', { ...view, isFirstPage: false }, ['Back to the first page']],
]);
