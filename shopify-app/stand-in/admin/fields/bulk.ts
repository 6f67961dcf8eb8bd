import { HOSTS } from '../../hosts.ts';
import { type Bulk, gid, numberOf } from '../../shop/shop.ts';
import { connection, type Paging } from '../connection.ts';
import { type Asked, isoOf, LONG_AGO, plannedErrors } from './asked.ts';

/** How many may run at once, and how often one is asked for until it is done. */
const AT_ONCE = 5;
const POLLS = 2;

/** Bulk operations: a query over everything, whose result is a file of lines. */
export function bulkFields(asked: Asked) {
  const { shop, faults, operation, clock } = asked;
  return {
    bulkOperationRunQuery: ({ query }: { query: string }) => {
      const refused = (message: string, code: string) => ({
        bulkOperation: null,
        userErrors: [{ field: ['query'], message, code }],
      });
      const userErrors = plannedErrors(asked);
      if (userErrors.length > 0) return { bulkOperation: null, userErrors };
      if ([...shop.bulks.values()].filter(({ polls }) => polls < POLLS).length >= AT_ONCE) {
        return refused('A bulk query operation for this app and shop is already in progress.', 'OPERATION_IN_PROGRESS');
      }
      let found: { lines: string[]; roots: number };
      try {
        found = asked.runBulk(query);
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

/** Whether a bulk operation is done, well or not. */
export const isDone = ({ polls }: Bulk): boolean => polls >= POLLS;

/** The lines in its file; of one that failed, what there was until then. */
export const linesOf = ({ lines, failAfter }: Bulk): readonly string[] =>
  failAfter === null ? lines : lines.slice(0, failAfter);

function bulkNode(bulk: Bulk, clock: () => number) {
  const done = isDone(bulk);
  const failed = done && bulk.failAfter !== null;
  const lines = linesOf(bulk);
  // The real address is signed and lives for 7 days.
  const url = `https://${HOSTS.results}/bulk-operation-outputs/${numberOf(bulk.id)}.jsonl?Expires=1&Signature=stand-in`;
  const empty = lines.length === 0;
  return {
    __typename: 'BulkOperation',
    id: bulk.id,
    type: 'QUERY',
    status: failed ? 'FAILED' : done ? 'COMPLETED' : bulk.polls === 0 ? 'CREATED' : 'RUNNING',
    errorCode: failed ? 'TIMEOUT' : null,
    createdAt: LONG_AGO,
    completedAt: done ? isoOf(clock()) : null,
    objectCount: String(done ? lines.length : 0),
    rootObjectCount: String(done ? Math.min(bulk.roots, lines.length) : 0),
    fileSize: done && !empty ? String(lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)) : null,
    // Of nothing there is no file.
    url: done && !failed && !empty ? url : null,
    partialDataUrl: failed && !empty ? url : null,
  };
}
