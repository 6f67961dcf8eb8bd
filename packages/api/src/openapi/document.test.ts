import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { openapi, openapiYaml } from './document.ts';

describe('the OpenAPI document', () => {
  it('is without fault to a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: openapiYaml(), absoluteRef: 'openapi.yaml', config });
    expect(problems.map(problem => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  });

  it('describes every operation under its id', () => {
    const ids = Object.values(openapi().paths).map(path => path.post?.operationId);
    expect(ids).toEqual(OPERATIONS.map(({ id }) => id));
  });

  it('closes requests, so that a misspelt field is an error, and leaves answers open for fields to come', () => {
    const { schemas } = parse(openapiYaml()).components;
    expect(schemas.HtsLookupRequest.additionalProperties).toBe(false);
    expect(schemas.HtsLookupResult.additionalProperties).toBeUndefined();
  });

  it('has examples that the schemas take', () => {
    for (const { request, examples } of OPERATIONS) {
      for (const example of examples) expect(request.safeParse(example.request).error).toBeUndefined();
    }
  });
});
