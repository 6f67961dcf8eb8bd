import { stringify } from 'yaml';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors/error-codes.ts';
import { API_ISSUE_CODES } from '../errors/validation-issues.ts';
import type { Endpoint } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

const REF = '#/components/schemas/';

/** Statuses that v1 middleware returns for an invalid or unauthorized API key. v0 doesn't require a key. */
export const KEY_ERROR_STATUSES: readonly number[] = [401, 403];

const errorBody = z
  .object({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().optional(),
    request_id: z.string().optional(),
    reason: z.string().optional().meta({ description: 'Reason for a `scan_failed` or `upstream` error.' }),
    issues: z.array(z.object({ path: z.string(), code: z.enum(API_ISSUE_CODES), message: z.string() })).optional(),
  })
  .meta({
    id: 'Error',
    description:
      'An error response. In your code, check `error` rather than `message`: messages are for people and can change.',
  });

const PURPOSE =
  "US compliance for e-commerce. The service doesn't give legal, customs, or tax advice, and it doesn't file anything with any agency.";

/** Generates the OpenAPI 3.1 document for v1 from the operations. */
export function openapi() {
  const tags = [...new Set(OPERATIONS.map(({ scope }) => scope))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance API',
      version: '1.0.0',
      description: PURPOSE,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: tags.map(name => ({ name, description: `Requires an API key with the ${name} or all scope.` })),
    ...describePaths(
      OPERATIONS.map(operation => ({
        operation,
        extra: { tags: [operation.scope], ...(operation.cost && { 'x-rate-limit-cost': operation.cost }) },
        keyErrorStatuses: KEY_ERROR_STATUSES,
      })),
      ['RateLimit-Policy', 'RateLimit', 'X-Request-Id'],
      { key: { type: 'http', scheme: 'bearer', description: 'An API key issued by the service operator.' } },
    ),
  };
}

/** Generates the OpenAPI document for v1 as YAML. */
export function openapiYaml(): string {
  return stringify(openapi(), { lineWidth: 120, aliasDuplicateObjects: false });
}

