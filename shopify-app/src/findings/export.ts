import type { Shop } from '@compliance/store';
import { csvResponse } from '../csv.ts';
import { everyRow } from '../paging.ts';
import { type Asked, filterOf } from './filter.ts';
import { rowOf } from './findings.ts';

const HEAD = [
  'Severity',
  'Rule',
  'Title',
  'Message',
  'Place',
  'Status',
  'Accepted',
  'First seen',
  'Last seen',
] as const;

/** The findings that were asked for, all pages of them, as CSV. Times are UTC. */
export const exportFindings = (shop: Shop, asked: Asked): Response =>
  csvResponse('findings.csv', HEAD, rows(shop, asked));

async function* rows(shop: Shop, asked: Asked): AsyncGenerator<(string | null)[]> {
  const filter = filterOf(asked);
  for await (const known of everyRow(cursor => shop.findings.list({ ...filter, limit: 500, cursor }))) {
    const { severity, ruleId, title, message, place } = rowOf(known);
    const seen = [known.firstSeen, known.lastSeen].map(time => new Date(time).toISOString());
    yield [severity, ruleId, title, message, place, known.status, known.accepted ? 'yes' : 'no', ...seen];
  }
}
