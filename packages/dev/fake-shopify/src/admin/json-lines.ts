/**
 * Yields a bulk operation's result lines, one per object in a connection. Each child follows its parent and has the
 * parent's ID in `__parentId`.
 */
export function* toJsonLines(data: unknown, parent?: string): Generator<string> {
  for (const value of Object.values(data as Record<string, unknown>)) {
    for (const node of nodesOf(value)) {
      const nested: Record<string, unknown> = {};
      const own = withoutConnections(node, nested);
      yield `${JSON.stringify(parent ? { ...own, __parentId: parent } : own)}\n`;
      yield* toJsonLines(nested, String(node.id));
    }
  }
}

/** Returns an object's fields. Moves connections, including those in nested objects, to `aside`. */
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
