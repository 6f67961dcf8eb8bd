/** What a bulk operation writes: a line for each object, children after their parent and named by `__parentId`. */
export function* jsonLines(data: unknown, parent?: string): Generator<string> {
  for (const value of Object.values(data as Record<string, unknown>)) {
    const edges = (value as { edges?: { node: Record<string, unknown> }[] } | null)?.edges;
    for (const { node } of edges ?? []) {
      const own = Object.fromEntries(Object.entries(node).filter(([, field]) => !isConnection(field)));
      const nested = Object.fromEntries(Object.entries(node).filter(([, field]) => isConnection(field)));
      yield `${JSON.stringify(parent ? { ...own, __parentId: parent } : own)}\n`;
      yield* jsonLines(nested, String(node.id));
    }
  }
}

const isConnection = (field: unknown): boolean => Array.isArray((field as { edges?: unknown } | null)?.edges);

/** A bulk operation on its way: it is done after it was asked for so many times. */
export interface Bulk {
  readonly id: string;
  readonly query: string;
  polls: number;
  /** Ends in a timeout after this many lines, which then are the partial data. */
  failAfter: number | null;
  lines: string[] | null;
}
