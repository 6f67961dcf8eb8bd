import { stringify } from 'yaml';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { ISSUE_CODES } from '../issues.ts';
import type { Operation } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';

const REF = '#/components/schemas/';

const errorBody = z
  .object({
    error: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().optional(),
    request_id: z.string().optional(),
    reason: z.string().optional().meta({ description: 'For `scan_failed` and `upstream`: why.' }),
    issues: z.array(z.object({ path: z.string(), code: z.enum(ISSUE_CODES), message: z.string() })).optional(),
  })
  .meta({ id: 'Error', description: 'Switch on `error`; the message is for people and may change.' });

/** The description of v1 as OpenAPI 3.1, made from the operations. */
export function openapi() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portfolio Compliance API',
      version: '1.0.0',
      description: 'US import compliance for e-commerce. No legal, customs or tax advice; it files nothing.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(OPERATIONS.map(({ scope }) => scope))].map(name => ({
      name,
      description: `Needs a key for ${name}, or for all.`,
    })),
    paths: Object.fromEntries(
      OPERATIONS.map(operation => [operation.path, { [operation.method]: describeOperation(operation) }]),
    ),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key, issued by the operator.' } },
      headers: HEADERS,
      schemas: componentSchemas(),
    },
  };
}

/** The same as YAML, as it is served. */
export function openapiYaml(): string {
  return stringify(openapi(), { lineWidth: 120, aliasDuplicateObjects: false });
}

const HEADERS = {
  'RateLimit-Policy': { description: 'Quota and window in seconds of each limit.', schema: { type: 'string' } },
  RateLimit: {
    description: 'What is left of each limit, and the seconds until it starts anew.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  'X-Request-Id': { description: 'Names the request in reports.', schema: { type: 'string' } },
};

function describeOperation(operation: Operation) {
  const limits = headers('RateLimit-Policy', 'RateLimit', 'X-Request-Id');
  const codes = (status: number) => (Object.keys(ERRORS) as ErrorCode[]).filter(code => ERRORS[code].status === status);
  const error = (status: number, extra: object = limits) => ({
    description: codes(status)
      .map(code => `\`${code}\`: ${ERRORS[code].message}`)
      .join(' '),
    headers: extra,
    content: json(schemaRef(errorBody)),
  });
  return {
    operationId: operation.id,
    tags: [operation.scope],
    summary: operation.summary,
    description: operation.description,
    requestBody: {
      required: true,
      content: json(
        schemaRef(operation.request),
        Object.fromEntries(
          operation.examples.map(({ name, request }) => [name.replaceAll(' ', '-'), { summary: name, value: request }]),
        ),
      ),
    },
    responses: {
      200: { description: 'The answer.', headers: limits, content: json(schemaRef(operation.response)) },
      400: error(400),
      401: error(401, headers('X-Request-Id')),
      403: error(403),
      413: error(413),
      415: error(415),
      429: error(429, headers('RateLimit-Policy', 'RateLimit', 'Retry-After', 'X-Request-Id')),
      500: error(500, headers('X-Request-Id')),
      ...Object.fromEntries(operation.errors.map(code => [ERRORS[code].status, error(ERRORS[code].status)])),
    },
  };
}

function json(schema: object, examples?: object) {
  return { 'application/json': { schema, ...(examples && { examples }) } };
}

function headers(...names: (keyof typeof HEADERS)[]) {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function schemaRef(schema: z.ZodType) {
  return { $ref: `${REF}${z.globalRegistry.get(schema)?.id}` };
}

/** Every schema with an id; what a caller may send or receive, so objects stay open unless they were closed on purpose. */
function componentSchemas() {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: id => `${REF}${id}`, io: 'input' });
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $schema, $id, id: _, ...schema }]) => [id, schema]),
  );
}