/** Generates the OpenAPI document for v0. */
export function openapiV0() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance public API (v0, unstable)',
      version: '0.1.0',
      description: `${PURPOSE} API keys aren't required. Rate limits apply per client IP address. Responses can change at any time. For production, use v1.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    ...describePaths(
      V0_OPERATIONS.map(operation => ({ operation, extra: { 'x-stability': 'unstable' }, keyErrorStatuses: [] })),
      ['X-Api-Stability', 'RateLimit-Policy', 'RateLimit', 'X-Request-Id'],
    ),
  };
}

const HEADERS = {
  'RateLimit-Policy': {
    description: 'Quota and window length (in seconds) for each limit.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Number of remaining requests and seconds until reset for each limit.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Number of seconds to wait before retrying.', schema: { type: 'integer' } },
  'X-Api-Stability': { description: 'Always `unstable`.', schema: { const: 'unstable' } },
  'X-Request-Id': { description: 'Request ID to include in support requests.', schema: { type: 'string' } },
};

type HeaderName = keyof typeof HEADERS;

interface PathEntry {
  operation: Endpoint;
  /** Additional fields for the operation in the OpenAPI document. */
  extra: object;
  /** Statuses that the operation's API version returns for API key errors. */
  keyErrorStatuses: readonly number[];
}

/** Describes the paths and all components that the paths reference. */
function describePaths(entries: PathEntry[], responseHeaders: HeaderName[], securitySchemes?: object) {
  const paths: Record<string, Partial<Record<'get' | 'post', ReturnType<typeof describeOperation>>>> = {};
  for (const { operation, extra, keyErrorStatuses } of entries) {
    const described = describeOperation(operation, responseHeaders, keyErrorStatuses);
    paths[operation.path] = { ...paths[operation.path], [operation.method]: { ...described, ...extra } };
  }
  return {
    paths,
    components: {
      ...(securitySchemes && { securitySchemes }),
      headers: Object.fromEntries(
        Object.entries(HEADERS).filter(
          ([name]) => name === 'Retry-After' || responseHeaders.includes(name as HeaderName),
        ),
      ),
      schemas: referencedSchemas(paths),
    },
  };
}

/** Error codes that all operations share. Other codes apply to individual operations, pages, or links. */
const COMMON: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_request', 'unauthorized', 'beta', 'scope', 'body_too_large'] as const),
  ...(['unsupported_media_type', 'rate_limited', 'internal', 'unavailable', 'storage_full'] as const),
];

/** Returns all error codes of an operation: the codes implied by its method and middleware, and its declared codes. */
export function errorCodesOf({ method, errors = [] }: Endpoint, keyErrorStatuses: readonly number[]): ErrorCode[] {
  const badRequest = method === 'post' ? [400, 413, 415] : [400];
  const statuses = [...badRequest, ...keyErrorStatuses, 429, 500, 503];
  const common = COMMON.filter(
    code => statuses.includes(ERRORS[code].status) && (method === 'post' || code !== 'invalid_json'),
  );
  return [...new Set([...common, ...errors])];
}

function describeOperation(operation: Endpoint, responseHeaders: HeaderName[], keyErrorStatuses: readonly number[]) {
  const { id, method, summary, description, response } = operation;
  const byStatus = Map.groupBy(errorCodesOf(operation, keyErrorStatuses), code => ERRORS[code].status as number);
  return {
    operationId: id,
    summary,
    description,
    ...(method === 'post'
      ? { ...pathParameters(operation), requestBody: requestBody(operation) }
      : { parameters: parameters(operation, operation.request, operation.examples[0]!.request) }),
    responses: {
      200: { description: 'Success.', headers: headers(responseHeaders), content: json(schemaRef(response)) },
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [status, describeError(status, codes, responseHeaders)]),
      ),
    },
  };
}

/** Describes an error response. Only responses to requests that were counted always include rate limit headers. */
function describeError(status: number, codes: readonly ErrorCode[], responseHeaders: HeaderName[]) {
  const uncounted = responseHeaders.filter(name => !name.startsWith('RateLimit'));
  const hasRetryAfter = codes.some(code => RETRYABLE.includes(code));
  return {
    description: codes.map(code => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
    headers: headers([
      ...([401, 500, 503].includes(status) ? uncounted : responseHeaders),
      ...(hasRetryAfter ? (['Retry-After'] as const) : []),
    ]),
    content: json(schemaRef(errorBody)),
  };
}

/** Errors with a `Retry-After` header in the response. */
const RETRYABLE: readonly ErrorCode[] = [
  ...(['rate_limited', 'idempotency_running', 'upstream', 'unavailable', 'storage_full'] as const),
];

function requestBody({ request, examples }: Endpoint) {
  const named = examples.map(({ name, request }) => [name.replaceAll(' ', '-'), { summary: name, value: request }]);
  return { required: true, content: json(schemaRef(request), Object.fromEntries(named)) };
}

function pathParameters(operation: Endpoint) {
  const { params, examples } = operation;
  return params && { parameters: parameters(operation, params, examples[0]!.params) };
}

function parameters({ path }: Endpoint, fields: z.ZodType, values: unknown) {
  const { properties = {}, required = [] } = z.toJSONSchema(fields, { io: 'input' });
  const shared = JSON.parse(JSON.stringify(properties).replaceAll('"#/$defs/', `"${REF}`));
  return Object.entries(shared as Record<string, { description?: string }>).map(
    ([name, { description, ...schema }]) => {
      const inPath = path.includes(`{${name}}`);
      const example = (values as Record<string, unknown>)[name];
      return {
        name,
        in: inPath ? 'path' : 'query',
        ...(description && { description }),
        ...((inPath || required.includes(name)) && { required: true }),
        schema,
        ...(example !== undefined && { example }),
      };
    },
  );
}

function json(schema: object, examples?: object) {
  return { 'application/json': { schema, ...(examples && { examples }) } };
}

function headers(names: HeaderName[]) {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function schemaRef(schema: z.ZodType) {
  return { $ref: `${REF}${z.globalRegistry.get(schema)?.id}` };
}

/** Returns the schemas that the paths reference, directly or through other schemas. */
function referencedSchemas(paths: object) {
  const all = componentSchemas();
  const referenced = new Set<string>();
  const follow = (from: object | undefined) => {
    for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (referenced.has(name!)) continue;
      referenced.add(name!);
      follow(all[name!]);
    }
  };
  follow(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => referenced.has(name)));
}

/** Returns all schemas that have an ID, in input form: objects allow additional properties unless they're strict. */
function componentSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: id => `${REF}${id}`, io: 'input' });
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $schema, $id, id: _, ...schema }]) => [id, schema]),
  );
}
