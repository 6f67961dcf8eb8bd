import type { Endpoint, Operation } from '../../operations/operation.ts';

/** The call in a snippet: an operation and an example request. */
export interface ExampleCall {
  operation: Endpoint & Partial<Pick<Operation, 'scope' | 'clientArguments'>>;
  /** Path parameters of a `post` operation. */
  params?: Record<string, unknown>;
  request: Record<string, unknown>;
}

/** Returns true if the call requires an API key. */
export function requiresKey({ operation }: ExampleCall): boolean {
  return operation.scope !== undefined;
}

/** Returns the call's path and query. For a GET request, the query contains all fields that aren't in the path. */
export function callPath({ operation: { path, method }, params, request }: ExampleCall): string {
  const fields = Object.entries({ ...params, ...request }).map(([name, value]) => [name, String(value)] as const);
  const query = new URLSearchParams(
    fields.filter(([name]) => method === 'get' && !path.includes(`{${name}}`)) as never,
  );
  const filled = fields.reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path as string,
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Returns the positional and named arguments for the client method. */
export function argumentsOf({ operation: { clientArguments = [] }, params = {}, request }: ExampleCall) {
  const first = Object.values(params);
  if (clientArguments === 'request') return { positional: [...first, request], named: {} };
  const names: readonly string[] = clientArguments;
  const named = Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)));
  return { positional: [...first, ...names.map(name => request[name])], named };
}

/** Rules for formatting the literals of a programming language, where the language differs from JSON. */
interface LiteralSyntax {
  /** Formats a string. */
  quote: (text: string) => string;
  /** Formats a field name. */
  name: (field: string) => string;
  keywords: Record<'true' | 'false' | 'null', string>;
  indent: string;
}

/** Formats a JSON value as a literal in a programming language. Short values are formatted on one line. */
export function toLiteral(value: unknown, syntax: LiteralSyntax, depth = 0): string {
  if (typeof value === 'string') return syntax.quote(value);
  if (typeof value !== 'object' || value === null) {
    return syntax.keywords[String(value) as 'null'] ?? String(value);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inside = Array.isArray(value)
    ? value.map(item => toLiteral(item, syntax, depth + 1))
    : Object.entries(value).map(([field, item]) => `${syntax.name(field)}: ${toLiteral(item, syntax, depth + 1)}`);
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${inside.join(', ')}${space}${close}`;
  if (line.length < 60 && !line.includes('\n')) return line;
  const margin = syntax.indent.repeat(depth + 1);
  return `${open}\n${inside.map(item => `${margin}${item},\n`).join('')}${syntax.indent.repeat(depth)}${close}`;
}
