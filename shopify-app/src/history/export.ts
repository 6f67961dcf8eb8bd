import type { ScanSummary, Shop } from '@compliance/store';
import { csvResponse } from '../csv.ts';

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
  'Came back',
] as const;

/** Every scan as CSV, newest first. Times are UTC. */
export const exportHistory = (shop: Shop): Response => csvResponse('scans.csv', HEAD, rows(shop));

async function* rows(shop: Shop): AsyncGenerator<(string | number | null)[]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Shop['scans']['list']>> = await shop.scans.list({ limit: 500, cursor });
    yield* page.rows.map(rowOf);
    cursor = page.next;
  } while (cursor !== null);
}

const rowOf = ({ finishedAt, trigger, state, reason, score, counts, changes }: ScanSummary) => [
  new Date(finishedAt).toISOString(),
  ...[trigger, state, reason, score],
  ...[counts.error, counts.warn, counts.info],
  ...[changes.new.length, changes.fixed.length, changes.regressed.length],
];
