type Fields = Record<string, unknown>;

/** What a bulk operation writes: a line for each object, children after their parent and named by `__parentId`. */
export function* jsonLines(data: unknown, parent?: string): Generator<string> {
  for (const value of Object.values(data as Fields)) {
    for (const { node } of connectionOf(value) ?? []) {
      const nested: Fields = {};
      const own = withoutConnections(node, nested);
      yield `${JSON.stringify(parent ? { ...own, __parentId: parent } : own)}\n`;
      yield* jsonLines(nested, String(node.id));
    }
  }
}

/** The fields of an object, its connections put aside: also those of objects within it. */
function withoutConnections(fields: Fields, aside: Fields): Fields {
  const own: Fields = {};
  for (const [name, field] of Object.entries(fields)) {
    if (connectionOf(field)) aside[name] = field;
    else if (field !== null && typeof field === 'object') own[name] = withoutConnections(field as Fields, aside);
    else own[name] = field;
  }
  return own;
}

function connectionOf(field: unknown): { node: Fields }[] | null {
  const edges = (field as { edges?: { node: Fields }[] } | null)?.edges;
  return Array.isArray(edges) ? edges : null;
}

/** A bulk operation on its way: it is done after it was asked for so many times. */
export interface Bulk {
  readonly id: string;
  readonly query: string;
  polls: number;
  /** Ends in a timeout after this many lines, which then are the partial data. */
  failAfter: number | null;
  lines: string[] | null;
}
