import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryModules } from '../scripts/gen.ts';
import { openapiV0, openapiYaml } from './openapi/document.ts';

const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the generated files', () => {
  it('are what the operations say (run `pnpm gen`)', () => {
    expect(here('../openapi.gen.yaml')).toBe(openapiYaml());
    expect(JSON.parse(here('../openapi-v0.gen.json'))).toEqual(openapiV0());
    for (const [path, text] of Object.entries(registryModules())) expect(here(`./${path}`)).toBe(text);
  });
});
