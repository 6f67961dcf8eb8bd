import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

/** JSON Schema as it appears in the OpenAPI document. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: string[];
  const?: unknown;
}

/** Query or path parameter of a `get` operation. */
interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** Parts of an API operation that the clients need. */
export interface OperationShape {
  id: string;
  method: 'get' | 'post';
  path: string;
  /** Product area that the caller's API key must have access to. */
  scope: string;
  /** Cost of a call: the number of requests to deduct from the rate limits. */
  cost: number;
  description: string;
  /** Path and query parameters of a `get` operation, or path parameters of a `post` operation. */
  parameters: Parameter[];
  /** Request body of a `post` operation. */
  request?: JsonSchema;
  response: JsonSchema;
  /** Example requests from the OpenAPI document. */
  examples: Record<string, unknown>[];
}

interface Document {
  paths: Record<string, Partial<Record<'get' | 'post', DocumentOperation>>>;
  components: { schemas: Record<string, JsonSchema> };
}

interface DocumentOperation {
  operationId: string;
  /** Empty for a public path. If omitted, the document's security requirement applies. */
  security?: unknown[];
  description: string;
  tags: string[];
  'x-rate-limit-cost'?: number;
  /** Path and query parameters, and references to header parameters. Client methods have no arguments for headers. */
  parameters?: (
    | (Partial<Parameter> & Pick<Parameter, 'name' | 'in' | 'schema'> & { example?: unknown })
    | { $ref: string }
  )[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

type Content = {
  'application/json': { schema: JsonSchema; examples?: Record<string, { value: Record<string, unknown> }> };
};

const METHODS = ['get', 'post'] as const;
const PREFIX = '#/components/schemas/';

/**
 * Reads the operations and schemas from the service's OpenAPI document. Names the request and response schemas after
 * the operation (`HtsLookupRequest`), regardless of their names in the document. A response schema that other responses
 * contain keeps its name (`Job`).
 */
export function readOperations(): { operations: OperationShape[]; schemas: Map<string, JsonSchema> } {
  const api = createRequire(import.meta.url).resolve('@compliance/api/package.json');
  const text = readFileSync(new URL('openapi.gen.yaml', `file://${api}`), 'utf8');
  const { paths, components } = parse(text) as Document;
  const names = new Map<string, string>();
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap(method => (methods[method] ? [{ path, method, ...methods[method] }] : [])),
  );
  // The clients include only operations that need an API key. They don't have methods or response types for public
  // paths.
  const [listed = [], open = []] = [true, false].map(isKeyed => all.filter(({ security }) => !security === isKeyed));
  for (const { responses } of open) {
    const { $ref } = responses['200']!.content['application/json'].schema;
    if (!JSON.stringify([listed, components]).includes(`"${$ref}"`)) delete components.schemas[refName($ref!)];
  }
  // If several operations share a schema, the schema is named after an operation in the group that uses it most, namely
  // the group's first operation.
  const refs = listed.flatMap(({ operationId: id, requestBody, responses }) => [
    { id, kind: 'Request', ref: requestBody?.content['application/json'].schema.$ref ?? '' },
    { id, kind: 'Response', ref: responses['200']!.content['application/json'].schema.$ref ?? '' },
  ]);
  // A response schema that is also part of other responses, such as a job in a list, keeps its name.
  const nested = new Set(JSON.stringify(components.schemas).match(/#\/components\/schemas\/\w+/g));
  for (const [ref, users] of Map.groupBy(refs, each => each.ref)) {
    if (nested.has(ref) && users.every(({ kind }) => kind === 'Response')) continue;
    const groups = [...Map.groupBy(users, ({ id }) => id.split('.').at(-2)!).values()];
    const { id, kind } = groups.sort((a, b) => b.length - a.length)[0]![0]!;
    names.set(ref, `${PREFIX}${nameOf(id)}${kind}`);
  }
  const operations = listed.map(
    ({ path, method, operationId: id, description, tags, parameters: described = [], ...rest }): OperationShape => {
      const { requestBody, responses, 'x-rate-limit-cost': cost = 1 } = rest;
      const { schema: request, examples } = requestBody?.content['application/json'] ?? {};
      const response = responses['200']!.content['application/json'].schema;
      const parameters = described.filter(each => 'in' in each);
      const shown = parameters.filter(({ example }) => example !== undefined);
      const query = Object.fromEntries(shown.map(({ name, example }) => [name, example]));
      return {
        ...{ id, method, path, description, scope: tags[0]!, cost, response },
        parameters: parameters.map(each => ({ required: false, description: '', ...each })),
        examples: examples ? Object.values(examples).map(({ value }) => ({ ...query, ...value })) : [query],
        ...(request && { request }),
      };
    },
  );
  const rename = <T>(part: T): T =>
    JSON.parse(JSON.stringify(part), (key, value) => (key === '$ref' ? (names.get(value) ?? value) : value));
  const schemas = Object.entries(rename(components.schemas)).map(
    ([name, schema]) => [(names.get(PREFIX + name) ?? PREFIX + name).slice(PREFIX.length), schema] as const,
  );
  const byName = new Map(schemas);
  return {
    operations: rename(operations),
    schemas: new Map(schemas.map(([name, schema]) => [name, mergeAlternatives(schema, byName)])),
  };
}

/** Returns the prefix of an operation's schema names, such as `GccGenerate`. */
const nameOf = (id: string) => id.split('.').slice(-2).map(pascal).join('');

/** Merges the alternative schemas of an object. A field is required only if all alternatives require it. */
function mergeAlternatives(schema: JsonSchema, schemas: ReadonlyMap<string, JsonSchema>): JsonSchema {
  if (!schema.anyOf?.every(arm => arm.$ref)) return schema;
  const alternatives = schema.anyOf.map(arm => schemas.get(refName(arm.$ref!))!);
  const properties = Object.assign({}, ...alternatives.map(arm => arm.properties));
  const required = Object.keys(properties).filter(name => alternatives.every(arm => arm.required?.includes(name)));
  return { type: 'object', properties, required, ...(schema.description && { description: schema.description }) };
}

/** Converts a name to Pascal case: `gcc_id` → `GccId` */
export function pascal(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the schema name that a `$ref` points to. */
export function refName(ref: string): string {
  return ref.slice(PREFIX.length);
}
