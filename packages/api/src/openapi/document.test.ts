import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { openapi, openapiV0, openapiYaml } from './document.ts';

describe('the OpenAPI documents', () => {
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
      const ids = Object.values(paths).flatMap(path => Object.values(path).map(({ operationId }) => operationId));
      expect(ids).toEqual(operations.map(({ id }) => id));
    }
  });

  it('specifies each parameter’s location and whether it’s required', () => {
    const { parameters } = openapiV0().paths['/api/v0/hts/{code}']!.get! as { parameters?: unknown };
    expect(parameters).toMatchObject([
      { name: 'code', in: 'path', required: true },
      { name: 'as_of', in: 'query', schema: { type: 'string', format: 'date' } },
    ]);
  });

  it('disallows unknown request fields and allows additional response fields', () => {
    const { schemas } = parse(openapiYaml()).components;
    expect(schemas.HtsLookupRequest.additionalProperties).toBe(false);
    expect(schemas.HtsLookupResult.additionalProperties).toBeUndefined();
  });

  it('includes only examples that match the request schemas', () => {
    for (const { request, examples } of [...OPERATIONS, ...V0_OPERATIONS]) {
      for (const example of examples) expect(request.safeParse(example.request).error).toBeUndefined();
    }
  });
});
