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
  path: string;
  request: Schema;
  response: Schema;
  /** Requests that the description shows. */
  examples: Record<string, unknown>[];
}

interface Description {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId: string;
  requestBody: { content: Content };
  responses: Record<string, { content: Content }>;
}

type Content = {
  'application/json': { schema: Schema; examples?: Record<string, { value: Record<string, unknown> }> };
};

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
  const found = Object.entries(paths).map(([path, methods]) => {
    const { operationId: id, requestBody, responses } = methods.post!;
    const { schema: request, examples = {} } = requestBody.content['application/json'];
    const response = responses['200']!.content['application/json'].schema;
    const name = id.split('.').slice(-2).map(pascal).join('');
    names.set(request.$ref ?? '', `${PREFIX}${name}Request`).set(response.$ref ?? '', `${PREFIX}${name}Response`);
    return { id, path, request, response, examples: Object.values(examples).map(({ value }) => value) };
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
