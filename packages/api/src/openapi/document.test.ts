import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { openapi, openapiV0, openapiYaml } from './document.ts';

describe('the OpenAPI documents', () => {
  it.each([
    ['v1', openapiYaml(), {}],
    // Nobody needs a key there.
    ['v0', JSON.stringify(openapiV0()), { 'operation-4xx-response': 'error', 'security-defined': 'off' }],
  ] as const)('are without fault to a linter: %s', async (_, source, rules) => {
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.yaml', config });
    expect(problems.map(problem => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('describe every operation under its id, and no other', () => {
    for (const [{ paths }, operations] of [
      [openapi(), OPERATIONS],
      [openapiV0(), V0_OPERATIONS],
    ] as const) {
      const ids = Object.values(paths).flatMap(path => Object.values(path).map(({ operationId }) => operationId));
      expect(ids).toEqual(operations.map(({ id }) => id));
    }
  });

  it('tell of a parameter where it stands and whether it is needed', () => {
    const { parameters } = openapiV0().paths['/api/v0/hts/{code}']!.get! as { parameters?: unknown };
    expect(parameters).toMatchObject([
      { name: 'code', in: 'path', required: true },
      { name: 'as_of', in: 'query', schema: { type: 'string', format: 'date' } },
    ]);
  });

  it('close requests, so that a misspelt field is an error, and leave answers open for fields to come', () => {
    const { schemas } = parse(openapiYaml()).components;
    expect(schemas.HtsLookupRequest.additionalProperties).toBe(false);
    expect(schemas.HtsLookupResult.additionalProperties).toBeUndefined();
  });

  it('have examples that the schemas take', () => {
    for (const { request, examples } of [...OPERATIONS, ...V0_OPERATIONS]) {
      for (const example of examples) expect(request.safeParse(example.request).error).toBeUndefined();
    }
  });
});
