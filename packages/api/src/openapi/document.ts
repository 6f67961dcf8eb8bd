import { stringify } from 'yaml';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../error-codes.ts';
import { ISSUE_CODES } from '../issues.ts';
import type { Endpoint } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

const REF = '#/components/schemas/';

/** What the gates of v1 answer to a key; v0 asks for none. */
export const KEY_REFUSALS: readonly number[] = [401, 403];

const errorBody = z
  .object({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().optional(),
    request_id: z.string().optional(),
    reason: z.string().optional().meta({ description: 'For `scan_failed` and `upstream`: why.' }),
    issues: z.array(z.object({ path: z.string(), code: z.enum(ISSUE_CODES), message: z.string() })).optional(),
  })
  .meta({ id: 'Error', description: 'Switch on `error`; the message is for people and may change.' });

const PURPOSE = 'US import compliance for e-commerce. No legal, customs or tax advice; it files nothing.';

/** The description of v1 as OpenAPI 3.1, made from the operations. */
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
    tags: tags.map(name => ({ name, description: `Needs a key for ${name}, or for all.` })),
    ...described(
      OPERATIONS.map(operation => ({ operation, extra: { tags: [operation.scope] }, refusals: KEY_REFUSALS })),
      ['RateLimit-Policy', 'RateLimit', 'X-Request-Id'],
      { key: { type: 'http', scheme: 'bearer', description: 'An API key, issued by the operator.' } },
    ),
  };
}

/** The same as YAML, as it is served. */
export function openapiYaml(): string {
  return stringify(openapi(), { lineWidth: 120, aliasDuplicateObjects: false });
}

/** The description of v0. */
export function openapiV0() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance public API (v0, unstable)',
      version: '0.1.0',
      description: `${PURPOSE} Needs no key; limited by address. Shapes may change at any time: build on v1.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    ...described(
      V0_OPERATIONS.map(operation => ({ operation, extra: { 'x-stability': 'unstable' }, refusals: [] })),
      ['X-Api-Stability', 'RateLimit-Policy', 'RateLimit', 'X-Request-Id'],
    ),
  };
}

const HEADERS = {
  'RateLimit-Policy': { description: 'Quota and window in seconds of each limit.', schema: { type: 'string' } },
  RateLimit: {
    description: 'What is left of each limit, and the seconds until it starts anew.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'X-Api-Stability': { description: 'Always `unstable`.', schema: { const: 'unstable' } },
  'X-Request-Id': { description: 'Names the request in reports.', schema: { type: 'string' } },
};

type HeaderName = keyof typeof HEADERS;

interface Description {
  operation: Endpoint;
  /** What this surface says of it beside. */
  extra: object;
  /** Statuses of the gates that this surface has and the other has not. */
  refusals: readonly number[];
}

/** Paths, and the components that they refer to. */
function described(descriptions: Description[], carried: HeaderName[], securitySchemes?: object) {
  const paths = Object.fromEntries(
    descriptions.map(({ operation, extra, refusals }) => [
      operation.path,
      { [operation.method]: { ...describeOperation(operation, carried, refusals), ...extra } },
    ]),
  );
  return {
    paths,
    components: {
      ...(securitySchemes && { securitySchemes }),
      headers: Object.fromEntries(
        Object.entries(HEADERS).filter(([name]) => name === 'Retry-After' || carried.includes(name as HeaderName)),
      ),
      schemas: referredSchemas(paths),
    },
  };
}

/** What every operation can answer. The other codes belong to some operation, or to pages and links. */
const COMMON: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_request', 'unauthorized', 'beta', 'scope', 'body_too_large'] as const),
  ...(['unsupported_media_type', 'rate_limited', 'internal'] as const),
];

/** The codes that an operation can answer, by its method, by the gates before it, and by what it says of itself. */
export function errorCodesOf({ method, errors = [] }: Endpoint, refusals: readonly number[]): ErrorCode[] {
  const badBody = method === 'post' ? [400, 413, 415] : [400];
  const statuses = [...badBody, ...refusals, 429, 500];
  const common = COMMON.filter(
    code => statuses.includes(ERRORS[code].status) && (method === 'post' || code !== 'invalid_json'),
  );
  return [...common, ...errors];
}

function describeOperation(operation: Endpoint, carried: HeaderName[], refusals: readonly number[]) {
  const { id, method, summary, description, response } = operation;
  const byStatus = Map.groupBy(errorCodesOf(operation, refusals), code => ERRORS[code].status as number);
  return {
    operationId: id,
    summary,
    description,
    ...(method === 'post' ? { requestBody: bodyOf(operation) } : { parameters: parametersOf(operation) }),
    responses: {
      200: { description: 'The answer.', headers: headers(carried), content: json(schemaRef(response)) },
      ...Object.fromEntries([...byStatus].map(([status, known]) => [status, errorOf(status, known, carried)])),
    },
  };
}

/** A failure and a missing key are known before anything is counted. */
function errorOf(status: number, codes: readonly ErrorCode[], carried: HeaderName[]) {
  const uncounted = carried.filter(name => !name.startsWith('RateLimit'));
  const waits = codes.some(code => WAITING.includes(code));
  return {
    description: codes.map(code => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
    headers: headers([
      ...(status === 401 || status === 500 ? uncounted : carried),
      ...(waits ? (['Retry-After'] as const) : []),
    ]),
    content: json(schemaRef(errorBody)),
  };
}

/** Answers that say when to try again. */
const WAITING: readonly ErrorCode[] = ['rate_limited', 'idempotency_running', 'upstream', 'unavailable'];

function bodyOf({ request, examples }: Endpoint) {
  const shown = examples.map(({ name, request }) => [name.replaceAll(' ', '-'), { summary: name, value: request }]);
  return { required: true, content: json(schemaRef(request), Object.fromEntries(shown)) };
}

function parametersOf({ path, request, examples }: Endpoint) {
  const { properties = {}, required = [] } = z.toJSONSchema(request, { io: 'input' });
  return Object.entries(properties as Record<string, { description?: string }>).map(
    ([name, { description, ...schema }]) => {
      const inPath = path.includes(`{${name}}`);
      const example = (examples[0]!.request as Record<string, unknown>)[name];
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

/** The schemas that these paths refer to, and those to which they refer in turn. */
function referredSchemas(paths: object) {
  const all = componentSchemas();
  const referred = new Set<string>();
  const follow = (from: object | undefined) => {
    for (const [, name] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (referred.has(name!)) continue;
      referred.add(name!);
      follow(all[name!]);
    }
  };
  follow(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => referred.has(name)));
}

/** Every schema with an id; what a caller may send or receive, so objects stay open unless they were closed on purpose. */
function componentSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: id => `${REF}${id}`, io: 'input' });
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $schema, $id, id: _, ...schema }]) => [id, schema]),
  );
}
