import type { HistoryView } from '../../../src/history/history.ts';
import { storiesOf } from '../testing/story.ts';
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

export const STORIES = storiesOf(history, [
  ['before the first scan', { ...view, rows: [], trend: [] }, ['Scans appear here after your first scan finishes.']],
  [
    'with a complete scan',
    view,
    [
      'Nov 2, 2026, 9:01',
      'Complete 79 / 100 Started manually',
      'Urgent: 1, warnings: 2, notes: 0 · New: 1, fixed: 4, reappeared: 0',
      'Download CSV',
    ],
  ],
  [
    'with a partial scan',
    one({ state: 'partial', reason: 'no_scope', trigger: 'theme_published' }),
    ['Partial', 'Theme published · no permission to read themes'],
  ],
  [
    'with a failed scan',
    one({ state: 'failed', reason: 'timed_out', score: null, trigger: 'schedule' }),
    ['Failed No score', 'Scheduled, or triggered by a change to a theme file or your domain · timed out'],
  ],
  [
    'with a scan of a password-protected store',
    one({ state: 'partial', reason: 'password', trigger: 'install' }),
    ['App installed · password protected'],
  ],
  ['with a reason that has no message', one({ reason: 'moon' }), ['Started manually · moon']],
  ['on the first of several pages', { ...view, next: 'n' }, ['Next page']],
  ['on a later page', { ...view, isFirstPage: false }, ['Back to first page']],
]);
