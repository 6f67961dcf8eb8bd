/**
 * What a bulk operation writes of a query's answer: a line for each object of a connection, children after their parent and
 * named by `__parentId`.
 */
export function* jsonLines(data: unknown, parent?: string): Generator<string> {
  for (const value of Object.values(data as Record<string, unknown>)) {
    for (const node of nodesOf(value)) {
      const nested: Record<string, unknown> = {};
      const own = withoutConnections(node, nested);
      yield `${JSON.stringify(parent ? { ...own, __parentId: parent } : own)}\n`;
      yield* jsonLines(nested, String(node.id));
    }
  }
}

/** The fields of an object; connections, also those of objects within it, are put aside. */
function withoutConnections(fields: Record<string, unknown>, aside: Record<string, unknown>): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isConnection(field)) aside[name] = field;
    else if (typeof field === 'object' && field !== null && !Array.isArray(field))
      own[name] = withoutConnections(field as Record<string, unknown>, aside);
    else own[name] = field;
  }
  return own;
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
