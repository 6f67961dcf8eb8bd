import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryModule } from '../scripts/gen.ts';
import { openapiYaml } from './openapi/document.ts';

const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the generated files', () => {
  it('are what the operations say (run `pnpm gen`)', () => {
    expect(here('../openapi.gen.yaml')).toBe(openapiYaml());
    expect(here('./operations/operations.gen.ts')).toBe(registryModule());
  });
});
