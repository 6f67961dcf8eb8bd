import { setTimeout as wait } from 'node:timers/promises';
import { type Admin, AdminFailed } from '../../admin/admin.ts';
import { bulkPoll } from '../../admin/operations/bulk-poll.ts';
import { bulkStart, CATALOG_QUERY } from '../../admin/operations/bulk-start.ts';
import { goodsFromLines, type ReadFile } from './from-lines.ts';
import { jsonLines } from './json-lines.ts';

/** How often Shopify is asked whether it is done: seldomer each time, in milliseconds. */
const POLL_MS = { first: 500, longest: 15_000 };

/** Starts a bulk operation over the whole catalog. Null when Shopify refuses, as when too many are running. @throws AdminFailed */
export async function startBulk(admin: Admin, signal: AbortSignal): Promise<string | null> {
  const { bulkOperationRunQuery } = await admin.run(bulkStart, { query: CATALOG_QUERY }, { signal });
  return bulkOperationRunQuery?.bulkOperation?.id ?? null;
}

/** What a bulk operation gave, and when it began to look, in ms since epoch. */
export interface BulkRead extends ReadFile {
  readonly since: number;
}

/**
 * Waits for a bulk operation and reads what it wrote, or the part of it that there is.
 *
 * @param said how many variants Shopify has written so far, then how many of them have come
 * @returns null when it gave nothing: there is none of this id, or it ended without a file
 * @throws AdminFailed
 */
export async function readBulk(
  admin: Admin,
  id: string,
  {
    signal,
    said,
  }: { readonly signal: AbortSignal; readonly said: (step: 'exporting' | 'reading', done: number) => void },
): Promise<BulkRead | null> {
  for (let pause = POLL_MS.first; ; pause = Math.min(pause * 2, POLL_MS.longest)) {
    const { bulkOperation: bulk } = await admin.run(bulkPoll, { id }, { signal });
    if (bulk?.type !== 'QUERY') return null;
    const since = Date.parse(bulk.createdAt);
    if (Number.isNaN(since)) throw new AdminFailed('unexpected', bulkPoll.name);
    const { status, url, partialDataUrl } = bulk;
    if (status === 'CREATED' || status === 'RUNNING' || status === 'CANCELING') {
      said('exporting', bulk.rootObjectCount);
      await wait(pause, undefined, { signal });
      continue;
    }
    // An operation that found nothing writes no file.
    if (status === 'COMPLETED' && url === null) return { goods: [], whole: true, since };
    const address = url ?? partialDataUrl;
    if (address === null) return null;
    const file = await goodsFromLines(jsonLines(address, signal), done => said('reading', done));
    return { goods: file.goods, whole: file.whole && status === 'COMPLETED', since };
  }
}
