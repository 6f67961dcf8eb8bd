import { GraphQLError } from 'graphql';

/** Connection arguments. */
export interface Paging {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
  readonly before?: string;
  readonly reverse?: boolean;
}

/**
 * Returns a page of a connection. If neither `first` nor `last` is given, as in bulk operations, returns all items
 * between the cursors.
 */
export function connection<Item>(all: readonly Item[], { first, last, after, before, reverse }: Paging) {
  const items = reverse ? all.toReversed() : all;
  const from = after ? offsetOf(after) : 0;
  const until = before ? offsetOf(before) - 1 : items.length;
  const found = items.slice(from, until);
  const start = last === undefined ? 0 : Math.max(0, found.length - last);
  const nodes = first === undefined ? found.slice(start) : found.slice(0, first);
  const end = from + start + nodes.length;
  return {
    nodes,
    edges: nodes.map(node => ({ node })),
    pageInfo: { hasNextPage: end < items.length, endCursor: nodes.length > 0 ? cursorOf(end) : null },
  };
}

const cursorOf = (offset: number): string => Buffer.from(JSON.stringify({ offset })).toString('base64');

function offsetOf(cursor: string): number {
  try {
    return Number(JSON.parse(Buffer.from(cursor, 'base64').toString()).offset);
  } catch {
    throw new GraphQLError(`Invalid cursor for current pagination sort.`, { extensions: { code: 'BAD_REQUEST' } });
  }
}
