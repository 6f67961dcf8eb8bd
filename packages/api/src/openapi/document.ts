import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import { COUNTRY_PATTERN, LINE_PATTERN, LINES_PATTERN } from '@compliance/core/entry';
import { SCAN_FAILED_REASONS, type ScanFailedReason } from '@compliance/crawler';
import { Document, visit } from 'yaml';
import { z } from 'zod';
import { IDEMPOTENCY_KEY } from '../certificates/idempotency-key.ts';
import { VERIFICATION_ENDPOINT } from '../certificates/verification.ts';
import { API_ISSUE_CODES } from '../errors/validation-issues.ts';
import { isCodeOnly } from '../http/error-response.ts';
import type { Endpoint } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { describeScopes } from './describe-scopes.ts';

const REF = '#/components/schemas/';

/** Statuses that v1 middleware returns for an invalid or unauthorized API key. v0 doesn't require a key. */
export const KEY_ERROR_STATUSES: readonly number[] = [401, 403];

const issues = z
  .array(z.object({ path: z.string(), code: z.enum(API_ISSUE_CODES), message: z.string() }))
  .optional()
  .meta({ description: 'For `invalid_request`, the invalid fields.' });
/** Scan failure reasons that result in an error code other than `scan_failed` or `upstream`. */
const OTHER_CODES: readonly ScanFailedReason[] = ['target_busy', 'no_egress'];
const reason = z
  .enum(SCAN_FAILED_REASONS.filter(name => !OTHER_CODES.includes(name)) as [ScanFailedReason, ...ScanFailedReason[]])
  .optional()
  .meta({ description: 'Reason for a `scan_failed` or `upstream` error. We might add new reasons.' });
const errorCode = z
  .enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]])
  .meta({ description: 'Stable code, documented at `/docs/errors/<code>`.' });
const requestId = z.string().meta({ description: 'The same ID as in the `X-Request-Id` header.' });

const errorBody = z.object({ error: errorCode, message: z.string(), request_id: requestId, reason, issues }).meta({
  id: 'Error',
  description:
    'An error response. In your code, check `error` rather than `message`: messages are for people and can change.',
});

const codeOnlyError = z.object({ error: errorCode }).meta({
  id: 'CodeOnlyError',
  description: 'An error response that contains only the error code.',
});

