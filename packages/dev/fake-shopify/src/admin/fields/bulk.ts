import { HOSTS } from '../../hosts.ts';
import { type Bulk, gid, numberOf } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { FIXED_DATE, isoOf, plannedErrors, type ResolverContext } from './resolver-context.ts';

/** Maximum number of concurrent bulk operations, and number of polls until a bulk operation is done. */
const AT_ONCE = 5;
const POLLS = 2;

/** Resolves bulk operations, which return all of a query's items in a JSON Lines file. */
export function bulkFields(context: ResolverContext) {
  const { shop, faults, operation, clock } = context;
  return {
    bulkOperationRunQuery: ({ query }: { query: string }) => {
      const refused = (message: string, code: string) => ({
        bulkOperation: null,
        userErrors: [{ field: ['query'], message, code }],
      });
      const userErrors = plannedErrors(context);
      if (userErrors.length > 0) return { bulkOperation: null, userErrors };
      if ([...shop.bulks.values()].filter(({ polls }) => polls < POLLS).length >= AT_ONCE) {
        return refused('A bulk query operation for this app and shop is already in progress.', 'OPERATION_IN_PROGRESS');
      }
      let found: { lines: string[]; roots: number };
      try {
        found = context.runBulk(query);
      } catch (error) {
        return refused(`Invalid bulk query: ${(error as Error).message}`, 'INVALID');
      }
      const id = gid('BulkOperation', `${shop.number}${String(shop.bulks.size + 1).padStart(3, '0')}`);
      const failAfter = faults.take(operation, ['bulkTimeout'], shop.domain)?.afterLines ?? null;
      const bulk: Bulk = { id, query, polls: 0, failAfter, ...found };
      shop.bulks.set(id, bulk);
      return { bulkOperation: bulkNode(bulk, clock), userErrors };
    },
    bulkOperation: ({ id }: { id: string }) => {
      const bulk = shop.bulks.get(id);
      if (bulk) bulk.polls++;
      return bulk ? bulkNode(bulk, clock) : null;
    },
    bulkOperations: ({ query, ...paging }: Paging & { query?: string }) =>
      connection(
        [...shop.bulks.values()]
          .map(bulk => bulkNode(bulk, clock))
          .filter(({ status }) => !query || query.toUpperCase().includes(status)),
        paging,
      ),
  };
}

/** Returns whether a bulk operation has ended, successfully or not. */
export const isDone = ({ polls }: Bulk): boolean => polls >= POLLS;

/** Returns the lines in a bulk operation's result file. After a failure, returns the lines written so far. */
export const linesOf = ({ lines, failAfter }: Bulk): readonly string[] =>
  failAfter === null ? lines : lines.slice(0, failAfter);

function bulkNode(bulk: Bulk, clock: () => number) {
  const done = isDone(bulk);
  const failed = done && bulk.failAfter !== null;
  const lines = linesOf(bulk);
  // In Shopify, this URL is signed and is valid for 7 days.
  const url = `https://${HOSTS.results}/bulk-operation-outputs/${numberOf(bulk.id)}.jsonl?Expires=1&Signature=fake`;
  const empty = lines.length === 0;
  return {
    __typename: 'BulkOperation',
    id: bulk.id,
    type: 'QUERY',
    status: failed ? 'FAILED' : done ? 'COMPLETED' : bulk.polls === 0 ? 'CREATED' : 'RUNNING',
    errorCode: failed ? 'TIMEOUT' : null,
    createdAt: FIXED_DATE,
    completedAt: done ? isoOf(clock()) : null,
    objectCount: String(done ? lines.length : 0),
    rootObjectCount: String(done ? Math.min(bulk.roots, lines.length) : 0),
    fileSize: done && !empty ? String(lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)) : null,
    // A bulk operation without results doesn't have a file.
    url: done && !failed && !empty ? url : null,
    partialDataUrl: failed && !empty ? url : null,
  };
}
