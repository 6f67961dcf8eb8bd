import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi, openapiV0 } from '../openapi/document.ts';

interface DescribedHeader {
  required?: boolean;
  schema: { type?: string };
}

interface DescribedResponse {
  headers: Record<string, { $ref: string }>;
  content: Record<string, { schema: object }>;
}

/** A JSON Schema in a document. */
export interface DescribedSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, DescribedSchema>;
  required?: string[];
  items?: DescribedSchema;
  anyOf?: DescribedSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  minimum?: number;
}

interface DescribedOperation {
  operationId: string;
  parameters: ({ name: string; in: string; required?: boolean; schema: DescribedSchema } | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: DescribedSchema } } };
  responses: Record<string, DescribedResponse | { $ref: string }>;
}

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    headers: Record<string, DescribedHeader>;
    responses: Record<string, DescribedResponse>;
    schemas: Record<string, DescribedSchema>;
  };
}

const DOCUMENTS = { v1: openapi(), v0: openapiV0() } as unknown as Record<'v1' | 'v0', Described>;

/**
 * Response headers that don't need a description. OpenAPI describes the content type as a media type, and the runtime
 * sets the content length.
 */
const UNDESCRIBED = ['content-type', 'content-length'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
// In Node.js, the default export is a function, but TypeScript treats it as an object with a `default` property.
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addFormat('country-code', true);
ajv.addFormat('hts-code', true);
for (const [name, { components }] of Object.entries(DOCUMENTS)) ajv.addSchema({ $id: name, components });

const validators = new Map<string, ValidateFunction>();

/** Returns a copy of a schema, with the document name added to all references. */
function rooted<Schema extends object>(document: string, schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${document}#/components`));
}

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  return validate;
}

/** All operations and their path patterns. */
const operations = Object.entries(DOCUMENTS).flatMap(([document, { paths, components }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
      ...{ document, path, operationId, parameters, requestBody, responses, components },
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
  ),
);

/** Returns the documented schema of an operation's JSON body, or of its path and query parameters. */
export function requestSchema(id: string): DescribedSchema {
  const { document, requestBody, parameters } = operations.find(({ operationId }) => operationId === id)!;
  if (requestBody) return rooted(document, requestBody.content['application/json'].schema);
  const fields = parameters.flatMap(each => ('in' in each ? [each] : []));
  return rooted(document, {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  });
}

/** Returns the schema that a reference points to. Returns any other schema unchanged. */
export function resolveSchema(schema: DescribedSchema): DescribedSchema {
  if (schema.$ref === undefined) return schema;
  const [document, name] = schema.$ref.split('#/components/schemas/') as ['v0' | 'v1', string];
  return rooted(document, DOCUMENTS[document].components.schemas[name]!);
}

/** Returns whether a value matches a schema from `requestSchema`. */
export function matchesSchema(schema: DescribedSchema, value: unknown): boolean {
  return validatorOf(schema)(value);
}

const nameIn = ({ $ref }: { $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

/**
 * Returns the ways in which a response violates its OpenAPI document: an undocumented status, content type, or header,
 * an invalid body or header, or a missing header. Returns an empty array for a path or method that no document
 * describes.
 */
export async function conformanceErrors(request: Request, response: Response): Promise<string[]> {
  // The client has closed the connection, so it never receives this response.
  if (response.status === 499) return [];
  const { pathname } = new URL(request.url);
  // A path without parameters takes precedence over a pattern that matches it.
  const named = operations.filter(({ path }) => path === pathname);
  const candidates = named.length > 0 ? named : operations.filter(({ pattern }) => pattern.test(pathname));
  const operation = candidates.find(({ method }) => method === request.method);
  if (!operation) return [];
  const { document, method, path, responses, components } = operation;
  const where = `${method} ${path} ${response.status}`;
  const known = responses[response.status];
  if (!known) return [`${where}: undocumented status`];
  const { headers, content } = '$ref' in known ? components.responses[nameIn(known)]! : known;
  const type = response.headers.get('Content-Type') ?? 'none';
  const media = content[type];
  const described = Object.entries(headers).map(
    ([name, ref]) => [name.toLowerCase(), components.headers[nameIn(ref)]!] as const,
  );
  const names = described.map(([name]) => name);
  return [
    ...[...response.headers.keys()]
      .filter(name => !UNDESCRIBED.includes(name) && !names.includes(name))
      .map(name => `${where}: undocumented header ${name}`),
    ...described.flatMap(([name, { required, schema }]) => {
      const value = response.headers.get(name);
      if (value === null) return required ? [`${where}: missing header ${name}`] : [];
      const isValid = validatorOf(schema)(schema.type === 'integer' ? Number(value) : value);
      return isValid ? [] : [`${where}: invalid header ${name}`];
    }),
    ...(media
      ? await bodyErrors(where, validatorOf(rooted(document, media.schema)), response)
      : [`${where}: undocumented type ${type}`]),
  ];
}

async function bodyErrors(where: string, validate: ValidateFunction, response: Response): Promise<string[]> {
  if (validate(await response.clone().json())) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${where}: ${instancePath} ${message}`);
}
