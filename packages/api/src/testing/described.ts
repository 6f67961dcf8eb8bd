import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi, openapiV0 } from '../openapi/document.ts';

interface Described {
  responses: Record<string, { headers: Record<string, unknown>; content: { 'application/json': { schema: object } } }>;
}

const DOCUMENTS = { v1: openapi(), v0: openapiV0() };

const ajv = new Ajv2020({ strict: false, allErrors: true });
// Its default export is a function in Node, and to TypeScript an object that holds one.
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addFormat('country-code', /^[A-Za-z]{2}$/);
for (const [name, { components }] of Object.entries(DOCUMENTS)) ajv.addSchema({ $id: name, components });

const validators = new Map<string, ValidateFunction>();

/** Every operation, with the paths that are its own. */
const operations = Object.entries(DOCUMENTS).flatMap(([document, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, described]: [string, Described]) => ({
      document,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      described,
    })),
  ),
);

/**
 * What an answer has that its OpenAPI document does not say: a status, a body, a header that is missing. Empty for a path or
 * a method that no document describes.
 */
export async function undescribed(request: Request, response: Response): Promise<string[]> {
  const { pathname } = new URL(request.url);
  const operation = operations.find(({ method, pattern }) => method === request.method && pattern.test(pathname));
  if (!operation) return [];
  const { document, method, path, described } = operation;
  const where = `${method} ${path} ${response.status}`;
  const known = described.responses[response.status];
  if (!known) return [`${where}: the status is not described`];
  const missing = Object.keys(known.headers).filter(name => name !== 'Retry-After' && !response.headers.has(name));
  const faults = missing.map(name => `${where}: ${name} is missing`);
  // The other form of an error, for who asks for it.
  if (response.headers.get('Content-Type') === 'application/problem+json') return faults;
  const { schema } = known.content['application/json'];
  const key = `${document} ${JSON.stringify(schema)}`;
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', `"${document}#/components`));
  const validate = validators.get(key) ?? ajv.compile(rooted);
  validators.set(key, validate);
  if (validate(await response.clone().json())) return faults;
  return [
    ...faults,
    ...(validate.errors ?? []).map(({ instancePath, message }) => `${where}: ${instancePath} ${message}`),
  ];
}
