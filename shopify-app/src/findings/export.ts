import type { Shop } from '@compliance/store/shop';
import { csvResponse } from '../lib/csv.ts';
import { everyRow } from '../lib/paging.ts';
import { translationFor } from '../translation/translation.ts';
import { rowOf } from './findings.ts';
import { type FindingsQuery, filterOf } from './query.ts';

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
  'Browser',
] as const;

/** Returns a CSV file of all findings that match the query. Times are in UTC. */
export const exportFindings = (shop: Shop, asked: FindingsQuery): Response =>
  csvResponse('findings.csv', HEAD, rows(shop, asked));

async function* rows(shop: Shop, asked: FindingsQuery): AsyncGenerator<(string | null)[]> {
  const filter = filterOf(asked);
  const english = translationFor(null);
  for await (const known of everyRow(cursor => shop.findings.list({ ...filter, limit: 500, cursor }))) {
    const { severity, ruleId, title, message, place, verdict } = rowOf(known, english);
    const seen = [known.firstSeen, known.lastSeen].map(time => new Date(time).toISOString());
    yield [severity, ruleId, title, message, place, known.status, known.accepted ? 'yes' : 'no', ...seen, verdict];
  }
}