const problem = z
  .object({
    type: z.string().meta({ format: 'uri-reference', description: 'Path of the error documentation.' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    error: errorCode,
    request_id: requestId,
    reason,
    issues,
  })
  .meta({
    id: 'Problem',
    description:
      'An error response in the problem details format (RFC 9457), sent if the `Accept` header lists `application/problem+json`. The fields ' +
      'other than `type`, `title`, and `status` are the same as in `application/json`.',
  });

const PURPOSE =
  "US compliance for e-commerce. The service doesn't give legal, customs, or tax advice, and it doesn't file anything with any agency.";

/** Responses that can't be described under an OpenAPI operation, because they don't belong to any operation. */
const OTHER_RESPONSES =
  'A path without an operation returns 404 with the error `not_found`. A request with an unsupported method returns 405 with ' +
  'the error `method_not_allowed`, and the `Allow` header lists the supported methods.';

/** Generates the OpenAPI 3.1 document for v1 from the operations and the public verification path. */
export function openapi() {
  const tagOf = ({ scope }: (typeof OPERATIONS)[number]) => (scope === 'any' ? 'jobs' : scope);
  const tags = [...new Set(OPERATIONS.map(tagOf))];
  const required = (tag: ReturnType<typeof tagOf>) =>
    tag === 'jobs' ? "scope of the job's operation" : describeScopes(tag);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance API',
      version: '1.0.0',
      description: `${PURPOSE} ${OTHER_RESPONSES}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: tags.map(name => ({ name, description: `Requires an API key with the ${required(name)}.` })),
    ...describePaths(
      [
        ...OPERATIONS.map(operation => ({
          operation,
          extra: { tags: [tagOf(operation)], ...(operation.cost && { 'x-rate-limit-cost': operation.cost }) },
          keyErrorStatuses: KEY_ERROR_STATUSES,
        })),
        { operation: VERIFICATION_ENDPOINT, extra: { tags: ['entry'], security: [] }, keyErrorStatuses: null },
      ],
      { always: ['Vary'], optional: [] },
      { key: { type: 'http', scheme: 'bearer', description: 'An API key issued by the service operator.' } },
    ),
  };
}

/**
 * Returns the OpenAPI document for v1 as YAML. Characters above U+FFFF are escaped, because those in the document's
 * patterns are mostly invisible. The first call generates the document, so service startup isn't delayed.
 */
export const openapiYaml = memoize(() => {
  const document = new Document(openapi(), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && ASTRAL.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const escapeOf = (character: string) => `\\U${character.codePointAt(0)!.toString(16).toUpperCase().padStart(8, '0')}`;
  return document.toString({ lineWidth: 120 }).replaceAll(new RegExp(ASTRAL, 'gu'), escapeOf);
});

const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

/** Returns the OpenAPI document for v0 as JSON. The first call generates the document. */
export const openapiV0Json = memoize(() => JSON.stringify(openapiV0()));

function memoize(generate: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= generate();
    return text;
  };
}

/** Generates the OpenAPI document for v0. */
export function openapiV0() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance public API (v0, unstable)',
      version: '0.1.0',
      description: `${PURPOSE} API keys aren't required. Rate limits apply per client IP address. Response formats can change at any time. For production, use v1. ${OTHER_RESPONSES}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    ...describePaths(
      V0_OPERATIONS.map(operation => ({ operation, extra: { 'x-stability': 'unstable' }, keyErrorStatuses: [] })),
      {
        always: ['X-Api-Stability', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'],
        optional: ['Deprecation', 'Sunset', 'Link'],
      },
    ),
  };
}

/**
 * Returns the regular expression for a structured field (RFC 9651) with two numbers for each limit, such as
 * `"minute";r=99;t=60, "day";r=9999;t=86400`.
 */
const limits = (first: string, second: string) =>
  `^"[a-z]+";${first}=[0-9]+;${second}=[0-9]+(?:, "[a-z]+";${first}=[0-9]+;${second}=[0-9]+)*$`;

const HEADERS = {
  'RateLimit-Policy': {
    description: 'Quota (`q`) and window length in seconds (`w`) for each limit.',
    schema: { type: 'string', pattern: limits('q', 'w') },
    example: '"minute";q=100;w=60, "day";q=10000;w=86400',
  },
  RateLimit: {
    description: 'Number of remaining requests (`r`) and seconds until reset (`t`) for each limit.',
    schema: { type: 'string', pattern: limits('r', 't') },
    example: '"minute";r=99;t=60, "day";r=9999;t=86400',
  },
  'Retry-After': { description: 'Number of seconds to wait before retrying.', schema: { type: 'integer', minimum: 0 } },
  'X-Api-Stability': { description: 'Always `unstable`.', schema: { const: 'unstable' } },
  'X-Request-Id': {
    description: 'Request ID to include in support requests.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
  'Cache-Control': { description: 'Always `no-store`.', schema: { const: 'no-store' } },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: { const: 'nosniff' } },
  Vary: { description: 'Request headers that the response depends on.', schema: { const: 'Authorization, Accept' } },
  'WWW-Authenticate': { description: 'Authentication scheme.', schema: { const: 'Bearer' } },
  'X-Robots-Tag': { description: 'Always `noindex`.', schema: { const: 'noindex' } },
  'Access-Control-Allow-Origin': {
    description: 'Pages from any origin can read the response.',
    schema: { const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'Response headers that pages on other origins can read.',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'v0 deprecation date (RFC 9745). Sent after v0 is scheduled for retirement.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
  },
  Sunset: {
    description: 'v0 retirement date (RFC 8594). Sent after v0 is scheduled for retirement.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'Link to the successor version. Sent after v0 is scheduled for retirement.',
    schema: { type: 'string' },
  },
};

type HeaderName = keyof typeof HEADERS;

/** Names of response headers, grouped by whether the headers are always or only sometimes present. */
interface HeaderNames {
  always: readonly HeaderName[];
  optional: readonly HeaderName[];
}

/** Headers in all responses, in both API versions. */
const COMMON_HEADERS: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
/** Headers in responses to requests that count toward the rate limits. */
const LIMIT_HEADERS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

/**
 * Additional headers in error responses on public paths. The headers are missing if the ID in the path is malformed,
 * because no route matches the path.
 */
const PUBLIC_ERROR_HEADERS: HeaderNames = { always: [], optional: ['Access-Control-Allow-Origin'] };

/** Request headers that aren't used for authentication. */
const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      "Unique value, such as a UUID, that identifies a request so that a retry doesn't repeat the change. If you repeat a request " +
      'with the same key and body within 24 hours, the same certificate is returned. Quotation marks around the key are optional.',
    schema: { type: 'string', minLength: 1, maxLength: 257, pattern: IDEMPOTENCY_KEY.source },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Request ID to use instead of a generated one, with up to 64 letters, digits, hyphens, and underscores. Any other value is ignored.',
    schema: { type: 'string' },
  },
};

/** The documented properties of an operation or of the public verification path. */
type DescribedEndpoint = Omit<Endpoint, 'handler'>;

