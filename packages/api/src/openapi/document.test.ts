import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { openapi, openapiV0, openapiYaml } from './document.ts';

describe('the OpenAPI document', () => {
  it.each([
    ['v1', openapiYaml(), {}],
    // v0 doesn't require an API key.
    ['v0', JSON.stringify(openapiV0()), { 'operation-4xx-response': 'error', 'security-defined': 'off' }],
  ] as const)('passes the OpenAPI linter for %s', async (_, source, rules) => {
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.yaml', config });
    expect(problems.map(problem => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('describes exactly the registered operations', () => {
    for (const [{ paths }, operations] of [
      [openapi(), OPERATIONS],
      [openapiV0(), V0_OPERATIONS],
    ] as const) {
      const described = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
      const ids = described.flatMap(([, path]) => Object.values(path).map(({ operationId }) => operationId));
      expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
    }
  });

  it('describes the verification path, which needs no API key and has no rate limits', () => {
    const { '/gcc/{id}/verification': path, ...others } = openapi().paths as Record<string, { get?: object }>;
    expect(Object.keys(others).filter(each => !each.startsWith('/api/v1/'))).toEqual([]);
    const { get } = path!;
    expect(get).toMatchObject({ operationId: 'entry.gcc.verification', security: [] });
    expect(JSON.stringify(get)).not.toMatch(/RateLimit|RateLimited|Unauthorized|Vary/);
  });

  it('specifies each parameter’s location and whether it’s required', () => {
    const { parameters } = openapiV0().paths['/api/v0/hts/{code}']!.get! as { parameters?: unknown };
    expect(parameters).toMatchObject([
      { name: 'code', in: 'path', required: true },
      { name: 'as_of', in: 'query', schema: { type: 'string', format: 'date' } },
      { $ref: '#/components/parameters/RequestId' },
    ]);
  });

  it('disallows unknown request fields and allows additional response fields', () => {
    const { schemas } = parse(openapiYaml()).components;
    expect(schemas.HtsLookupRequest.additionalProperties).toBe(false);
    expect(schemas.HtsLookupResult.additionalProperties).toBeUndefined();
  });

  it('describes every error in both formats, with its status, codes, and headers', () => {
    const { responses, schemas } = openapi().components as unknown as {
      responses: Record<string, { headers: Record<string, unknown>; content: Record<string, { schema: object }> }>;
      schemas: Record<string, { required: string[] }>;
    };
    const { headers, content } = responses.Unauthorized!;
    expect(Object.keys(headers)).toContain('WWW-Authenticate');
    expect(content['application/problem+json']!.schema).toEqual({
      allOf: [
        { $ref: '#/components/schemas/Problem' },
        { type: 'object', properties: { status: { const: 401 }, error: { enum: ['unauthorized'] } } },
      ],
    });
    for (const response of Object.values(responses))
      expect(Object.keys(response.content)).toEqual(['application/json', 'application/problem+json']);
    // The v1 contract requires these exact bodies.
    expect(responses.BetaOrScope!.content['application/json']!.schema).toMatchObject({
      allOf: [{ $ref: '#/components/schemas/CodeOnlyError' }, {}],
    });
    expect(schemas.CodeOnlyError!.required).toEqual(['error']);
  });

  it('lists the Idempotency-Key header only for the operations that accept it', () => {
    const accepting = Object.values(openapi().paths)
      .flatMap(path => Object.values(path))
      .filter(({ parameters }) => JSON.stringify(parameters).includes('/IdempotencyKey"'));
    expect(accepting.map(({ operationId }) => operationId)).toEqual([
      ...['entry.cpc.generate', 'entry.gcc.generate', 'entry.gcc.supersede', 'entry.gcc.void'],
    ]);
  });

  it('escapes characters above U+FFFF so that none are invisible in the YAML', () => {
    const yaml = openapiYaml();
    expect(yaml).toMatch(/\\U000E0000-\\U000E0FFF/);
    expect(yaml).not.toMatch(/[\u{10000}-\u{10ffff}]/u);
    expect(parse(yaml)).toEqual(JSON.parse(JSON.stringify(openapi())));
  });

  it('includes only examples that match the request schemas', () => {
    for (const { request, examples } of [...OPERATIONS, ...V0_OPERATIONS]) {
      for (const example of examples) expect(request.safeParse(example.request).error).toBeUndefined();
    }
  });
});
