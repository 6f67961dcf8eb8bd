import type { Endpoint, Operation } from '../../operations/operation.ts';

/** One call that a snippet shows: an operation and a request of it. */
export interface Call {
  operation: Endpoint & Partial<Pick<Operation, 'scope' | 'clientsTake'>>;
  request: Record<string, unknown>;
}

/** Whether the call needs a key. */
export function keyed({ operation }: Call): boolean {
  return operation.scope !== undefined;
}

/** Path and query of the call; the fields that are not in the path are in the query, where the method has no body. */
export function addressOf({ operation: { path, method }, request }: Call): string {
  const given = Object.entries(request).map(([name, value]) => [name, String(value)] as const);
  const query = new URLSearchParams(given.filter(([name]) => method === 'get' && !path.includes(`{${name}}`)) as never);
  const filled = given.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path as string,
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** What the method of the clients is given: the arguments that stand by themselves, and the fields that follow by name. */
export function argumentsOf({ operation: { clientsTake = [] }, request }: Call) {
  if (clientsTake === 'request') return { placed: [request], named: {} };
  const names: readonly string[] = clientsTake;
  const named = Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)));
  return { placed: names.map(name => request[name]), named };
}

/** The words by which a language writes what JSON writes otherwise. */
interface Dialect {
  /** Writes a text. */
  quote: (text: string) => string;
  /** Writes the name of a field. */
  name: (field: string) => string;
  words: Record<'true' | 'false' | 'null', string>;
  indent: string;
}

/** A JSON value as a literal of a language: on one line while that is short. */
export function literal(value: unknown, dialect: Dialect, depth = 0): string {
  if (typeof value === 'string') return dialect.quote(value);
  if (typeof value !== 'object' || value === null) {
    return dialect.words[String(value) as 'null'] ?? String(value);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inside = Array.isArray(value)
    ? value.map(item => literal(item, dialect, depth + 1))
    : Object.entries(value).map(([field, item]) => `${dialect.name(field)}: ${literal(item, dialect, depth + 1)}`);
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${inside.join(', ')}${space}${close}`;
  if (line.length < 60 && !line.includes('\n')) return line;
  const margin = dialect.indent.repeat(depth + 1);
  return `${open}\n${inside.map(item => `${margin}${item},\n`).join('')}${dialect.indent.repeat(depth)}${close}`;
}