interface PathEntry {
  operation: DescribedEndpoint;
  /** Additional fields for the operation in the OpenAPI document. */
  extra: object;
  /**
   * Statuses that operations of this API version return if the API key is rejected; null for a public path. A public
   * path has no rate limits and no version-specific headers.
   */
  keyErrorStatuses: readonly number[] | null;
}

/** Describes the paths and all components that the paths reference. */
function describePaths(entries: PathEntry[], versionHeaders: HeaderNames, securitySchemes?: object) {
  const paths: Record<string, Partial<Record<'get' | 'post', ReturnType<typeof describeOperation>>>> = {};
  const responses: Record<string, object> = {};
  for (const { operation, extra, keyErrorStatuses } of entries) {
    const isPublic = keyErrorStatuses === null;
    const versioned = isPublic ? PUBLIC_ERROR_HEADERS : versionHeaders;
    const codes = isPublic ? publicErrorCodesOf(operation) : errorCodesOf(operation, keyErrorStatuses);
    const errors = [...Map.groupBy(codes, code => ERRORS[code].status as number)].map(([status, codes]) => {
      // Operations with the same errors share a response.
      const name = `${isPublic ? 'Public' : ''}${codes.map(pascalCase).join('Or')}`;
      responses[name] = describeError(status, codes, { ...versioned, isLimited: !isPublic });
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    const success: HeaderNames = isPublic
      ? { always: [...COMMON_HEADERS, 'X-Robots-Tag', 'Access-Control-Allow-Origin'], optional: [] }
      : successHeaders(versionHeaders);
    const described = describeOperation(operation, success, Object.fromEntries(errors));
    paths[operation.path] = { ...paths[operation.path], [operation.method]: { ...described, ...extra } };
  }
  const used = JSON.stringify({ paths, responses });
  const referenced = ([name]: [string, object], folder: string) => used.includes(`"#/components/${folder}/${name}"`);
  const headers = Object.entries(HEADERS).flatMap(([name, header]): [string, object][] => [
    [name, { required: true, ...header }],
    [`${name}${OPTIONAL}`, header],
  ]);
  return {
    paths,
    components: {
      ...(securitySchemes && { securitySchemes }),
      parameters: Object.fromEntries(Object.entries(HEADER_PARAMETERS).filter(each => referenced(each, 'parameters'))),
      headers: Object.fromEntries(headers.filter(each => referenced(each, 'headers'))),
      responses,
      schemas: referencedSchemas({ paths, responses }),
    },
  };
}

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Error codes that aren't specific to an operation. An operation's method and middleware determine which of these codes
 * it can return. Other codes apply to individual operations, pages, or links.
 */
const COMMON: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_request', 'unauthorized', 'beta', 'scope', 'body_too_large'] as const),
  ...(['unsupported_media_type', 'rate_limited', 'internal', 'unavailable', 'storage_full'] as const),
];

/**
 * Returns all error codes that an operation can return: those implied by its method and middleware, and its declared
 * codes.
 */
export function errorCodesOf(
  { method, errors = [] }: DescribedEndpoint,
  keyErrorStatuses: readonly number[],
): ErrorCode[] {
  const badRequest = method === 'post' ? [400, 413, 415] : [400];
  const statuses = [...badRequest, ...keyErrorStatuses, 429, 500, 503];
  const common = COMMON.filter(
    code => statuses.includes(ERRORS[code].status) && (method === 'post' || code !== 'invalid_json'),
  );
  return [...new Set([...common, ...errors])];
}

/** Returns all error codes that a public path can return. A public path accepts no body and has no rate limits. */
function publicErrorCodesOf({ errors = [] }: DescribedEndpoint): ErrorCode[] {
  return [...errors, ...COMMON.filter(code => [500, 503].includes(ERRORS[code].status))];
}

function describeOperation(operation: DescribedEndpoint, success: HeaderNames, errors: Record<string, object>) {
  const { id, method, summary, description, params, request, response, examples } = operation;
  const [example] = examples;
  const fields = method === 'post' ? params : request;
  const values = method === 'post' ? example!.params : example!.request;
  return {
    operationId: id,
    summary,
    description,
    parameters: [
      ...(fields ? parameters(operation, fields, values) : []),
      ...(acceptsIdempotencyKey(operation) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(method === 'post' && { requestBody: requestBody(operation) }),
    responses: {
      200: {
        description: 'Success.',
        headers: headers(success),
        content: json(schemaRef(response)),
      },
      ...errors,
      431: { description: HEADERS_TOO_LARGE },
    },
  };
}

/**
 * Description of the 431 response. The HTTP server rejects oversized requests before the service can add a body or
 * headers.
 */
const HEADERS_TOO_LARGE =
  'The URL and the request headers together exceed 16 KiB. The response doesn’t have a body or the usual headers.';

/** Returns whether an operation accepts the `Idempotency-Key` header. */
function acceptsIdempotencyKey({ errors = [] }: DescribedEndpoint): boolean {
  return errors.includes('idempotency_mismatch');
}

function successHeaders({ always, optional }: HeaderNames): HeaderNames {
  return { always: [...COMMON_HEADERS, ...LIMIT_HEADERS, ...always], optional };
}

/** Describes an error response, in the default format and as problem details. */
function describeError(
  status: number,
  codes: readonly ErrorCode[],
  { always, optional, isLimited }: HeaderNames & { isLimited: boolean },
) {
  // A request with an invalid key isn't counted, and a server error can occur before or after a request is counted.
  const limits = !isLimited || status === 401 ? 'never' : status === 500 || status === 503 ? 'optional' : 'always';
  const retry = codes.every(code => RETRYABLE.includes(code)) ? 'always' : 'optional';
  const hasRetry = codes.some(code => RETRYABLE.includes(code) || code === 'unavailable');
  const namesOf = (when: string): HeaderName[] => [
    ...(limits === when ? LIMIT_HEADERS : []),
    ...(hasRetry && retry === when ? (['Retry-After'] as const) : []),
  ];
  const body = codes.every(isCodeOnly) ? codeOnlyError : errorBody;
  return {
    description: codes.map(code => `\`${code}\`: ${ERRORS[code].message}`).join(' '),
    headers: headers({
      always: [
        ...COMMON_HEADERS,
        ...namesOf('always'),
        ...always,
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ],
      optional: [...namesOf('optional'), ...optional],
    }),
    content: {
      ...json(withProperties(body, { error: { enum: codes } })),
      'application/problem+json': {
        schema: withProperties(problem, { status: { const: status }, error: { enum: codes } }),
      },
    },
  };
}

/** Narrows properties of an object schema. */
function withProperties(schema: z.ZodType, properties: object) {
  return { allOf: [schemaRef(schema), { type: 'object', properties }] };
}

/** Error codes whose responses always have a `Retry-After` header. */
const RETRYABLE: readonly ErrorCode[] = [
  ...(['rate_limited', 'target_busy', 'idempotency_running', 'upstream', 'storage_full'] as const),
];

function requestBody({ request, examples }: DescribedEndpoint) {
  const named = examples.map(({ name, request }) => [name.replaceAll(' ', '-'), { summary: name, value: request }]);
  return { required: true, content: json(schemaRef(request), Object.fromEntries(named)) };
}

function parameters({ path }: DescribedEndpoint, fields: z.ZodType, values: unknown) {
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

/** Name suffix for optional header components. */
const OPTIONAL = '.optional';

function headers({ always, optional }: HeaderNames) {
  const refs = (names: readonly HeaderName[], suffix: string) =>
    names.map(name => [name, { $ref: `#/components/headers/${name}${suffix}` }]);
  return Object.fromEntries([...refs(always, ''), ...refs(optional, OPTIONAL)]);
}

function schemaRef(schema: z.ZodType) {
  return { $ref: `${REF}${z.globalRegistry.get(schema)?.id}` };
}

/** Returns the schemas that the paths reference, directly or through other schemas. */
function referencedSchemas(paths: object) {
  const all = { ...componentSchemas(), ...TEXTS };
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
      .map(([id, { $schema, $id, id: _, ...schema }]) => [id, shareTexts(schema)]),
  );
}

/** Shared string schemas with long patterns. */
const TEXTS: Record<string, { type: 'string'; pattern: string; description: string }> = {
  CountryName: {
    type: 'string',
    pattern: COUNTRY_PATTERN,
    description:
      'A two-letter code, an ISO 3166-1 alpha-3 code, or a country name in English. Unlike the pattern, the service ignores ' +
      'case and accents in country names.',
  },
  Line: {
    type: 'string',
    pattern: LINE_PATTERN,
    description:
      'One line of text with at least one visible character and no control characters or explicit directional ' +
      'formatting characters. The service removes leading and trailing spaces and line breaks, and normalizes the ' +
      'text to Unicode NFC.',
  },
  Lines: {
    type: 'string',
    pattern: LINES_PATTERN,
    description: 'Like `Line`, but with any number of lines. The service joins the lines with commas.',
  },
};

/** Replaces each pattern of a shared string schema with a reference to that schema. */
function shareTexts<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const [name] = Object.entries(TEXTS).find(([, { pattern }]) => pattern === value?.pattern) ?? [];
    if (name === undefined) return value;
    const { pattern, ...rest } = value;
    return { ...rest, allOf: [{ $ref: `${REF}${name}` }] };
  });
}
