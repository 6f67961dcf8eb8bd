import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi, openapiV0 } from '../openapi/document.ts';

interface DescribedOperation {
  responses: Record<string, { headers: Record<string, unknown>; content: { 'application/json': { schema: object } } }>;
}

const DOCUMENTS = { v1: openapi(), v0: openapiV0() };

const ajv = new Ajv2020({ strict: false, allErrors: true });
// In Node.js, the default export is a function, but TypeScript treats it as an object with a `default` property.
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addFormat('country-code', /^[A-Za-z]{2}$/);
ajv.addFormat('hts-code', true);
for (const [name, { components }] of Object.entries(DOCUMENTS)) ajv.addSchema({ $id: name, components });

const validators = new Map<string, ValidateFunction>();

/** All operations and their path patterns. */
const operations = Object.entries(DOCUMENTS).flatMap(([document, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, description]: [string, DescribedOperation]) => ({
      document,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      description,
    })),
  ),
);

/**
 * Returns the differences between a response and its OpenAPI document: an undocumented status, an invalid body, or a missing
 * header. Returns an empty array for a path or method that no document describes.
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
  const { document, method, path, description } = operation;
  const where = `${method} ${path} ${response.status}`;
  const known = description.responses[response.status];
  if (!known) return [`${where}: undocumented status`];
  const missing = Object.keys(known.headers).filter(name => name !== 'Retry-After' && !response.headers.has(name));
  const errors = missing.map(name => `${where}: missing header ${name}`);
  // The documents don't describe problem details, which are an alternative error format.
  if (response.headers.get('Content-Type') === 'application/problem+json') return errors;
  const { schema } = known.content['application/json'];
  const key = `${document} ${JSON.stringify(schema)}`;
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${document}#/components`));
  const validate = validators.get(key) ?? ajv.compile(rooted);
  validators.set(key, validate);
  if (validate(await response.clone().json())) return errors;
  return [
    ...errors,
    ...(validate.errors ?? []).map(({ instancePath, message }) => `${where}: ${instancePath} ${message}`),
  ];
}
