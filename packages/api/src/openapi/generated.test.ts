import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryModules } from '../../scripts/gen.ts';
import { markdownPages } from '../../scripts/pages.ts';
import { openapiV0, openapiYaml } from './document.ts';

const PACKAGE = new URL('../../', import.meta.url);
const DOCS = new URL('../../docs/', PACKAGE);
const read = (path: string, base = PACKAGE) => readFileSync(new URL(path, base), 'utf8');

describe('`pnpm gen`', () => {
  it('reproduces the committed files that are generated from the operations', () => {
    expect(read('openapi.gen.yaml')).toBe(openapiYaml());
    expect(JSON.parse(read('openapi-v0.gen.json'))).toEqual(openapiV0());
    for (const [path, text] of Object.entries(registryModules())) expect(read(`src/${path}`)).toBe(text);
  });

  it('regenerates the rule, list, and error pages without changes', async () => {
    const docs = globSync('{rules,lists,errors}/*', { cwd: DOCS });
    const written = Object.fromEntries(docs.map(path => [path, read(path, DOCS)]));
    expect(written).toEqual(await markdownPages());
  });
});
