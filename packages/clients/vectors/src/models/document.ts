import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

/** A JSON Schema as the service's description writes it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  const?: unknown;
}

/** What the clients need of an operation. */
export interface OperationShape {
  id: string;
  method: 'get' | 'post';
  path: string;
  /** The body; none of what is only read: the fields of its query are written by hand. */
  request?: Schema;
  response: Schema;
  /** Requests that the description shows. */
  examples: Record<string, unknown>[];
}

interface Description {
  paths: Record<string, Partial<Record<'get' | 'post', Described>>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId: string;
  parameters?: { name: string; example: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

type Content = {
  'application/json': { schema: Schema; examples?: Record<string, { value: Record<string, unknown> }> };
};

const METHODS = ['get', 'post'] as const;
const PREFIX = '#/components/schemas/';

/**
 * The operations and the schemas of the service's OpenAPI document. The schemas of requests and responses are named after the
 * operation (`HtsLookupRequest`), whatever the document calls them.
 */
export function readOperations(): { operations: OperationShape[]; schemas: Map<string, Schema> } {
  const api = createRequire(import.meta.url).resolve('@compliance/api/package.json');
  const text = readFileSync(new URL('openapi.gen.yaml', `file://${api}`), 'utf8');
  const { paths, components } = parse(text) as Description;
  const names = new Map<string, string>();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap(method => (methods[method] ? [{ path, method, ...methods[method] }] : [])),
  );
  const found = described.map(({ path, method, operationId: id, parameters = [], requestBody, responses }) => {
    const { schema: request, examples } = requestBody?.content['application/json'] ?? {};
    const response = responses['200']!.content['application/json'].schema;
    const name = id.split('.').slice(-2).map(pascal).join('');
    names.set(request?.$ref ?? '', `${PREFIX}${name}Request`).set(response.$ref ?? '', `${PREFIX}${name}Response`);
    const query = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
    const shown = examples ? Object.values(examples).map(({ value }) => value) : [query];
    return { id, method, path, response, examples: shown, ...(request && { request }) };
  });
  const renamed = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part), (key, value) => (key === '$ref' ? (names.get(value) ?? value) : value));
  const schemas = Object.entries(renamed(components.schemas)).map(
    ([name, schema]) => [(names.get(PREFIX + name) ?? PREFIX + name).slice(PREFIX.length), schema] as const,
  );
  return { operations: renamed(found), schemas: new Map(schemas) };
}

/** `gcc_id` → `GccId` */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The name that a `$ref` leads to. */
export function refName(ref: string): string {
  return ref.slice(PREFIX.length);
}
