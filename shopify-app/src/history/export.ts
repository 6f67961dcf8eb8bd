import type { ScanSummary, Shop } from '@compliance/store/shop';
import { csvResponse } from '../lib/csv.ts';
import { everyRow } from '../lib/paging.ts';

const HEAD = [
  'Finished',
  'Trigger',
  'State',
  'Reason',
  'Score',
  'Errors',
  'Warnings',
  'Notes',
  'New',
  'Fixed',
  'Regressed',
] as const;

/** Returns a CSV file of all scans, newest first. Times are in UTC. */
export const exportHistory = (shop: Shop): Response => csvResponse('scans.csv', HEAD, rows(shop));

async function* rows(shop: Shop): AsyncGenerator<(string | number | null)[]> {
  for await (const scan of everyRow(cursor => shop.scans.list({ limit: 500, cursor }))) yield rowOf(scan);
}

const rowOf = ({ finishedAt, trigger, state, reason, score, counts, changes }: ScanSummary) => [
  new Date(finishedAt).toISOString(),
  ...[trigger, state, reason, score],
  ...[counts.error, counts.warn, counts.info],
  ...[changes.new.length, changes.fixed.length, changes.regressed.length],
];
