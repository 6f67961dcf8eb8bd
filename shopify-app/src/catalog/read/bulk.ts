import { type Admin, AdminApiError } from '../../admin/admin.ts';
import { bulkPoll } from '../../admin/operations/bulk-poll.ts';
import { bulkStart, CATALOG_QUERY } from '../../admin/operations/bulk-start.ts';
import { readJsonLines } from './json-lines.ts';
import { type BulkFile, parseBulkFile } from './parse-bulk-file.ts';

/**
 * Starts a bulk operation for the whole catalog. Returns the operation's ID, or null if Shopify rejects the operation,
 * for example because too many bulk operations are running.
 *
 * @throws AdminApiError if an Admin API call fails
 */
export async function startBulk(admin: Admin, signal: AbortSignal): Promise<string | null> {
  const { bulkOperationRunQuery } = await admin.run(bulkStart, { query: CATALOG_QUERY }, { signal });
  return bulkOperationRunQuery?.bulkOperation?.id ?? null;
}

/** Bulk operation result and the start time of the read, in milliseconds since the Unix epoch. */
export interface BulkRead extends BulkFile {
  readonly since: number;
}

/**
 * Reads a bulk operation's result, which might be partial. Doesn't wait for the operation to end, because an export can
 * take hours.
 *
 * @param onProgress callback that receives the number of variants that Shopify has written, then the number of variants
 * read
 * @returns the catalog, `pending` while Shopify is writing it, or null if no operation has this ID or the operation
 * failed without writing a file
 * @throws AdminApiError if an Admin API call fails
 */
export async function readBulk(
  admin: Admin,
  id: string,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (step: 'exporting' | 'reading', done: number) => void },
): Promise<BulkRead | 'pending' | null> {
  const { bulkOperation: bulk } = await admin.run(bulkPoll, { id }, { signal });
  if (bulk?.type !== 'QUERY') return null;
  const since = Date.parse(bulk.createdAt);
  if (Number.isNaN(since)) throw new AdminApiError('unexpected', bulkPoll.name);
  const { status, url, partialDataUrl } = bulk;
  if (status === 'CREATED' || status === 'RUNNING' || status === 'CANCELING') {
    onProgress('exporting', bulk.rootObjectCount);
    return 'pending';
  }
  // A bulk operation without results doesn't write a file.
  if (status === 'COMPLETED' && url === null) return { items: [], isComplete: true, since };
  const address = url ?? partialDataUrl;
  if (address === null) return null;
  const file = await parseBulkFile(readJsonLines(address, signal), done => onProgress('reading', done));
  return { items: file.items, isComplete: file.isComplete && status === 'COMPLETED', since };
}
