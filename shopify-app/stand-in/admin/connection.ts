import { GraphQLError } from 'graphql';

/** The arguments of a connection. */
export interface Paging {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
  readonly before?: string;
  readonly reverse?: boolean;
}

/** A page of a connection: what follows the cursor, at most `first`; all of it without a size, as bulk operations ask. */
export function connection<Item>(all: readonly Item[], { first, last, after, before, reverse }: Paging) {
  const items = reverse ? all.toReversed() : all;
  const from = after ? placeOf(after) : 0;
  const until = before ? placeOf(before) - 1 : items.length;
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

const cursorOf = (place: number): string => Buffer.from(JSON.stringify({ place })).toString('base64');

function placeOf(cursor: string): number {
  try {
    return Number(JSON.parse(Buffer.from(cursor, 'base64').toString()).place);
  } catch {
    throw new GraphQLError(`Invalid cursor for current pagination sort.`, { extensions: { code: 'BAD_REQUEST' } });
  }
}
