import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryModules } from '../scripts/gen.ts';
import { markdownPages } from '../scripts/pages.ts';
import { openapiV0, openapiYaml } from './openapi/document.ts';

const here = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the generated files', () => {
  it('are what the operations say (run `pnpm gen`)', () => {
    expect(here('../openapi.gen.yaml')).toBe(openapiYaml());
    expect(JSON.parse(here('../openapi-v0.gen.json'))).toEqual(openapiV0());
    for (const [path, text] of Object.entries(registryModules())) expect(here(`./${path}`)).toBe(text);
  });

  it('say in docs/ what the service says at /docs of rules, lists and error codes (run `pnpm gen`)', async () => {
    const docs = globSync('{rules,lists,errors}/*', { cwd: new URL('../../../docs/', import.meta.url) });
    const written = Object.fromEntries(docs.map(path => [path, here(`../../../docs/${path}`)]));
    expect(written).toEqual(await markdownPages());
  });
});
