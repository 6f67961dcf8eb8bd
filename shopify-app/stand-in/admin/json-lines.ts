/**
 * What a bulk operation writes of a query's answer: a line for each object of a connection, children after their parent and
 * named by `__parentId`.
 */
export function* jsonLines(data: unknown, parent?: string): Generator<string> {
  for (const value of Object.values(data as Record<string, unknown>)) {
    for (const node of nodesOf(value)) {
      const own = Object.fromEntries(Object.entries(node).filter(([, field]) => !isConnection(field)));
      const nested = Object.fromEntries(Object.entries(node).filter(([, field]) => isConnection(field)));
      yield `${JSON.stringify(parent ? { ...own, __parentId: parent } : own)}\n`;
      yield* jsonLines(nested, String(node.id));
    }
  }
}

type Connection = { edges?: { node: Record<string, unknown> }[]; nodes?: Record<string, unknown>[] };

const nodesOf = (value: unknown): Record<string, unknown>[] => {
  const { edges, nodes } = (value ?? {}) as Connection;
  return nodes ?? edges?.map(({ node }) => node) ?? [];
};

const isConnection = (field: unknown): boolean => {
  const { edges, nodes } = (field ?? {}) as Connection;
  return Array.isArray(edges) || Array.isArray(nodes);
};
